import UIKit

// A view controller in the style of Swift 6: a model that is observed, tasks, a store behind an actor,
// typed errors, and the language mode of Swift 6 with the checks for concurrency.

/// A picture of the gallery.
public struct Picture: Hashable, Sendable, Identifiable {
  public let id: Int
  public let title: String
  public var isFavourite = false

  public init(id: Int, title: String) {
    (self.id, self.title) = (id, title)
  }
}

/// What can go wrong with the store.
public enum GalleryFailure: Error, Equatable {
  case offline
  case full(limit: Int)

  var text: String {
    switch self {
    case .offline: "There is no connection."
    case .full(let limit): "There is room for \(limit) favourites."
    }
  }
}

/// Where the pictures come from.
public protocol GalleryStore: Sendable {
  func pictures(after last: Picture.ID?) async throws(GalleryFailure) -> [Picture]
  func setFavourite(_ isFavourite: Bool, of picture: Picture) async throws(GalleryFailure)
}

/// What the gallery shows.
public enum GalleryState: Equatable {
  case idle
  case loading
  case ready([Picture])
  case failed(GalleryFailure)

  var pictures: [Picture] {
    if case .ready(let pictures) = self { pictures } else { [] }
  }
}

/// Loads pictures and keeps favourites.
@MainActor public final class GalleryModel {
  public private(set) var state = GalleryState.idle {
    didSet { if state != oldValue { onChange(state) } }
  }
  public var onChange: (GalleryState) -> Void = { _ in }
  public private(set) var loading: Task<Void, Never>?

  private let store: any GalleryStore

  public init(store: some GalleryStore) {
    self.store = store
  }

  public func load() {
    guard loading == nil else { return }
    state = .loading
    loading = Task { [weak self] in
      await self?.loadAll()
      self?.loading = nil
    }
  }

  private func loadAll() async {
    do throws(GalleryFailure) {
      let pictures = try await store.pictures(after: state.pictures.last?.id)
      if !Task.isCancelled { state = .ready(pictures) }
    } catch {
      state = .failed(error)
    }
  }

  public func toggle(_ picture: Picture) async throws(GalleryFailure) {
    try await store.setFavourite(!picture.isFavourite, of: picture)
    guard case .ready(var pictures) = state,
      let place = pictures.firstIndex(where: { $0.id == picture.id })
    else { return }
    pictures[place].isFavourite.toggle()
    state = .ready(pictures)
  }

  public func cancel() {
    loading?.cancel()
    loading = nil
  }
}

/// Shows the pictures as a table.
public final class GalleryViewController: UITableViewController {
  private let model: GalleryModel
  private var pictures: [Picture] = []
  private lazy var placeholder = Placeholder(frame: .zero)
  private var toggles: [Picture.ID: Task<Void, Never>] = [:]

  public init(model: GalleryModel) {
    self.model = model
    super.init(style: .plain)
    title = "Gallery"
  }

  @available(*, unavailable)
  public required init?(coder: NSCoder) {
    fatalError("not from a storyboard")
  }

  // MARK: Life cycle

  public override func viewDidLoad() {
    super.viewDidLoad()
    let refresh = UIRefreshControl()
    refresh.addAction(UIAction { [weak model] _ in model?.load() }, for: .valueChanged)
    refreshControl = refresh
    placeholder.frame = view.bounds
    placeholder.autoresizingMask = [.flexibleWidth, .flexibleHeight]
    view.addSubview(placeholder)
    navigationItem.rightBarButtonItem = UIBarButtonItem(
      title: "Favourites",
      primaryAction: UIAction { [weak self] _ in self?.showFavourites() })
    model.onChange = { [weak self] in self?.show($0) }
    show(model.state)
  }

  public override func viewWillAppear(_ animated: Bool) {
    super.viewWillAppear(animated)
    if model.state == .idle { model.load() }
  }

  public override func viewDidDisappear(_ animated: Bool) {
    super.viewDidDisappear(animated)
    for toggle in toggles.values { toggle.cancel() }
    toggles = [:]
  }

  // MARK: States

  private func show(_ state: GalleryState) {
    placeholder.show(state)
    navigationItem.rightBarButtonItem?.isEnabled = !state.pictures.isEmpty
    switch state {
    case .idle, .loading: break
    case .ready(let new):
      refreshControl?.endRefreshing()
      replace(with: new)
    case .failed(let failure):
      refreshControl?.endRefreshing()
      tell(failure)
    }
  }

