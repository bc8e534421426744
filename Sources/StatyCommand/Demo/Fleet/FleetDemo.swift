import StatyHistory

/// Makes a fleet: a file a device, and one that says what was planted in them.
struct FleetDemo {
  /// Where it stands what was planted, beside the histories.
  static let note = "planted.json"
  static let defaultSeed: UInt64 = 2019

  let plan: FleetPlan
  let path: String

  func run(_ run: ToolRun) throws -> ExitCode {
    let folder = try DemoFolder(path)
    try folder.mark([
      "A fleet of \(Decimal.count(plan.devices, "device")), made with seed \(plan.seed).",
      "\(Self.note): what was planted in it.",
    ])
    var planted: [FleetPlan.Planted] = []
    for number in 1...plan.devices {
      let device = plan.device(number)
      do {
        planted += try record(device)
      } catch let error as HistoryError {
        throw Failure(
          status: .cannotWrite,
          message: "Recording into '\(path)/\(device.file)': \(error.description)",
          advice: "Make space, or choose another folder with '-o'.")
      }
    }
    let note = try OutputFile("\(path)/\(Self.note)", replacing: false)
    try note.write(plan.json(planted).pretty)
    try note.close()
    run.note(
      "Made \(Decimal.count(plan.devices, "file")); "
        + "'\(path.visible)/\(Self.note)' lists what was planted in them.")
    return .done
  }

  private func record(_ device: FleetPlan.Device) throws -> [FleetPlan.Planted] {
    let recording = try FleetRecording(at: "\(path)/\(device.file)", device.opening)
    var life = try FleetLife(device, in: recording)
    try life.live()
    try recording.close(device.crashes ? .crash : .clean)
    return life.planted
  }
}
