import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// What an XML parser finds in a drawing.
final class SVGTexts: NSObject, XMLParserDelegate {
  private(set) var elements: Set<String> = []
  /// The texts that are shown, with spaces as spaces.
  private(set) var all: Set<String> = []
  private var text: String?

  init(_ svg: String) throws {
    super.init()
    let parser = XMLParser(data: Data(svg.utf8))
    parser.delegate = self
    try #require(parser.parse(), "\(String(describing: parser.parserError))")
  }

  static func folded(_ text: String) -> String {
    text.replacing("\u{a0}", with: " ").split(separator: " ").joined(separator: " ")
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String] = [:]
  ) {
    elements.insert(name)
    if name == "text" { text = "" }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) { text? += string }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    if let text { all.insert(Self.folded(text)) }
    text = nil
  }
}
