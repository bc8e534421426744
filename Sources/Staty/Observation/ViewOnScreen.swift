#if canImport(SwiftUI)
  public import SwiftUI

  extension View {
    /// Records on a track whether this view is on the screen: `true` when it appears, `false` when it
    /// disappears.
    ///
    /// Compare it with what the model says, such as the `isPresented` of a sheet:
    ///
    /// ```swift
    /// presented.mirrors(shown, within: .seconds(1))
    /// // …
    /// .sheet(isPresented: $model.isPresented) { Settings().shown(on: shown) }
    /// ```
    ///
    /// - Parameter track: the track, such as `StateTrack("settings on screen", false)`.
    public func shown(on track: StateTrack) -> some View {
      onAppear { track.moved(to: true) }.onDisappear { track.moved(to: false) }
    }

    /// Records on a track that this view is the one on the screen: from when it appears until another one
    /// does, or until that has disappeared again, as after a cancelled swipe back.
    ///
    /// Use it for all views of which one is shown at a time, such as those of a `TabView`, or the top of
    /// a `NavigationStack` whose path is bound directly, `$model.path`:
    ///
    /// ```swift
    /// selection.mirrors(shown, within: .seconds(1))
    /// // …
    /// TabView(selection: $model.tab) { Feed().shown(as: Tab.feed, on: shown).tag(Tab.feed) }
    /// ```
    ///
    /// - Parameters:
    ///   - value: what the model calls the view.
    ///   - track: the track of what is shown.
    public func shown<Value: Hashable>(as value: Value, on track: StateTrack) -> some View {
      ShownView(content: self, value: value, track: track)
    }
  }

  /// A view that a track may show.
  private struct ShownView<Content: View, Value: Hashable>: View {
    let content: Content
    let value: Value
    let track: StateTrack
    @State var token = ViewToken()

    var body: some View {
      content.onAppear { token.appeared(value, on: track) }
        .onChange(of: Shown(value: value, track: ObjectIdentifier(track))) {
          token.changed(to: value, on: track)
        }
        .onDisappear { token.disappeared() }
    }
  }

  /// What a view shows, and on which track.
  private struct Shown<Value: Hashable>: Equatable {
    let value: Value
    let track: ObjectIdentifier
  }
#endif

/// Stands for a view, whatever values it shows and on whatever track.
package final class ViewToken {
  private var isOnScreen = false
  private weak var track: StateTrack?

  package init() {}

  package func appeared(_ value: some Hashable, on track: StateTrack) {
    if self.track !== track { self.track?.disappeared(self) }
    (isOnScreen, self.track) = (true, track)
    track.appeared(value, in: self)
  }

  /// The view has another value or another track, for which it does not appear again.
  package func changed(to value: some Hashable, on track: StateTrack) {
    guard isOnScreen else { return }
    if self.track === track {
      track.changed(value, in: self)
    } else {
      appeared(value, on: track)
    }
  }

  package func disappeared() {
    track?.disappeared(self)
    (isOnScreen, track) = (false, nil)
  }
}
