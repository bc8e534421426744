import Foundation
import StatyHistory
import Testing

/// Files of strangers harm nobody who looks into them.
///
/// `STATY_HOSTILE` says of every file that every verb is to look into it, and that there are 50,000 of
/// what there are many of; else each is looked into by some, and what is not refused at once by some
/// more.
@Suite struct HostileFileTests {
  private static let verbs = [
    ["check"], ["show"], ["export"], ["doctor"], ["doctor", "--salvage"],
  ]
  private static let otherVerbs = [
    ["sessions"], ["stats"], ["stuck"], ["timeline"], ["replay", "--runs=1"], ["graph"],
    ["report"], ["query", "SELECT * FROM history"],
    ["explore", "--time=1s"], ["diff"], ["import"],
  ]

  /// What is to look into a file beside the first ones.
  private static func others(_ file: HostileFile) -> [[String]] {
    if HostileFile.isThorough { return otherVerbs }
    guard file.isForMore, let place = HostileFile.all.firstIndex(where: { $0.name == file.name })
    else { return [] }
    // Each verb has its turn with one of four such files.
    return otherVerbs.enumerated().filter { ($0.offset + place) % 4 == 0 }.map(\.element)
  }

  /// Everything in a directory: names, and what the files hold, as far as that is small.
  private func everything(in directory: String) throws -> [String: Int] {
    var found: [String: Int] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
      var status = stat()
      guard lstat(directory + "/" + name, &status) == 0 else { continue }
      var content = Int(status.st_size)
      if status.st_mode & S_IFMT == S_IFREG, status.st_size < 1 << 24 {
        content ^= try Data(contentsOf: URL(fileURLWithPath: directory + "/" + name)).hashValue
      }
      found[name] = content
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
    for verb in Self.verbs + Self.others(file) {
      var arguments = verb
      arguments.insert(place.path(), at: 1)
      if verb == ["diff"] { arguments.append(place.path()) }
      if verb == ["import"] || verb == ["report"] {
        arguments += ["-o", output.path(verb[0])]
      }
      if verb.contains("--salvage") { arguments.append(output.path("saved")) }
      let run = try BoundedRun(arguments)
      #expect(run.signal == 0, "\(file.name), \(verb)")
      #expect([0, 1, 2, 64, 65, 66].contains(run.status), "\(file.name), \(verb)")
      #expect(run.megabytes <= 128, "\(file.name), \(verb)")
      // How fast it is depends on the machine: what takes long is told, and read by people.
      if run.seconds > 2 { print("\(file.name), \(verb[0]): \(run.seconds) s") }
    }
    #expect(try everything(in: place.directory) == before, "\(file.name)")
  }

  @Test func `there are more than fifty of them, each its own`() {
    #expect(Set(HostileFile.all.map(\.name)).count == HostileFile.all.count)
    #expect(HostileFile.all.count > 50)
  }
}
