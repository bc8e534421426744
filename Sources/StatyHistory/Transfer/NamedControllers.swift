/// The controllers of a session with the words by which its lines name them: their names or, where
/// several have one, the name with a number.
struct NamedControllers {
  let records: [ControllerRecord]
  private(set) var keys: [Int32: String] = [:]

  init(_ records: [ControllerRecord]) {
    self.records = records
    var taken = Set(records.map { NameKey(text: $0.name) })
    var seen: Set<NameKey> = []
    for record in records {
      var key = NameKey(text: record.name)
      if !seen.insert(key).inserted {
        var number = 2
        repeat {
          key = NameKey(text: "\(record.name)#\(number)")
          number += 1
        } while !taken.insert(key).inserted
      }
      keys[record.id] = key.text
    }
  }
}
