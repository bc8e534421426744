#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif
import StatyRules

/// The rules in a folder, one in each file whose name ends with `.sql`.
struct OwnRules {
  let rules: [OwnRule]

  init(in folder: String) throws(Failure) {
    guard let directory = opendir(folder) else {
      throw Failure(
        status: .noInput,
        message: "Reading the rules in '\(folder)': \(String(cString: strerror(errno))).",
        advice: "Name a folder with files such as 'long-alert.sql'.")
    }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(".sql"), !name.hasPrefix(".") { names.append(name) }
    }
    var rules: [OwnRule] = []
    for name in names.sorted() { rules.append(try OwnRule(path: folder + "/" + name)) }
    guard !rules.isEmpty else {
      throw Failure(
        status: .noInput, message: "There is no rule in '\(folder)'.",
        advice: "A rule is a file such as 'long-alert.sql' that selects what breaks it.")
    }
    if let taken = rules.first(where: { RuleCode(rawValue: $0.code) != nil }) {
      throw Failure(
        status: .usage, message: "The rule '\(taken.path)' has the code of another rule.",
        advice: "Give its file another name.")
    }
    self.rules = rules
  }
}
