/// Presented while its search bar is in use; the bar itself is not there.
@preconcurrency @MainActor open class UISearchController: UIViewController {}
