import Foundation
import StatyHistory
import Testing

/// Hostile files do no harm when they are read.
///
/// With `STATY_HOSTILE`, every verb reads every file, and files with many of something have 20,000
/// of it. Otherwise some verbs read each file, and some more read the files that are not refused at
/// once.
@Suite struct HostileFileTests {
  // The file comes last.
  private static let verbs = [["check"], ["doctor", "--salvage", "OUT"]]
  /// Of these one looks into every file, each in its turn.
  private static let verbsInTurn = [["show"], ["export"], ["doctor"]]
  private static let otherVerbs = [
    ["sessions"], ["stats"], ["stuck"], ["timeline"], ["replay", "--once"], ["graph"],
    ["report", "-o", "OUT"], ["query", "SQL"], ["explore", "--time=1s"], ["diff", "FILE"],
    ["import", "-o", "OUT"], ["minimize", "--time=1s"], ["test"], ["play", "--at=3"],
    ["merge", "-o", "OUT"], ["redact", "-o", "OUT"], ["prune", "--keep-sessions=1", "-o", "OUT"],
    ["check", "--junit", "OUT"],
    ["timeline", "--svg"],
    ["replay", "--what-if"],
  ]

  /// The verbs that read a file, besides the first ones.
  private static func others(_ file: HostileFile) -> [[String]] {
    if HostileFile.isThorough { return verbsInTurn + otherVerbs }
    let place = HostileFile.all.firstIndex { $0.name == file.name } ?? 0
    let turn = verbsInTurn[place % verbsInTurn.count]
    guard file.isForMore else { return [turn] }
    // Each verb has its turn with one of eight such files.
    return [turn] + otherVerbs.enumerated().filter { ($0.offset + place) % 8 == 0 }.map(\.element)
  }

  /// Everything in a directory: names, and when each was changed, and what the small
  /// ones hold.
  private func everything(in directory: String) throws -> [String: Int] {
    var found: [String: Int] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
      var status = stat()
      guard lstat(directory + "/" + name, &status) == 0 else { continue }
      var hasher = Hasher()
      hasher.combine(status.st_size)
      // Of large files, which are mostly holes, the time of the last change has to do.
      #if canImport(Darwin)
        let changed = status.st_mtimespec
      #else
        let changed = status.st_mtim
      #endif
      hasher.combine(changed.tv_sec)
      hasher.combine(changed.tv_nsec)
      if status.st_mode & S_IFMT == S_IFREG, status.st_size < 1 << 20 {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: directory + "/" + name))
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
      }
      found[name] = hasher.finalize()
    }
    return found
  }

  @Test(arguments: HostileFile.all)
  func `it is refused or read, within bounds, and nothing is written`(_ file: HostileFile) throws {
    let (place, output) = (try Place(), try Place())
    var story = Story.overlapping("queue")
    story.lose(2)
    try place.write(story)
    try file.make(place.path())
    let before = try everything(in: place.directory)
    for (number, verb) in (Self.verbs + Self.others(file)).enumerated() {
      var arguments = verb.flatMap { word in
        switch word {
        case "OUT": [output.path("\(number)")]
        case "FILE": [place.path()]
        case "SQL": [place.path(), "SELECT * FROM history"]
        default: [word]
        }
      }
      if !verb.contains("SQL") { arguments.append(place.path()) }
      let run = try BoundedRun(arguments)
      #expect(run.signal == 0, "\(file.name), \(verb)")
      #expect([0, 1, 2, 64, 65, 66].contains(run.status), "\(file.name), \(verb)")
      #expect(run.megabytes <= 128, "\(file.name), \(verb)")
      #expect(run.commands.isEmpty, "\(file.name), \(verb)")
      #expect(run.leftovers.isEmpty, "\(file.name), \(verb)")
      // Beyond its bound in time it was ended by a signal.
      if HostileFile.isThorough {
        print("hostile\t\(file.name)\t\(verb)\t\(run.seconds)\t\(run.megabytes)")
      }
    }
    #expect(try everything(in: place.directory) == before, "\(file.name)")
    let written = FileManager.default.enumerator(atPath: output.directory)
    while let name = written?.nextObject() as? String {
      var status = stat()
      guard stat(output.path(name), &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        continue
      }
      #expect(try BoundedRun.commands(in: output.path(name)).isEmpty, "\(file.name), \(name)")
    }
  }

  @Test func `there are more than fifty of them, each its own`() {
    #expect(Set(HostileFile.all.map(\.name)).count == HostileFile.all.count)
    #expect(HostileFile.all.count > 50)
  }
}
