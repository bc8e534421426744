import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import StatyRules
import Testing

/// What is worth a look in recorded tracks, and may be right.
@Suite struct NoteTests {
  private enum Feed: Hashable {
    case idle, loading
    case ready([Int])
  }

  private final class Model {
    let track = StateTrack("feed", Feed.idle)
    var state = Feed.idle { didSet { track.moved(to: state) } }

    /// Receives a message, and returns it as the question of an answer.
    @discardableResult
    func receive(
      _ name: StaticString, answering question: MessageOrigin? = nil, _ body: () -> Void = {}
    ) -> MessageOrigin? {
      track.received(name, answering: question) {
        body()
        return MessageOrigin.current
      }
    }
  }

  private let place: Place

  init() throws { place = try Place() }

  /// What a check notes of the use of a model, each with its sentence; nothing else may be found.
  private func notes(_ use: (Model) -> Void, file: String = "a") throws -> [String] {
    let recorder = try HistoryRecorder(at: place.path)
    let model = Model()
    recorder.attach(to: model.track, as: "feed")
    use(model)
    recorder.close()
    let reader = try HistoryReader(path: place.path)
    let session = try #require(try reader.sessions().last)
    var options = CheckOptions()
    options.patience = .zero
    let result = try HistoryCheck(reader, options: options).session(session.id)
    #expect(result.findings.isEmpty)
    let names = try reader.names()
    return result.notes.map { note in
      "\(note.code.rawValue) \(note.seq - session.firstSeq + 1): " + note.detail { names[$0] }
    }
  }

  @Test func `a question that is asked again before its answer`() throws {
    #expect(
      try notes { model in
        let first = model.receive("refresh")
        let second = model.receive("refresh")
        model.receive("refreshed", answering: first)
        model.receive("refreshed", answering: second)
      } == [
        "asked-twice 4: 'refresh' came again before event 3, the same message, was answered."
      ])
    #expect(
      try notes { model in
        for _ in 0..<3 { model.receive("refreshed", answering: model.receive("refresh")) }
      } == [])
  }

  @Test func `a question with two answers of one name`() throws {
    #expect(
      try notes { model in
        let question = model.receive("upload")
        model.receive("progress", answering: question)
        model.receive("done", answering: question)
        model.receive("done", answering: question)
        model.receive("done", answering: question)
      } == ["answered-twice 6: Event 3 was answered a second time by 'done'."])
  }

  @Test func `a question without an answer, where others have one`() throws {
    #expect(
      try notes { model in
        model.receive("refreshed", answering: model.receive("refresh"))
        model.receive("look")
        model.receive("refresh")
      } == ["never-answered 6: 'refresh' was not answered, as others of its name were."])
    #expect(try notes { model in for _ in 0..<9 { model.receive("refresh") } } == [])
  }

  @Test func `one that lies far behind is told without waiting for the end`() throws {
    #expect(
      try notes { model in
        model.receive("refreshed", answering: model.receive("refresh"))
        model.receive("refresh")
        for _ in 0..<200 { model.receive("look") }
      }.count == 1)
  }

  @Test func `a change outside of any message, where there are messages`() throws {
    #expect(
      try notes { model in
        model.receive("refresh") { model.state = .loading }
        model.state = .idle
      } == ["uncaused-change 5: Visit #3 (idle) began outside of any message."])
    #expect(
      try notes { model in
        model.state = .loading
        model.state = .idle
      } == [])
  }

  @Test func `a part of a message's handling is no message of the user's`() throws {
    #expect(
      try notes { model in
        let question = model.receive("refresh") { model.state = .loading }
        model.receive("reconnected") { model.receive("look") }
        model.receive("refreshed", answering: question) {
          model.receive("show") { model.state = .ready([1]) }
        }
      }.map { $0.prefix { $0 != ":" } } == ["late-answer 9"])
  }

  @Test func `ten thousand are counted`() throws {
    #expect(
      try notes { model in
        model.receive("look")
        for number in 0..<10_000 { model.state = number % 2 == 0 ? .loading : .idle }
      }.count == 10_000)
  }
}
