import Foundation
import Staty
import StatyRecorder
import Testing

/// Payloads that are hashed or omitted are never on the disk.
@Suite struct CanaryTests {
  /// Texts that do not occur elsewhere in a file: any eight bytes of them are unique.
  private struct Secrets {
    let texts: [String]
    // Files are searched for the beginning, the middle and the end of each text, so that a cut text is
    // found too.
    private let traces: Set<UInt64>

    init(_ count: Int) {
      texts = (0..<count).map { _ in
        // Hashes are hexadecimal, so they do not contain most of these letters.
        (0..<4).map { _ in String(UInt64.random(in: 1 << 63 ... .max), radix: 36) }.joined()
      }
      traces = Set(
        texts.flatMap { text in
          let bytes = Array(text.utf8)
          return [0, bytes.count / 2, bytes.count - 8].map { Self.trace(bytes, $0) }
        })
    }

    private static func trace(_ bytes: [UInt8], _ place: Int) -> UInt64 {
      bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: UInt64.self) }
    }

    /// Whether the file contains a part of any text.
    func areIn(_ path: String) throws -> Bool {
      let data = try Data(contentsOf: URL(fileURLWithPath: path))
      return data.withUnsafeBytes { bytes in
        guard bytes.count >= 8 else { return false }
        for place in 0...(bytes.count - 8) {
          // Skip zeros: most of a ring is empty.
          let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
          if word != 0, traces.contains(word) { return true }
        }
        return false
      }
    }
  }

  /// The history and the files next to it.
  private func files(of place: Place) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: place.directory).sorted()
  }

  private func expectNone(_ secrets: Secrets, _ place: Place, _ moment: Comment) throws {
    for file in try files(of: place) {
      #expect(try !secrets.areIn(place.directory + "/" + file), "\(file), \(moment)")
    }
  }

  @Test func `no file contains any of a thousand secrets`() throws {
    let place = try Place()
    let (hidden, shown) = (Secrets(1_000), Secrets(1))
    var options = RecorderOptions()
    options.eventsPerThread = 8_192
    let recorder = try HistoryRecorder(at: place.path, options: options)
    let (controller, page) = (StateController<Page>(), Page())
    recorder.attach(to: controller, as: "checkout")
    controller.bind(to: page)
    for (number, text) in hidden.texts.enumerated() {
      controller.transition(to: Holder(text, isHashed: number.isMultiple(of: 2)))
    }
    controller.transition(to: Instant("shown", payload: .open(shown.texts[0])))
    try expectNone(hidden, place, "while the events are in the ring")
    // The search finds texts that are there.
    #expect(try shown.areIn(place.path + "-ring"))
    try recorder.flush()
    #expect(try files(of: place).contains("history.sqlite-wal"))
    try expectNone(hidden, place, "while the events are in the log")
    try recorder.share(to: place.directory + "/shared.sqlite")
    recorder.close()
    try expectNone(hidden, place, "after closing")
    #expect(try shown.areIn(place.path))
    #expect(
      try place.query("SELECT count(*) FROM history WHERE payload IS NOT NULL") == ["1001"])
  }

  @Test(arguments: [false, true])
  func `files contain payloads only if payloads are recorded`(_ isRecorded: Bool) throws {
    let place = try Place()
    let texts = Secrets(100)
    var options = RecorderOptions()
    options.recordsPayloads = isRecorded
    options.eventsPerThread = 8_192
    let recorder = try HistoryRecorder(at: place.path, options: options)
    let (controller, page) = (StateController<Page>(), Page())
    recorder.attach(to: controller, as: "checkout")
    controller.bind(to: page)
    func expect(in file: String, _ moment: Comment) throws {
      if isRecorded {
        #expect(try texts.areIn(file), moment)
      } else {
        try expectNone(texts, place, moment)
      }
    }
    for text in texts.texts { controller.transition(to: Instant("shown", payload: .open(text))) }
    try expect(in: place.path + "-ring", "while the events are in the ring")
    try recorder.flush()
    try expect(in: place.path + "-wal", "while the events are in the log")
    try recorder.share(to: place.directory + "/shared.sqlite")
    recorder.close()
    try expect(in: place.directory + "/shared.sqlite", "in the shared copy")
    try expect(in: place.path, "after closing")
    #expect(
      try place.query("SELECT count(*), count(payload) FROM history WHERE kind = 'enqueued'")
        == [isRecorded ? "100|100" : "100|0"])
  }
}

/// A state with a secret payload that is hashed or omitted.
private final class Holder: ScreenState {
  private let text: String
  private let isHashed: Bool

  init(_ text: String, isHashed: Bool) {
    self.text = text
    self.isHashed = isHashed
  }

  var payload: StatePayload? { isHashed ? .hashed(text) : .omitted }

  func enter(on page: Page, visit: Visit) { visit.entered() }
  func exit(from page: Page, visit: Visit) { visit.exited() }
}
