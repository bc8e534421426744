/// The controllers of a session with the words by which its lines name them: their names or, where
/// several have one, the name with a number.
struct NamedControllers {
  let records: [ControllerRecord]
  private(set) var keys: [Int32: String] = [:]

  init(_ records: [ControllerRecord]) {
    self.records = records
    var taken = Set(records.map { ExactText(text: $0.name) })
    // The number that the next of a name tries first: those below are taken, and stay so.
    var numbers: [ExactText: Int] = [:]
    for record in records {
      let name = ExactText(text: record.name)
      guard var number = numbers[name] else {
        numbers[name] = 2
        keys[record.id] = name.text
        continue
      }
      var key: ExactText
      repeat {
        key = ExactText(text: "\(record.name)#\(number)")
        number += 1
      } while !taken.insert(key).inserted
      numbers[name] = number
      keys[record.id] = key.text
    }
  }
}