  /// Deletes and inserts only the rows that differ.
  private func replace(with new: [Picture]) {
    let difference = new.difference(from: pictures)
    tableView.beginUpdates()
    pictures = new
    for change in difference {
      switch change {
      case .remove(let row, _, _):
        tableView.deleteRows(at: [IndexPath(row: row, section: 0)], with: .automatic)
      case .insert(let row, _, _):
        tableView.insertRows(at: [IndexPath(row: row, section: 0)], with: .automatic)
      }
    }
    tableView.endUpdates()
  }

  private func tell(_ failure: GalleryFailure) {
    let alert = UIAlertController(title: nil, message: failure.text, preferredStyle: .alert)
    alert.addAction(UIAlertAction(title: "OK", style: .default) { [weak model] _ in model?.load() })
    alert.addAction(UIAlertAction(title: "Cancel", style: .cancel))
    present(alert, animated: true)
  }

  // MARK: Favourites

  private func showFavourites() {
    let favourites = GalleryViewController(model: model.favourites)
    favourites.title = "Favourites"
    let sheet = UINavigationController(rootViewController: favourites)
    sheet.modalPresentationStyle = .pageSheet
    sheet.presentationController?.delegate = self
    present(sheet, animated: true)
  }

  private func toggle(_ picture: Picture) {
    guard toggles[picture.id] == nil else { return }
    toggles[picture.id] = Task { [weak self, model] in
      do throws(GalleryFailure) {
        try await model.toggle(picture)
      } catch {
        self?.tell(error)
      }
      self?.toggles[picture.id] = nil
    }
  }

  // MARK: Table

  public override func tableView(
    _ tableView: UITableView, numberOfRowsInSection section: Int
  ) -> Int {
    pictures.count
  }

  public override func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    let cell =
      tableView.dequeueReusableCell(withIdentifier: PictureCell.identifier) as? PictureCell
      ?? PictureCell()
    cell.show(pictures[indexPath.row])
    return cell
  }

  public override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
    toggle(pictures[indexPath.row])
  }
}

extension GalleryViewController: UIAdaptivePresentationControllerDelegate {
  public func presentationControllerDidDismiss(
    _ presentationController: UIPresentationController
  ) {
    model.onChange = { [weak self] in self?.show($0) }
    show(model.state)
  }
}

extension GalleryModel {
  /// A model of the favourites alone.
  fileprivate var favourites: GalleryModel {
    GalleryModel(store: Favourites(pictures: state.pictures.filter(\.isFavourite)))
  }
}

private struct Favourites: GalleryStore {
  let pictures: [Picture]

  func pictures(after last: Picture.ID?) async throws(GalleryFailure) -> [Picture] { pictures }

  func setFavourite(_ isFavourite: Bool, of picture: Picture) async throws(GalleryFailure) {
    throw .full(limit: pictures.count)
  }
}

// MARK: - Views

/// What is shown while there are no pictures.
private final class Placeholder: UIView {
  private let label = UILabel()
  private let indicator = UIActivityIndicatorView(style: .medium)

  override init(frame: CGRect) {
    super.init(frame: frame)
    isUserInteractionEnabled = false
    label.numberOfLines = 0
    label.textAlignment = .center
    for part in [label, indicator] as [UIView] {
      part.autoresizingMask = [.flexibleWidth, .flexibleHeight]
      addSubview(part)
    }
  }

  @available(*, unavailable)
  required init?(coder: NSCoder) {
    fatalError("not from a storyboard")
  }

  func show(_ state: GalleryState) {
    let text: String? =
      switch state {
      case .idle, .loading: nil
      case .ready(let pictures): pictures.isEmpty ? "There are no pictures." : nil
      case .failed(let failure): failure.text
      }
    label.text = text
    if state == .loading { indicator.startAnimating() } else { indicator.stopAnimating() }
    UIView.animate(withDuration: 0.2) {
      self.alpha = text == nil && state != .loading ? 0 : 1
    }
  }
}

private final class PictureCell: UITableViewCell {
  static let identifier = "picture"

  init() {
    super.init(style: .subtitle, reuseIdentifier: Self.identifier)
  }

  @available(*, unavailable)
  required init?(coder: NSCoder) {
    fatalError("not from a storyboard")
  }

  func show(_ picture: Picture) {
    textLabel?.text = picture.isFavourite ? "★ \(picture.title)" : picture.title
  }
}
