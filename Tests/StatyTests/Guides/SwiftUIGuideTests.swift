import Foundation
import Staty
import Testing

/// The part of the SwiftUI guide that can be tested without SwiftUI.
@Suite struct SwiftUIGuideTests {
  @Test func `the model in the guide is the one that is compiled and tested here`() throws {
    let source = try String(
      contentsOf: Self.folder.appending(path: "CheckoutModel.swift"), encoding: .utf8)
    #expect(try blocks().first == source)
  }

  @Test @MainActor
  func `a sheet enters after loading has exited, and loading after the sheet`() {
    let model = CheckoutModel()
    model.load()
    #expect(model.isLoading)
    model.tell("Sold out")
    #expect(!model.isLoading)
    #expect(model.isTelling)
    model.load()
    // The sheet is still being presented.
    #expect(model.isTelling)
    model.didShowMessage()
    // The sheet was told to exit, and is still being dismissed.
    #expect(!model.isTelling)
    #expect(model.screen.isTransitioning)
    #expect(!model.isLoading)
    model.didDismissMessage()
    #expect(model.isLoading)
    #expect(model.screen.current == "Loading")
  }

  @Test @MainActor func `a sheet that the user pulls down exits by itself`() {
    let model = CheckoutModel()
    model.tell("Sold out")
    model.didShowMessage()
    model.isTelling = false
    model.didDismissMessage()
    #expect(model.states.phase == .exited)
    model.load()
    #expect(model.isLoading)
  }

  /// SwiftUI looks at a model once in a turn: a value that came and went in between is never shown.
  @Test @MainActor func `two messages in one turn are both shown`() {
    let model = CheckoutModel()
    var (shown, isPresented) = ([String](), false)
    model.tell("Sold out")
    model.tell("Try later")
    model.load()
    for _ in 0..<8 {
      if model.isTelling, !isPresented {
        isPresented = true
        shown.append(model.message ?? "")
        model.didShowMessage()
      } else if !model.isTelling, isPresented {
        isPresented = false
        model.didDismissMessage()
      }
    }
    #expect(shown == ["Sold out", "Try later"])
    #expect(model.isLoading && !model.isTelling)
  }

  private static var folder: URL { URL(filePath: #filePath).deletingLastPathComponent() }

  private func blocks() throws -> [String] {
    let guide = Self.folder.appending(path: "../../../Sources/Staty/Documentation.docc/SwiftUI.md")
    return try String(contentsOf: guide, encoding: .utf8).components(separatedBy: "```swift\n")
      .dropFirst().map {
        $0.components(separatedBy: "```")[0]
      }
  }

  // No app for iOS can start a compiler.
  #if os(macOS) || os(Linux)
    @Test func `the view in the guide can be parsed`() throws {
      let view = try #require(try blocks().last)
      #expect(view.contains("import SwiftUI"))
      #expect(try parse(view) == 0)
      #expect(try parse(String(view.dropLast(2))) != 0)
    }

    /// Parses a source and returns the compiler's status.
    private func parse(_ source: String) throws -> Int32 {
      let file = FileManager.default.temporaryDirectory
        .appending(path: "staty-\(UUID().uuidString).swift")
      try Data(source.utf8).write(to: file)
      defer { try? FileManager.default.removeItem(at: file) }
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = ["swiftc", "-parse", file.path]
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      return process.terminationStatus
    }
  #endif
}
