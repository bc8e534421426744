import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import StatyReplay
import StatyRules
import Testing

/// A model that declares other routes than when it was recorded.
@Suite final class DeclaredAnewTests {
  enum Message: RecordedMessage { case pay, paid }

  enum Step: StateKey, CaseIterable { case filled, paying, review, paid }

  final class Basket {
    let track: StateTrack
    private let hasReview: Bool
    private(set) var step = Step.filled { didSet { track.moved(to: step) } }

    init(hasReview: Bool, declares: Bool) {
      let routes = Routes<Step> {
        Start { To(.filled) }
        From(.filled) { To(.paying) }
        From(.paying) {
          To(.paid)
          if declares { To(.review) }
        }
      }
      track = StateTrack("basket", .filled, routes: routes)
      self.hasReview = hasReview
    }

    func send(_ message: Message) {
      track.received(message) {
        switch message {
        case .pay: step = .paying
        case .paid: step = hasReview ? .review : .paid
        }
      }
    }
  }

  private let path =
    FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).sqlite").path

  deinit {
    for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
  }

  @Test(arguments: [true, false])
  func `a played model keeps to the routes that it declares now`(declares: Bool) throws {
    let recorder = try HistoryRecorder(at: path)
    let basket = Basket(hasReview: false, declares: false)
    recorder.attach(to: basket.track, as: "basket")
    for message in [Message.pay, .paid] { basket.send(message) }
    recorder.close()
    var registry = ControllerRegistry()
    registry.register("basket") { context in
      let basket = Basket(hasReview: true, declares: declares)
      return context.subject(of: basket.track) { (message: Message) in basket.send(message) }
    }
    let played = try WhatIf(HistoryReader(path: path), session: 1, registry: registry).run()
    #expect(played.findings.map(\.code) == (declares ? [] : [.undeclaredTransition]), "\(played)")
  }
}
