/// Says how far a run went, and with what result: a line of the page that says what is trusted.
///
/// `.ci/nightly` gathers these lines.
public func figure(_ text: String) {
  print("figure: \(text)")
}
