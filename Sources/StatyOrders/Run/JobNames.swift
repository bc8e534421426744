/// What the jobs of a run are called.
struct JobNames {
  private var tasks: [UInt64: JobName] = [:]
  // A list: a run has few of them.
  private var counts: [(name: JobName, count: Int)] = []
  /// Whether the run will be told.
  private let explains: Bool
  /// Where tasks and blocks were begun, if the run will be told.
  private var places: [JobName: CodePlace] = [:]
  /// What tasks are called, if the run will be told; it is not known before they run.
  private var taskNames: [JobName: String] = [:]

  init(explains: Bool) { self.explains = explains }

  /// The name of a task that has begun.
  func task(_ id: UInt64) -> JobName? { tasks[id] }

  /// Names a task that begins.
  mutating func begin(_ task: UInt64, _ what: JobName.What, of origin: String) -> JobName {
    let name = placed(what, of: origin)
    tasks[task] = name
    Control.note(task: task)
    return name
  }

  /// Names something, and remembers where in the code it is begun.
  mutating func placed(_ what: JobName.What, of origin: String) -> JobName {
    let name = numbered(what, of: origin)
    if explains, what == .task || what == .block { places[name] = CodePlace() }
    return name
  }

  /// Names something: the second of a name has the number 2.
  mutating func numbered(_ what: JobName.What, of origin: String) -> JobName {
    var name = JobName(what: what, origin: origin)
    if let at = counts.lastIndex(where: { $0.name == name }) {
      counts[at].count += 1
      name.number = counts[at].count
    } else {
      counts.append((name, 1))
    }
    return name
  }

  /// Notes what a running task is called in the code.
  mutating func note(_ task: String, of job: JobName) {
    if explains { taskNames[job] = task }
  }

  /// The words for jobs; only what deviations are about is looked up, which takes a while.
  func words(about deviations: [WorldDeviation]) -> JobWords {
    if !explains { return JobWords() }
    let meant = Set(deviations.flatMap(\.jobs))
    return JobWords(
      places: places.filter { meant.contains($0.key) }.compactMapValues(\.words), names: taskNames)
  }
}
