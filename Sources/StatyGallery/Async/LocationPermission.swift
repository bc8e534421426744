public import Staty

/// What the system says about the location: stands in for `CLAuthorizationStatus`.
public enum LocationStatus: Sendable {
  case notDetermined, denied, authorizedWhenInUse
}

/// Tells its delegate the status when it is made, and when the user has answered.
@MainActor public protocol LocationManager {
  func requestWhenInUseAuthorization()
}

/// The status that the location manager tells on its start is taken for the answer of the user, and the
/// answer itself is not looked at any more (delba/Permission #28).
@MainActor public final class LocationPermission {
  public enum State: Hashable {
    case idle, asking, granted, refused
  }

  public let track = StateTrack("location-permission", State.idle)
  public private(set) var state = State.idle { didSet { track.moved(to: state) } }
  private let version: Version

  public init(_ version: Version) { self.version = version }

  public func request(from manager: any LocationManager) {
    track.received("request") {
      state = .asking
      manager.requestWhenInUseAuthorization()
    }
  }

  /// The delegate's method of the location manager.
  public func didChangeAuthorization(_ status: LocationStatus) {
    track.received("did change authorization") {
      guard state == .asking else { return }
      // Fixed: a status that is not determined is no answer.
      if version == .fixed, status == .notDetermined { return }
      state = status == .authorizedWhenInUse ? .granted : .refused
    }
  }
}
