import Staty
import StatyReplay

extension KnownBug {
  package static let presentation = KnownBug(
    name: "presentation",
    symptom: "Presenting a second sheet also dismisses the screen below it",
    report: "pointfreeco/swift-navigation #254", kind: "gallery-presentation",
    decides: "whether the first sheet is still entering or exiting when the second is requested",
    names: ["close"]
  ) { version in
    let (platform, window) = (Platform(), Window())
    let model = PresentationModel(version)
    @MainActor func sheet(_ name: StateName) {
      let sheet = Sheet(name, window)
      sheet.onPresent = { sheet in platform.asked("present") { model.didAppear(sheet) } }
      sheet.onDismiss = { sheet in platform.asked("dismiss") { model.didDisappear(sheet) } }
      model.show(sheet)
    }
    return Scene(platform, ("gallery-presentation", model.probe))
      .user("open a sheet", answers: .max) { sheet("B") }
      .user("close it") { model.close() }
      .user("open another one") { sheet("C") }
  } make: { context, version in
    let window = Window()
    let model = PresentationModel(version, probe: context.probe)
    return context.subject(makeState: { script in
      let sheet = Sheet(script.name, window)
      sheet.onPresent = { _ in script.enter() }
      sheet.onDismiss = { _ in script.exit() }
      script.onCompletion = { [unowned sheet] completion in
        completion == .entered ? model.didAppear(sheet) : model.didDisappear(sheet)
      }
      return sheet
    }) { (sheet: Sheet, _) in model.show(sheet) }
    .receiving("close") { model.close() }
  }
}

/// What presents the sheets.
private final class Window {
  var isClosed = false
}

/// A dismissal of a sheet that is leaving goes on to the screen that has presented it.
private final class Sheet: PresentedScreen {
  let name: StateName
  private(set) var isLeaving = false
  var onPresent: (Sheet) -> Void = { _ in }
  var onDismiss: (Sheet) -> Void = { _ in }
  private let window: Window

  init(_ name: StateName, _ window: Window) { (self.name, self.window) = (name, window) }

  func present() { if !window.isClosed { onPresent(self) } }

  func dismiss() {
    if isLeaving { window.isClosed = true }
    isLeaving = true
    onDismiss(self)
  }
}
