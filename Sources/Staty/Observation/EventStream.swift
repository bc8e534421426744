extension EventSource {
  /// The events from now on, for a loop.
  ///
  /// The sequence ends when its controller does. Events that nobody has taken yet wait in a
  /// buffer; by default all of them do.
  public func stream(
    buffering policy: AsyncStream<TransitionEvent>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncStream<TransitionEvent> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: TransitionEvent.self, bufferingPolicy: policy)
    add(StreamObserver(continuation, source: self))
    return stream
  }
}

/// Passes events on to a stream until nobody reads it any more.
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
    // A reader that has gone is noticed here, in the controller's isolation; its own end could
    // come on any thread.
    if case .terminated = continuation.yield(copy event) { source?.remove(self) }
  }
}
