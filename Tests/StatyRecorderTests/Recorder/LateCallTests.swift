import Chance
import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import StatyRules
import Testing

/// A view model that takes whatever answer comes last, recorded by its asynchronous methods.
@MainActor @Suite struct LateCallTests {
  @MainActor private final class Search {
    enum State { case idle, loading, ready }
    let track = StateTrack("search", State.idle)
    private(set) var items: [String] = []
    private(set) var state = State.idle { didSet { track.moved(to: state, showing: items) } }
    var answers: [String: CheckedContinuation<Void, Never>] = [:]

    /// - Parameter isShown: whether the model says that it is loading.
    func search(_ text: String, isShown: Bool) async {
      await track.received("search") {
        if isShown { state = .loading }
        await withCheckedContinuation { answers[text] = $0 }
        items = [text]
        state = .ready
      }
    }

    /// The same, in a task that it starts.
    func startSearch(_ text: String, isShown: Bool) {
      track.received("search") {
        if isShown { state = .loading }
        Task {
          await withCheckedContinuation { answers[text] = $0 }
          items = [text]
          state = .ready
        }
      }
    }
  }

  /// Records two searches, the second while the first is under way.
  ///
  /// - Parameter isTask: whether the model starts a task for each, and not the caller.
  private func warnings(
    _ order: [String], isShown: Bool, isTask: Bool
  ) async throws -> [String] {
    let place = try Place()
    let recorder = try HistoryRecorder(at: place.path)
    let model = Search()
    recorder.attach(to: model.track, as: "search")
    var tasks: [Task<Void, Never>] = []
    for text in ["a", "ab"] {
      if isTask {
        model.startSearch(text, isShown: isShown)
      } else {
        tasks.append(Task { await model.search(text, isShown: isShown) })
      }
      while model.answers[text] == nil { await Task.yield() }
    }
    // An answer of a server comes later than its call begins.
    try await Task.sleep(for: .milliseconds(100))
    for text in order {
      model.answers.removeValue(forKey: text)?.resume()
      while model.items != [text] { await Task.yield() }
    }
    for task in tasks { await task.value }
    await recorder.close()
    let result = try HistoryCheck(HistoryReader(path: place.path)).session(1)
    return result.findings.map(\.code.rawValue)
  }

  @Test(arguments: [true, false], [true, false])
  func `an earlier call that is answered last is late`(isShown: Bool, isTask: Bool) async throws {
    let late = try await warnings(["ab", "a"], isShown: isShown, isTask: isTask)
    #expect(late == ["late-answer"])
    #expect(try await warnings(["a", "ab"], isShown: isShown, isTask: isTask) == [])
  }
}

/// A view model whose state is in several variables, each of which is reported when it is set.
@MainActor @Suite struct ManyVariablesTests {
  @MainActor private final class Notes {
    enum Screen { case empty, loading, loaded, failed }
    struct Shown: Hashable {
      let folder: String, notes: [String]
    }
    let track = StateTrack("notes", Screen.empty)
    var folder = "" { didSet { moved() } }
    var notes: [String] = [] { didSet { moved() } }
    var isLoading = false { didSet { moved() } }
    var hasFailed = false { didSet { moved() } }
    private var server: [CheckedContinuation<[String]?, Never>?] = []

    private func moved() {
      let screen: Screen =
        isLoading ? .loading : hasFailed ? .failed : notes.isEmpty ? .empty : .loaded
      track.moved(to: screen, showing: Shown(folder: folder, notes: notes))
    }

    private func ask() async -> [String]? {
      await withCheckedContinuation { server.append($0) }
    }

    /// Answers a question that was asked, and waits until the model has taken the answer.
    func answer(_ question: Int, _ notes: [String]?) async throws {
      while server.count <= question { await Task.yield() }
      // A server takes its time.
      try await Task.sleep(for: .milliseconds(60))
      server[question]?.resume(returning: notes)
      try await Task.sleep(for: .milliseconds(20))
    }

    func open(_ folder: String) async {
      await track.received("open") {
        self.folder = folder
        isLoading = true
        hasFailed = false
        if let answer = await ask() { notes = answer } else { hasFailed = true }
        isLoading = false
      }
    }

