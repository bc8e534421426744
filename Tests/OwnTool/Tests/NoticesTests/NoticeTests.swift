import Notices
import StatyTesting
import Testing

extension ControllerRegistry {
  @MainActor static var notices: ControllerRegistry {
    var registry = ControllerRegistry()
    registry.registerNotices(isFixed: true)
    return registry
  }
}

@MainActor @Suite struct NoticeTests {
  @Test func `no order of callbacks breaks the notices`() {
    explore("notices", in: .notices) { scenario in
      scenario.request("saved")
      scenario.request("offline") { $0.exitsByItself = true }
      scenario.cancel(.all)
    }
  }

  @Test func `a notice waits until the one before has exited`() throws {
    let notices = try TestScenario("notices", in: .notices)
    let saved = notices.request("saved")
    let offline = notices.request("offline")
    notices.settle()
    notices.expectOrder(
      .entering(saved), .entered(saved), .exiting(saved), .exited(saved), .entering(offline),
      .entered(offline))
    notices.expectNoFindings()
  }
}
