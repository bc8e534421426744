import StatyHistory

/// The metadata of a history for Datasette: the meanings of views and columns, and common
/// questions.
struct DatasetteMetadata {
  /// The name of the file in Datasette, which is its name without the extension.
  let database: String
  /// The private tables behind the views.
  let tables: [String]

  init(path: String, tables: [String]) {
    let name = path.lastComponent
    database = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    self.tables = tables
  }

  /// The content of the file that `datasette --metadata` takes.
  var json: JSONValue {
    .object([
      "title": .text("State controllers, as recorded"),
      "description": .text(
        "The events of one or more runs of an app, as Staty recorded them. Tables are private; "
          + "the views are what may be relied on."),
      "databases": .object([
        (
          key: database,
          value: .object([
            "tables": .object(views + hidden), "queries": .object(queries),
          ])
        )
      ]),
    ])
  }

  private var views: [(key: String, value: JSONValue)] {
    HistoryViews.names.map { view in
      let columns = HistoryViews.documentation.filter { $0.view == view }
        .map { (key: $0.column, value: JSONValue.text($0.sentence)) }
      return (
        key: view,
        value: .object([
          "title": .text(view), "description": .text("One row per \(HistoryViews.row(of: view))."),
          "columns": .object(columns),
        ])
      )
    }
  }

  private var hidden: [(key: String, value: JSONValue)] {
    tables.map { (key: $0, value: .object(["hidden": .bool(true)])) }
  }

  private var queries: [(key: String, value: JSONValue)] {
    HistoryQueries.all.map { query in
      (
        key: query.name,
        value: .object(["title": .text(query.title), "sql": .text(query.sql)])
      )
    }
  }
}
