import StatyHistory

/// What a made-up fleet consists of, and what is wrong with it.
///
/// An app called Shop in five versions on four systems, a device a file. Three faults are in many of
/// its sessions, each with something in common that a look over the fleet finds, and a few devices
/// have one of their own. All else is in order: no rule says anything of it.
struct FleetPlan {
  let seed: UInt64
  let devices: Int

  static let app = "Shop"
  static let versions = ["2.0.0", "2.1.0", "2.2.0", "2.3.0", "2.4.0"]
  static let systems = ["iOS 17.5", "iOS 18.1", "iOS 18.4", "macOS 15.3"]

  /// The version whose checkout was written anew, as `staty-2019` is: from it on, who is quick breaks
  /// a rule.
  static let faultyFrom = "2.3.0"
  /// The version in which content comes slowly after loading, and in no other.
  static let slowVersion = "2.2.0"
  /// The system on which results that are told to leave do not always do so.
  static let stuckSystem = "iOS 18.4"

  /// A device, and who recorded on it.
  struct Device {
    let number: Int
    var dice: FleetDice
    let opening: SessionOpening
    var version: String { opening.appVersion }
    var system: String { opening.os }
    /// The fault that it alone has, if it has one.
    let own: FleetFault?
    /// Whether its process goes without a word, which is nobody's fault here.
    let crashes: Bool

    /// Whether its checkout is the one that was written anew.
    var hasNewCheckout: Bool {
      FleetPlan.versions.drop { $0 != FleetPlan.faultyFrom }.contains(version)
    }

    /// The name of its file.
    var file: String { FleetPlan.file(number) }
  }

  /// A finding that is to be in a file.
  struct Planted {
    let file: String
    let session: String
    let code: String
    let controller: String
    let event: Int64

    var json: JSONValue {
      .object([
        "file": .text(file), "session": .text(session), "code": .text(code),
        "controller": .text(controller), "event": .whole(event),
      ])
    }
  }

  /// What was planted, and what a look over the fleet is to find.
  func json(_ planted: [Planted]) -> JSONValue {
    .object([
      "seed": .text(String(seed)), "sessions": .whole(devices),
      "introduced": .list(
        ["exit-before-enter", "never-entered"].map { code in
          .object([
            "code": .text(code), "controller": .text("checkout"),
            "app_version": .text(Self.faultyFrom),
          ])
        }),
      "slower": .list([
        .object([
          "controller": .text("feed"), "from": .text("loading"), "to": .text("content"),
          "app_version": .text(Self.slowVersion),
        ])
      ]),
      "stuck": .list([
        .object([
          "controller": .text("search"), "state": .text("results"), "os": .text(Self.stuckSystem),
        ])
      ]),
      "planted": .list(planted.map(\.json)),
    ])
  }

  /// What a device's file is called.
  static var fileName: Regex<Substring> { /device-[0-9]{5,}\.sqlite/ }

  static func file(_ number: Int) -> String {
    let digits = String(number)
    return "device-" + String(repeating: "0", count: max(0, 5 - digits.count)) + digits + ".sqlite"
  }

  /// The device of a number, from 1.
  func device(_ number: Int) -> Device {
    var dice = FleetDice(seed: seed, device: number)
    // Four weeks from a Monday on; nothing here knows what day it is.
    let began = Self.monday + Int64(dice.number(in: 0...28 * 86_400 - 1)) * 1_000_000
    let opening = SessionOpening(
      uuid: dice.uuid(), app: Self.app, appVersion: dice.one(of: Self.versions),
      os: dice.one(of: Self.systems), pid: Int32(dice.number(in: 300...9_999)), wallTime: began)
    let crashes = dice.chance(3)
    return Device(
      number: number, dice: dice, opening: opening, own: FleetFault.ofDevices[number],
      crashes: crashes)
  }

  /// 2026-03-02, 00:00 UTC, in microseconds since 1970.
  private static let monday: Int64 = 1_772_409_600_000_000
}
