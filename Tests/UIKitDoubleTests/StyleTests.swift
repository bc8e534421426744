import Style2019
import StyleSwift6
import Testing
import UIKit

/// View controllers as apps have them compile against the double as they are, and run.
@MainActor @Suite struct StyleTests {
  private final class Orders: OrdersService {
    var isOffline = false

    func loadOrders(page: Int, completion: @escaping (Result<[Order], OrdersError>) -> Void) {
      if isOffline { return completion(.failure(.offline)) }
      completion(
        .success([
          Order(number: 1, title: "Tea", isPaid: false),
          Order(number: 2, title: "Bread", isPaid: true),
        ]))
    }

    func pay(_ order: Order, completion: @escaping (Result<Order, OrdersError>) -> Void) {
      completion(.success(Order(number: order.number, title: order.title, isPaid: true)))
    }
  }

  private func show(_ root: UIViewController) -> UIWindow {
    UIKitDouble.reset()
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 480))
    window.rootViewController = root
    window.makeKeyAndVisible()
    return window
  }

  @Test func `A view controller in the style of 2019 loads, searches, pays and fails`() {
    let service = Orders()
    let orders = OrdersViewController(service: service)
    let window = show(UINavigationController(rootViewController: orders))
    #expect(orders.isLoading)
    UIKitDouble.run()
    #expect(!orders.isLoading && orders.tableView.alpha == 1)
    func rows() -> [Int] { (0..<2).map(orders.tableView.numberOfRows(inSection:)) }
    #expect(rows() == [1, 1])
    orders.query = "br"
    UIKitDouble.run()
    #expect(rows() == [0, 1])
    orders.query = nil
    UIKitDouble.run()
    orders.tableView.tap(IndexPath(row: 0, section: 0))
    UIKitDouble.run()
    #expect((orders.presentedViewController as? UIAlertController)?.press("Pay") == true)
    UIKitDouble.run()
    #expect(rows() == [0, 2])
    service.isOffline = true
    orders.navigationItem.rightBarButtonItem?.tap()
    UIKitDouble.run()
    #expect(
      (orders.presentedViewController as? UIAlertController)?.message == "There is no connection.")
    #expect(UIKitDouble.warnings.isEmpty)
    #expect(window.rootViewController is UINavigationController)
  }

  private struct Pictures: GalleryStore {
    func pictures(after last: Picture.ID?) async throws(GalleryFailure) -> [Picture] {
      [Picture(id: 1, title: "Sea"), Picture(id: 2, title: "Hill")]
    }

    func setFavourite(_ isFavourite: Bool, of picture: Picture) async throws(GalleryFailure) {
      if picture.id == 2 { throw .full(limit: 1) }
    }
  }

  @Test func `A view controller in the style of Swift 6 loads and shows pictures`() async {
    let model = GalleryModel(store: Pictures())
    model.load()
    await model.loading?.value
    // From here on without a suspension: other tests use the same double.
    let gallery = GalleryViewController(model: model)
    let window = show(UINavigationController(rootViewController: gallery))
    #expect(gallery.tableView.numberOfRows(inSection: 0) == 2)
    let cell = gallery.tableView.cellForRow(at: IndexPath(row: 0, section: 0))
    #expect(cell?.textLabel?.text == "Sea")
    gallery.navigationItem.rightBarButtonItem?.tap()
    UIKitDouble.run()
    let sheet = gallery.presentedViewController as? UINavigationController
    #expect(sheet?.topViewController?.title == "Favourites")
    #expect(UIKitDouble.warnings.isEmpty)
    #expect(window.rootViewController is UINavigationController)
  }
}
