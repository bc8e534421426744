extension ControllerRegistry { static var app: ControllerRegistry { ControllerRegistry() } }
// SwiftPM makes it for a target with resources.
extension Bundle { static var module: Bundle { .main } }
