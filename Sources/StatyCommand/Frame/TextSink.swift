import LibC

/// A destination of text.
///
/// After a failed write, every later write fails, too: lost text cannot be recovered.
package protocol TextSink: AnyObject {
  /// Takes a text, which may be kept for a while.
  func write(_ text: String) throws(SinkError)

  /// Writes what was kept.
  func flush() throws(SinkError)

  /// Whether a reader still exists, if known.
  var hasReader: Bool { get }

  /// How long writing has taken so far, which is mostly the reader's time.
  var waited: Duration { get }
}

extension TextSink {
  package var hasReader: Bool { true }
  package var waited: Duration { .zero }
}

/// Why a text could not be written.
package enum SinkError: Error, Equatable, Sendable {
  /// The reader has closed its end.
  case closed
  /// The system failed to write.
  case failed(reason: String)
}

/// An open file, pipe or terminal.
final class DescriptorSink: TextSink {
  private let descriptor: Int32
  private var waiting: [UInt8] = []
  /// The first failure; it is reported by every later call, because its first caller may ignore it.
  private var failure: SinkError?
  private(set) var waited = Duration.zero
  private static let most = 32 << 10

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  func write(_ text: String) throws(SinkError) {
    waiting.append(contentsOf: text.utf8)
    if waiting.count >= Self.most { try flush() }
  }

  func flush() throws(SinkError) {
    if let failure {
      waiting.removeAll()
      throw failure
    }
    do {
      try handOn()
    } catch {
      failure = error
      throw error
    }
  }

  private func handOn() throws(SinkError) {
    // A failed write is not repeated: the next message must not follow half of an earlier one.
    let begun = ContinuousClock.now
    defer {
      waiting.removeAll(keepingCapacity: true)
      waited += ContinuousClock.now - begun
    }
    var done = 0
    while done < waiting.count {
      let count = waiting.withUnsafeBytes { bytes in
        systemWrite(descriptor, bytes.baseAddress! + done, bytes.count - done)
      }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        waitUntilWritable()
        continue
      }
      guard count > 0 else {
        if errno == EPIPE { throw .closed }
        throw .failed(reason: String(cString: strerror(errno)))
      }
      done += count
    }
  }

  /// A pipe reports a closed reader even if nothing is written.
  var hasReader: Bool {
    var entry = pollfd(fd: descriptor, events: 0, revents: 0)
    guard poll(&entry, 1, 0) > 0 else { return true }
    return entry.revents & Int16(POLLERR | POLLHUP) == 0
  }

  /// Waits for a terminal or a pipe that another process has made non-blocking.
  private func waitUntilWritable() {
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = poll(&entry, 1, 1_000)
  }

  /// Closes the file; the system may report a failed write only now.
  func close() throws(SinkError) {
    try flush()
    guard systemClose(descriptor) == 0 else {
      throw .failed(reason: String(cString: strerror(errno)))
    }
  }
}

/// A sink for what is judged to its end, though the reader has gone: the exit code is wanted.
final class HeedlessSink: TextSink {
  private let sink: any TextSink

  init(_ sink: any TextSink) { self.sink = sink }

  func write(_ text: String) throws(SinkError) {
    try heedless { () throws(SinkError) in try sink.write(text) }
  }

  func flush() throws(SinkError) { try heedless { () throws(SinkError) in try sink.flush() } }

  var hasReader: Bool { sink.hasReader }
  var waited: Duration { sink.waited }

  private func heedless(_ body: () throws(SinkError) -> Void) throws(SinkError) {
    do throws(SinkError) { try body() } catch  where error == .closed {}
  }
}

// Inside of a type the methods of the same name would be found first.
private let systemWrite = write
private let systemClose = close
