import StatyCommand
import StatyHistory
import StatyReading

enum FileDoor {
  /// The file is refused, or everything in it can be read; it stays as it is, and alone.
  ///
  /// Bytes that begin with 1 say what is changed in a sound history: where, in three bytes, in how
  /// many places, and to what. Other bytes are the file.
  static func open(_ bytes: [UInt8]) throws {
    let bytes = bytes.first == 1 ? changed(by: bytes.dropFirst()) : bytes
    let header = FileHeader(beginning: bytes)
    let place = try Place()
    try Place.write(bytes, to: place.history)
    do {
      let reader = try HistoryReader(receivedAt: place.history)
      guard case .history = header else { throw Broken("\(header), and it is read") }
      _ = try reader.firstStorageFault()
      for session in try reader.sessions() {
        _ = try ChainVerifier(reader).firstDamage(session: session.id)
      }
      try HistoryExport(reader).write(reader.sessions()) { _ in }
    } catch let broken as Broken {
      throw broken
    } catch {
      guard !"\(error)".isEmpty else { throw Broken("refused without a reason") }
    }
    guard try Place.read(place.history) == bytes else { throw Broken("the file was changed") }
    guard try place.names() == ["history.sqlite"] else {
      throw Broken("beside it lies \(try place.names())")
    }
  }

  private static func changed(by changes: ArraySlice<UInt8>) -> [UInt8] {
    var (file, rest) = (sound, changes)
    while rest.count > 4 {
      let numbers = rest.prefix(4).map { Int($0) }
      let place = numbers[0] | numbers[1] << 8 | numbers[2] << 16
      rest = rest.dropFirst(4)
      for (offset, byte) in rest.prefix(numbers[3]).enumerated() where place + offset < file.count {
        file[place + offset] = byte
      }
      rest = rest.dropFirst(numbers[3])
    }
    return file
  }

  private static let sound: [UInt8] = {
    let place = try! Place.begun()
    let writer = try! HistoryWriter(path: place.history)
    var reading = HistoryImport(into: writer)
    try! reading.take(Array(lines.utf8))
    _ = try! reading.finish()
    try! writer.close()
    return try! Place.read(place.history)
  }()

  private static let lines = """
    {"format":"staty-history","version":1}
    {"type":"session","uuid":"u","app":"Shop","first_seq":1}
    {"type":"controller","controller":"screen","policy":"queue"}
    {"seq":1,"t_us":0,"kind":"attached","controller":"screen"}
    {"seq":2,"t_us":0,"kind":"enqueued","controller":"screen","visit":1,"state":"loading","payload":"secret"}
    {"seq":3,"t_us":1000,"kind":"entering","controller":"screen","visit":1,"state":"loading"}
    {"seq":4,"t_us":2000,"kind":"entered","controller":"screen","visit":1,"state":"loading"}
    {"type":"loss","first_seq":5,"last_seq":7,"count":3,"reason":"disk full"}
    {"seq":8,"t_us":3000,"kind":"mark","note":"here"}
    {"seq":9,"t_us":4000,"kind":"enqueued","controller":"screen","visit":2,"state":"content"}
    {"type":"end"}
    """
}
