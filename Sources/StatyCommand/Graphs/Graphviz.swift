import LibC

/// Graphviz's `dot`, if it is installed.
///
/// It is started by its file and without a shell, and reads what is drawn from a file without a name.
struct Graphviz {
  private let program: String

  /// The first `dot` in the folders that `PATH` names.
  init() throws(Failure) {
    let folders = getenv("PATH").map { String(cString: $0) } ?? ""
    let programs = folders.split(separator: ":").map { "\($0)/dot" }
    guard let program = programs.first(where: { access($0, X_OK) == 0 }) else {
      throw Failure(
        status: .cannotWrite,
        message: "Drawing an SVG: there is no program 'dot' in the folders of PATH.",
        advice: "Install Graphviz, or take '--format dot' and draw it elsewhere.")
    }
    self.program = program
  }

  /// The drawing of a graph in its language, part after part.
  func draw(_ dot: String, _ body: (String) throws -> Void) throws {
    guard let input = tmpfile(), let errors = tmpfile() else { throw Self.failure(reason) }
    defer {
      fclose(input)
      fclose(errors)
    }
    let bytes = Array(dot.utf8)
    guard fwrite(bytes, 1, bytes.count, input) == bytes.count, fflush(input) == 0 else {
      throw Self.failure(reason)
    }
    rewind(input)
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Self.failure(reason) }
    // Whatever happens it is waited for, so that none is left behind.
    let process: pid_t
    do throws(Failure) {
      process = try start(from: fileno(input), to: ends, errors: fileno(errors))
    } catch {
      ends.forEach { close($0) }
      throw error
    }
    close(ends[1])
    let result = Result { try Self.readAll(ends[0], body) }
    close(ends[0])
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    try result.get()
    guard status == 0 else { throw Self.failure("it says: " + Self.firstLine(errors)) }
  }

  private var reason: String { String(cString: strerror(errno)) }

  private static func failure(_ reason: String) -> Failure {
    Failure(
      status: .cannotWrite, message: "Drawing an SVG with 'dot': \(reason).",
      advice: "Take '--format dot' and draw it elsewhere.")
  }

  private func start(from input: Int32, to ends: [Int32], errors: Int32) throws(Failure) -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (from, to) in [(input, Int32(0)), (ends[1], 1), (errors, 2)] {
      posix_spawn_file_actions_adddup2(&actions, from, to)
    }
    for end in ends { posix_spawn_file_actions_addclose(&actions, end) }
    let words: [UnsafeMutablePointer<CChar>?] = [strdup("dot"), strdup("-Tsvg"), nil]
    defer { words.forEach { free($0) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, program, &actions, nil, words, environ)
    guard code == 0 else { throw Self.failure(String(cString: strerror(code))) }
    return process
  }

  private static func readAll(_ descriptor: Int32, _ body: (String) throws -> Void) throws {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { break }
      bytes += buffer[..<count]
    }
    // At once, since a part might end within a character.
    try body(String(decoding: bytes, as: UTF8.self))
  }

  private static func firstLine(_ file: UnsafeMutablePointer<FILE>) -> String {
    rewind(file)
    var buffer = [CChar](repeating: 0, count: 400)
    guard fgets(&buffer, Int32(buffer.count), file) != nil else { return "nothing" }
    let bytes = buffer.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
