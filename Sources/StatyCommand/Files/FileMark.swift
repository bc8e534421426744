import LibC

/// The sizes and times that show, without opening it, that a history or its log has changed.
struct FileMark: Equatable {
  private let numbers: [Int64]

  init(_ path: String) {
    numbers = ["", "-wal"].flatMap { suffix -> [Int64] in
      var status = stat()
      guard stat(path + suffix, &status) == 0 else { return [] }
      #if canImport(Darwin)
        let time = status.st_mtimespec
      #else
        let time = status.st_mtim
      #endif
      return [
        Int64(truncatingIfNeeded: status.st_ino), Int64(status.st_size), Int64(time.tv_sec),
        Int64(time.tv_nsec),
      ]
    }
  }
}
