extension ControllerRegistry { static var shop: ControllerRegistry { ControllerRegistry() } }
