import StatyRecorder
import StatyUIKit
import UIKit

/// The listings of the page for those who come from a stateful table.
enum Cities {
  enum CitiesKey: StateKey {
    case loading, populated
  }

  final class CitiesLoading: StatefulTableViewState<CitiesKey, [String]> {
    private let row = IndexPath(row: 0, section: 0)

    override func enter(with content: [String]?, visit: KeyedVisit<CitiesKey, [String]>) {
      tableView.insertRows(at: [row], with: .bottom)
      loadCities { visit.transition(to: .populated, with: $0) }
    }

    override func exit() {
      tableView.deleteRows(at: [row], with: .top)
    }

    override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
      1
    }

    override func tableView(
      _ tableView: UITableView, cellForRowAt indexPath: IndexPath
    ) -> UITableViewCell {
      UITableViewCell(style: .default, reuseIdentifier: nil)
    }
  }

  final class CitiesViewController: StatefulTableViewController<CitiesKey, [String]> {
    override func viewDidLoad() {
      super.viewDidLoad()
      setState(CitiesLoading(), forKey: .loading)
      setState(CitiesPopulated(), forKey: .populated)
      transition(to: .loading)
    }
  }

  final class CitiesPopulated: StatefulTableViewState<CitiesKey, [String]> {
    private var cities: [String] = []
    private var rows: [IndexPath] { cities.indices.map { IndexPath(row: $0, section: 0) } }

    override func enter(with content: [String]?, visit: KeyedVisit<CitiesKey, [String]>) {
      cities = content ?? []
      tableView.insertRows(at: rows, with: .bottom)
    }

    override func exit() {
      tableView.deleteRows(at: rows, with: .top)
    }

    override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
      cities.count
    }

    override func tableView(
      _ tableView: UITableView, cellForRowAt indexPath: IndexPath
    ) -> UITableViewCell {
      UITableViewCell(style: .default, reuseIdentifier: nil)
    }
  }

  @MainActor static func record(_ cities: CitiesViewController, _ recorder: HistoryRecorder) {
    recorder.attach(to: cities, as: "cities")
  }
}

@MainActor private func loadCities(_ done: @escaping @MainActor ([String]) -> Void) {
  UIView.animate(withDuration: 1, delay: 0) {
  } completion: { _ in
    done(["Bern", "Graz"])
  }
}
