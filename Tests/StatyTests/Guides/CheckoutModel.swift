import Observation
import Staty

@Observable @MainActor final class CheckoutModel {
  fileprivate(set) var isLoading = false
  fileprivate(set) var message: String?
  @ObservationIgnored fileprivate var messageEntered: () -> Void = {}
  @ObservationIgnored fileprivate var messageExited: () -> Void = {}
  @ObservationIgnored let states = StateController<CheckoutModel>()
  @ObservationIgnored private(set) lazy var screen = ObservableState(states)

  init() { states.bind(to: self) }

  func load() { states.transition(to: Loading()) }
  func tell(_ message: String) { states.transition(to: Message(message)) }

  var isTelling = false

  func didShowMessage() { messageEntered() }
  func didDismissMessage() { messageExited() }
}

@MainActor private final class Loading: @MainActor ScreenState {
  func enter(on model: CheckoutModel, visit: Visit) {
    model.isLoading = true
    visit.entered()
  }

  func exit(from model: CheckoutModel, visit: Visit) {
    model.isLoading = false
    visit.exited()
  }
}

@MainActor private final class Message: @MainActor ScreenState {
  private let text: String
  init(_ text: String) { self.text = text }

  // The sheet reports when it is there, and when it is gone.
  func enter(on model: CheckoutModel, visit: Visit) {
    (model.messageEntered, model.messageExited) = (visit.entered, visit.exited)
    (model.message, model.isTelling) = (text, true)
  }

  func exit(from model: CheckoutModel, visit: Visit) { model.isTelling = false }
}
