// No app for iOS can start a compiler.
#if os(macOS) || os(Linux)
  import Foundation
  import Testing

  /// Mistakes that do not compile.
  ///
  /// Each test has two snippets that differ in one place. One compiles, so the other cannot be
  /// refused for another reason.
  @Suite("The compiler refuses")
  struct CompileRefusalTests {
    @Test("a target that does not provide what a state needs")
    func target() throws {
      func snippet(_ conformance: String) -> String {
        """
        import Staty
        protocol LoadingProvider: AnyObject { func showIndicator() }
        final class LoadingState<Target: LoadingProvider>: ScreenState {
          func enter(on target: Target, visit: Visit) { target.showIndicator() }
          func exit(from target: Target, visit: Visit) { visit.exited() }
        }
        final class Page\(conformance) { func showIndicator() {} }
        func ask(_ controller: StateController<Page>) { controller.transition(to: LoadingState()) }
        """
      }
      let allowed = try errors(in: snippet(": LoadingProvider"))
      #expect(allowed == [])
      let refused = try errors(in: snippet(""))
      #expect(refused.contains { $0.contains("'Page'") && $0.contains("'LoadingProvider'") })
    }

    @Test("a controller sent to another isolation")
    func controller() throws {
      func snippet(_ isolation: String) -> String {
        """
        import Staty
        final class Page {}
        \(isolation) func take(_ controller: StateController<Page>) async {}
        @MainActor func give(_ controller: StateController<Page>) async { await take(controller) }
        """
      }
      let allowed = try errors(in: snippet("@MainActor"))
      #expect(allowed == [])
      let refused = try errors(in: snippet("@concurrent"))
      #expect(refused.contains { $0.contains("sending 'controller' risks causing data races") })
    }

    @Test("an async state that is created outside of an actor")
    func asyncState() throws {
      func snippet(_ isolation: String) -> String {
        """
        import Staty
        final class Page {}
        \(isolation) func make() -> AsyncState<Page> {
          AsyncState("loading") { _ in } exit: { _ in }
        }
        """
      }
      let allowed = try errors(in: snippet("@MainActor"))
      #expect(allowed == [])
      let refused = try errors(in: snippet("nonisolated"))
      #expect(
        refused.contains {
          $0.contains("'nil' is not compatible with expected argument type 'any Actor'")
        })
    }

    @Test("a visit that is used from another thread, but not its sendable form")
    func visit() throws {
      func snippet(_ form: String) -> String {
        """
        import Staty
        func later(_ visit: Visit) {
          let visit = visit\(form)
          Task.detached { visit.entered() }
          visit.exited()
        }
        """
      }
      let allowed = try errors(in: snippet(".sendable"))
      #expect(allowed == [])
      let refused = try errors(in: snippet(""))
      #expect(refused.contains { $0.contains("data race") })
    }

    /// The errors that the compiler has about a source, in Swift 6 mode.
    private func errors(in source: String) throws -> [String] {
      let build = try #require(Self.buildDirectory, "the built modules are not beside the tests")
      let file = FileManager.default.temporaryDirectory
        .appendingPathComponent("staty-\(UUID().uuidString).swift")
      try Data(source.utf8).write(to: file)
      defer { try? FileManager.default.removeItem(at: file) }
      let process = Process()
      // The compiler checks what is sent between isolations only when it emits SIL.
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = [
        "swiftc", "-emit-sil", "-o", "/dev/null", "-parse-as-library", "-swift-version", "6",
        "-I", build.appendingPathComponent("Modules").path,
        "-Xcc", "-fmodule-map-file=\(build.path)/CStaty.build/module.modulemap", file.path,
      ]
      let output = Pipe()
      process.standardError = output
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      let said = output.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      let errors = String(decoding: said, as: UTF8.self).split(separator: "\n")
        .filter { $0.contains("error:") }.map(String.init)
      // A failure without an error message would be a crash, not a refusal.
      #expect((process.terminationStatus == 0) == errors.isEmpty)
      return errors
    }

    /// The nearest directory above the running program that holds the modules.
    private static var buildDirectory: URL? {
      for start in [CommandLine.arguments[0], Bundle.main.executablePath ?? "/"] {
        var directory = URL(fileURLWithPath: start).deletingLastPathComponent()
        while directory.path != "/" {
          let module = directory.appendingPathComponent("Modules/Staty.swiftmodule")
          if FileManager.default.fileExists(atPath: module.path) { return directory }
          directory = directory.deletingLastPathComponent()
        }
      }
      return nil
    }
  }
#endif
