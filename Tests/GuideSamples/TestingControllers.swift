import Checkout
extension ControllerRegistry { static var shop: ControllerRegistry { ControllerRegistry() } }
final class Screen {}
