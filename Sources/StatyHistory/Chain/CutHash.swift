/// The checksum of where the beginning of a session was cut off.
///
/// The events that said it are gone, so nothing else would notice a change. The controllers' parts
/// are added up: a further cut changes some of them.
enum CutHash {
  /// The part of the session and of its anchor, which stands for what is gone.
  static func session(_ session: SessionRecord, _ cut: SessionCut, anchor: UInt64) -> UInt64 {
    let place = ContentHash.fold(
      UInt64(bitPattern: cut.seq &- session.firstSeq), UInt64(bitPattern: cut.time))
    let what = ContentHash.fold(anchor, UInt64(bitPattern: cut.events))
    return ContentHash.fold(session.chainSeed, ContentHash.fold(place, what))
  }

  /// The part of a controller; 0 if its beginning was not cut off.
  ///
  /// - Parameter whose: the hash of what it is.
  static func controller(
    _ whose: UInt64, _ cut: ControllerCut?, _ snapshot: String, first: Int64
  ) -> UInt64 {
    guard let cut else { return 0 }
    let place = ContentHash.fold(
      UInt64(bitPattern: cut.since &- first), UInt64(bitPattern: cut.time))
    let what = ContentHash.fold(UInt64(cut.standing.rawValue), ContentHash.text(snapshot))
    return ContentHash.fold(whose, ContentHash.fold(place, what))
  }

  /// The whole of it.
  static func whole(
    _ session: SessionRecord, _ cut: SessionCut, anchor: UInt64,
    _ controllers: [ControllerRecord], _ hashes: ContentHashes
  ) -> UInt64 {
    controllers.reduce(Self.session(session, cut, anchor: anchor)) { sum, one in
      sum
        &+ controller(hashes.controller(one.id), one.cut, one.snapshot, first: session.firstSeq)
    }
  }
}
