import LibC

/// Where text goes.
///
/// One that could not write says so from then on, whoever asks: what was lost stays lost.
package protocol TextSink: AnyObject {
  /// Takes a text on; it may be kept for a while.
  func write(_ text: String) throws(SinkError)

  /// Hands on what was kept.
  func flush() throws(SinkError)

  /// Whether there is still somebody who reads, as far as is known.
  var hasReader: Bool { get }

  /// How long handing on took so far, which is the time of whoever reads.
  var waited: Duration { get }
}

extension TextSink {
  package var hasReader: Bool { true }
  package var waited: Duration { .zero }
}

/// Why a text did not get to where it was to go.
package enum SinkError: Error, Equatable, Sendable {
  /// Whoever was reading has had enough.
  case closed
  /// The system failed to write.
  case failed(reason: String)
}

/// An open file, pipe or terminal.
final class DescriptorSink: TextSink {
  private let descriptor: Int32
  private var waiting: [UInt8] = []
  /// What went wrong; told to everybody from then on, since whoever heard it first may not mind.
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
    // What could not be written is not tried again: the next message is not to come after half a one.
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

  /// A pipe says so when its other end is closed, though nothing is written.
  var hasReader: Bool {
    var entry = pollfd(fd: descriptor, events: 0, revents: 0)
    guard poll(&entry, 1, 0) > 0 else { return true }
    return entry.revents & Int16(POLLERR | POLLHUP) == 0
  }

  /// A terminal or a pipe that was made not to wait by whoever shares it.
  private func waitUntilWritable() {
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = poll(&entry, 1, 1_000)
  }

  /// Gives the file back to the system, which may only now say that it could not write.
  func close() throws(SinkError) {
    try flush()
    guard systemClose(descriptor) == 0 else {
      throw .failed(reason: String(cString: strerror(errno)))
    }
  }
}

// Inside of a type the methods of the same name would be found first.
private let systemWrite = write
private let systemClose = close
