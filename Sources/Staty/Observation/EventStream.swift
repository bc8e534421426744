extension EventSource {
  /// Returns the events from now on as an asynchronous sequence.
  ///
  /// The sequence ends when the controller is released. Events that were not read yet are buffered;
  /// by default without a limit.
  ///
  /// - Parameter policy: how many events are buffered.
  public func stream(
    buffering policy: AsyncStream<TransitionEvent>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncStream<TransitionEvent> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: TransitionEvent.self, bufferingPolicy: policy)
    add(StreamObserver(continuation, source: self))
    return stream
  }
}

/// Passes events on to a stream until its reader has ended.
private final class StreamObserver: TransitionObserver {
  private let continuation: AsyncStream<TransitionEvent>.Continuation
  private weak let source: EventSource?

  init(_ continuation: AsyncStream<TransitionEvent>.Continuation, source: EventSource) {
    self.continuation = continuation
    self.source = source
  }

  deinit {
    continuation.finish()
  }

  func observe(_ event: borrowing TransitionEvent) {
    // The end of the reader is handled here, in the controller's isolation. A termination handler
    // could run on any thread.
    if case .terminated = continuation.yield(copy event) { source?.remove(self) }
  }
}
