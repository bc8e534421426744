import Chance
import Doors
import Foundation
import Testing

/// What the fuzzer begins with and what it found is let in again, as it is and a little changed.
///
/// `STATY_MUTATIONS` says how often each file is changed, `STATY_SEED` how.
@Suite struct DoorTests {
  private static let mutations =
    ProcessInfo.processInfo.environment["STATY_MUTATIONS"].flatMap { Int($0) } ?? 4

  private static func corpus(of door: Door) throws -> [(name: String, bytes: [UInt8])] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Corpus/\(door.rawValue)")
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
      ($0, Array(try Data(contentsOf: folder.appendingPathComponent($0))))
    }
  }

  @Test(arguments: Door.allCases)
  func `what was found before comes in or is refused`(_ door: Door) throws {
    let corpus = try Self.corpus(of: door)
    #expect(corpus.count >= 3)
    for (name, bytes) in corpus {
      #expect(throws: Never.self, "\(door.rawValue)/\(name)") { try door.open(bytes) }
    }
  }

  @Test(arguments: Door.allCases)
  func `what was found before is changed and comes in or is refused`(_ door: Door) throws {
    var random = Mutation(seed: testSeed)
    for (name, bytes) in try Self.corpus(of: door) {
      for round in 0..<Self.mutations {
        let changed = random.change(bytes)
        #expect(throws: Never.self, "\(door.rawValue)/\(name), \(round) of seed \(testSeed)") {
          try door.open(changed)
        }
      }
    }
  }
}

/// Changes bytes as a fuzzer does, without looking what comes of it.
private struct Mutation {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  private mutating func next(_ bound: Int) -> Int {
    // SplitMix64.
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
    return Int((value ^ value >> 31) % UInt64(max(1, bound)))
  }

  mutating func change(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0...next(4) {
      let place = next(bytes.count)
      switch next(5) {
      case 0 where !bytes.isEmpty: bytes[place] ^= 1 << next(8)
      case 1 where !bytes.isEmpty: bytes[place] = [0, 0xff, 0x7f, 0x80, 0x0a, 0x22][next(6)]
      case 2: bytes.removeSubrange(place..<min(bytes.count, place + next(16)))
      case 3: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + next(64))], at: place)
      default: bytes.removeLast(next(min(bytes.count, 64)))
      }
    }
    return bytes
  }
}