    func delete(_ note: String) async {
      await track.received("delete") {
        let before = notes
        notes.removeAll { $0 == note }
        if await ask() == nil {
          notes = before
          hasFailed = true
        }
      }
    }
  }

  /// What a check says of the use of a model.
  private func said(_ use: @MainActor (Notes) async throws -> Void) async throws -> [String] {
    let place = try Place()
    let recorder = try HistoryRecorder(at: place.path)
    let model = Notes()
    recorder.attach(to: model.track, as: "notes")
    try await use(model)
    await recorder.close()
    let reader = try HistoryReader(path: place.path)
    let result = try HistoryCheck(reader).session(1)
    let names = try reader.names()
    return (result.findings + result.notes).map { finding in
      "\(finding.severity) \(finding.code.rawValue): " + finding.detail { names[$0] }
    }
  }

  @Test func `what a call sets at its beginning is no answer`() async throws {
    let said = try await said { model in
      async let first: Void = model.open("Home")
      async let second: Void = {
        try? await Task.sleep(for: .milliseconds(20)); await model.open("Work")
      }()
      try await model.answer(0, ["a"])
      try await model.answer(1, ["b"])
      _ = await (first, second)
    }
    #expect(!said.contains { $0.contains("late-answer") }, "\(said)")
  }

  @Test func `an answer that undoes what was asked since is noted`() async throws {
    let said = try await said { model in
      model.notes = ["milk", "bread"]
      async let first: Void = model.delete("milk")
      async let second: Void = {
        try? await Task.sleep(for: .milliseconds(20)); await model.delete("bread")
      }()
      try await model.answer(1, [])
      try await model.answer(0, nil)
      _ = await (first, second)
    }
    #expect(said.contains { $0.contains("late-answer") }, "\(said)")
  }

  @Test func `an answer to an older question is noted, though the newest changed nothing`()
    async throws
  {
    let said = try await said { model in
      for (number, folder) in ["Home", "Work", "Home"].enumerated() {
        Task { await model.open(folder) }
        if number < 2 { try await Task.sleep(for: .milliseconds(20)) }
      }
      try await model.answer(0, ["a"])
      try await model.answer(2, ["a"])
      try await model.answer(1, ["b"])
    }
    #expect(said.contains { $0.contains("late-answer") }, "\(said)")
  }
}

/// What is under way in a session at the same time: parts of a screen, a sign-out that asks the server, a
/// stream.
@MainActor @Suite struct CallsBesideTests {
  @MainActor private final class Session {
    enum Screen { case signedOut, signedIn, loading, editing }
    let track = StateTrack("session", Screen.signedIn)
    var user: String? = "me" { didSet { moved() } }
    var items: [String: [Int]] = [:] { didSet { moved() } }
    var isLoading = false { didSet { moved() } }
    var isEditing = false { didSet { moved() } }
    var hasFailed = false { didSet { moved() } }
    private var server: [CheckedContinuation<Void, Never>] = []
    private let (updates, sends) = AsyncStream.makeStream(of: Int.self)

    private func moved() {
      let screen: Screen =
        isEditing ? .editing : isLoading ? .loading : user == nil ? .signedOut : .signedIn
      track.moved(to: screen, showing: items)
    }

    private func ask() async { await withCheckedContinuation { server.append($0) } }

    func answer(_ question: Int) async throws {
      while server.count <= question { await Task.yield() }
      try await Task.sleep(for: .milliseconds(60))
      server[question].resume()
      try await Task.sleep(for: .milliseconds(20))
    }

    func load(_ section: String, as part: StateName?) async {
      await track.received("load", part: part) {
        await ask()
        items[section] = [1]
      }
    }

    /// Loads a user, as so many parts one after the other.
    func refresh(stages: Int = 1) async {
      await track.received("refresh") {
        isLoading = true
        for stage in 0..<stages {
          await ask()
          items["stage \(stage)"] = [stage]
        }
        user = "me"
        isLoading = false
      }
    }

