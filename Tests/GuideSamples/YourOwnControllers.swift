@MainActor var registry = ControllerRegistry()
public class Offer {
  let id = ""
  weak var controller: AnyObject?
}
final class ScriptedOffer: Offer { init(_ script: ReplayState) {} }
func showNext() {}
