import Foundation
import Testing

@testable import StatyReport

/// Names out of recordings in Swift source.
@Suite struct SwiftNamesTests {
  @Test func `what compiles as it is alone stands so in a literal, and else nothing that hides`() {
    // Swift's own compiler does not take these escaped here, either.
    let unnamed = [0xfdd0, 0xfdef].compactMap(Unicode.Scalar.init).map { String($0) }.joined()
    #expect(SwiftNames.literal(unnamed) == "\"" + unnamed + "\"")
    #expect(
      SwiftNames.literal("\u{fdcf}\u{ffff}\u{202e}\u{9b}\u{3164}\0\"\\")
        == #""\#u{fdcf}\u{ffff}\u{202e}\u{9b}\u{3164}\u{0}\"\\""#)
  }

  @Test func `what sounds like a secret is told before it is written into a source`() {
    #expect(
      SecretLook.names(in: #"{"signIn":{"user":"anna","password":"hunter2"}}"#, of: "signIn")
        == ["password"])
    #expect(
      SecretLook.names(in: #"{"tokenRefreshed":{"_0":"a:\"b\":c"}}"#, of: "tokenRefreshed")
        == ["tokenRefreshed", "tokenRefreshed"])
    #expect(SecretLook.names(in: #"{"typed":{"_0":"my password"}}"#, of: "typed") == [])
    #expect(SecretLook.names(in: #""tokens""#, of: "tokens") == [])
  }

  @Test func `the compiler takes a name of any letters`() throws {
    let place = try Place()
    let most: [ClosedRange<UInt32>] = [
      0...0x2ff, 0x2000...0x20ff, 0xd700...0x101ff, 0x1fff0...0x2000f,
    ]
    let scalars = most.joined().compactMap(Unicode.Scalar.init) + [.init(0x10ffff)!]
    let lines = scalars.map { "_ = " + SwiftNames.literal("a" + String($0)) + "\n" }
    try lines.joined().write(toFile: place.path("a.swift"), atomically: true, encoding: .utf8)
    let run = try Binary(
      program: "/usr/bin/env", ["swiftc", "-frontend", "-parse", "a.swift"], in: place.directory)
    #expect(run.status == 0 && run.err.isEmpty, "\(run.err.prefix(2_000))")
  }
}