    func signOut() async {
      await track.received("sign out") {
        (user, isLoading) = (nil, false)
        await ask()
        hasFailed = false
      }
    }

    func appear() async {
      await track.received("appear") {
        for await update in updates { items["all"] = [update] }
      }
    }
    func update(_ value: Int) async throws {
      sends.yield(value)
      try await Task.sleep(for: .milliseconds(20))
    }
    func disappear() { sends.finish() }
    func edit(_ isEditing: Bool) { track.received("edit") { self.isEditing = isEditing } }

    /// Tells its progress, and ends what the user may have cancelled since.
    func upload() async {
      await track.received("upload") {
        isLoading = true
        for part in 0..<4 {
          await ask()
          items["progress"] = [part]
        }
        isLoading = false
      }
    }
    func cancel() { track.received("cancel") { isEditing = true } }
  }

  /// The rules of the warnings and notes about the use of a model.
  private func said(_ use: @MainActor (Session) async throws -> Void) async throws -> [String] {
    try await steadily { try await saidOnce(use) }
  }

  private func saidOnce(_ use: @MainActor (Session) async throws -> Void) async throws -> [String] {
    let place = try Place()
    let recorder = try HistoryRecorder(at: place.path)
    let model = Session()
    recorder.attach(to: model.track, as: "session")
    try await use(model)
    await recorder.close()
    let result = try HistoryCheck(HistoryReader(path: place.path)).session(1)
    return (result.findings + result.notes).map { "\($0.severity) \($0.code.rawValue)" }
  }

  @Test(arguments: [true, false])
  func `calls about different parts are not late for each other`(arePart: Bool) async throws {
    let said = try await said { model in
      let header = Task { await model.load("header", as: arePart ? "header" : nil) }
      try await Task.sleep(for: .milliseconds(20))
      let list = Task { await model.load("list", as: arePart ? "list" : nil) }
      try await model.answer(1)
      try await model.answer(0)
      _ = await (header.value, list.value)
    }
    // Without the parts, the recording cannot tell them from two questions of one kind.
    #expect(said.contains("warning late-answer") == !arePart, "\(said)")
  }

  @Test(arguments: [true, false])
  func `a call that changes nothing at its end does not hide a late answer`(
    isRevokedFirst: Bool
  ) async throws {
    let said = try await said { model in
      let refresh = Task { await model.refresh() }
      try await Task.sleep(for: .milliseconds(20))
      let signOut = Task { await model.signOut() }
      try await model.answer(isRevokedFirst ? 1 : 0)
      try await model.answer(isRevokedFirst ? 0 : 1)
      _ = await (refresh.value, signOut.value)
      #expect(model.user == "me")
    }
    #expect(said.contains("warning late-answer"), "\(said)")
  }

  @Test func `what loads in stages is late behind a sign-out`() async throws {
    let said = try await said { model in
      let refresh = Task { await model.refresh(stages: 3) }
      try await model.answer(0)
      try await model.answer(1)
      let signOut = Task { await model.signOut() }
      try await model.answer(2)
      try await model.answer(3)
      _ = await (refresh.value, signOut.value)
    }
    #expect(said.contains("warning late-answer"), "\(said)")
  }

  @Test func `an upload that ends behind its cancellation is late`() async throws {
    let said = try await said { model in
      let upload = Task { await model.upload() }
      for part in 0..<3 { try await model.answer(part) }
      model.cancel()
      model.isEditing = false
      try await model.answer(3)
      await upload.value
    }
    #expect(said.contains("warning late-answer"), "\(said)")
  }

  @Test func `what reads a stream is not late whatever the user does`() async throws {
    let said = try await said { model in
      let appear = Task { await model.appear() }
      try await Task.sleep(for: .milliseconds(60))
      for value in 1...4 { try await model.update(value) }
      model.edit(true)
      for value in 5...8 { try await model.update(value) }
      model.edit(false)
      for value in 9...12 { try await model.update(value) }
      model.disappear()
      await appear.value
    }
    #expect(!said.contains("warning late-answer"), "\(said)")
    #expect(said.count { $0 == "note late-answer" } <= 1, "\(said)")
  }
}
