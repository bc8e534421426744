import StatyHistory

/// What Datasette is to know of a history: what views and columns say, and which questions there are.
struct DatasetteMetadata {
  /// What Datasette calls the file: its name without the ending.
  let database: String
  /// The tables behind the views, which are nobody's business.
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
