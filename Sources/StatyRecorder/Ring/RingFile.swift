internal import CStatyRing
import LibC

/// A ring's file, open and usually locked.
///
/// Call `unlock` when you do not use it any more.
struct RingFile {
  let path: String
  let descriptor: Int32
  let identity: FileIdentity
  let size: UInt64
  /// The bytes that the file uses on the disk.
  ///
  /// They are fewer than `size` if the file has holes.
  let bytesOnDisk: UInt64
  private let isLocked: Bool

  /// Opens and locks the file, or creates it if `flags` contain `O_CREAT`.
  ///
  /// If another process has the lock, it does not wait but throws an error.
  init(opening path: String, flags: Int32) throws(RingError) {
    // O_NONBLOCK, because opening a pipe would wait for its other end.
    let flags = flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    for _ in 0..<8 {
      let descriptor = open(path, flags, 0o600)
      guard descriptor >= 0 else { throw RingError(errno, doing: "opening", path: path) }
      do throws(RingError) {
        if let file = try RingFile(locking: descriptor, path: path) {
          self = file
          return
        }
      } catch {
        close(descriptor)
        throw error
      }
      close(descriptor)
    }
    throw .inUse(pid: nil, path: path)
  }

  /// `nil` if there is another file at the path after this one was locked.
  private init?(locking descriptor: Int32, path: String) throws(RingError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw RingError(errno, doing: "looking at", path: path)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .notARing(path: path, reason: "it is no regular file")
    }
    let identity = FileIdentity(status)
    guard OpenRings.insert(identity) else { throw .inUse(pid: getpid(), path: path) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      OpenRings.remove(identity)
      guard code == EWOULDBLOCK else { throw RingError(code, doing: "locking", path: path) }
      throw .inUse(pid: Self.owner(of: descriptor), path: path)
    }
    var named = stat()
    guard lstat(path, &named) == 0, FileIdentity(named) == identity,
      fstat(descriptor, &status) == 0
    else {
      OpenRings.remove(identity)
      flock(descriptor, LOCK_UN)
      return nil
    }
    self.path = path
    self.descriptor = descriptor
    self.identity = identity
    size = UInt64(status.st_size)
    bytesOnDisk = UInt64(status.st_blocks) * 512
    isLocked = true
  }

  /// Opens an existing file without locking it, to read a ring that no process writes any more.
  ///
  /// Another process may have the lock.
  init(peekingAt path: String) throws(RingError) {
    descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw RingError(errno, doing: "opening", path: path) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .notARing(path: path, reason: "it is no regular file")
    }
    self.path = path
    identity = FileIdentity(status)
    size = UInt64(status.st_size)
    bytesOnDisk = UInt64(status.st_blocks) * 512
    isLocked = false
  }

  /// Unlocks and closes the file.
  func unlock() {
    if isLocked {
      OpenRings.remove(identity)
      // Closing is not enough: a child that was forked meanwhile has a copy of the descriptor, and would keep the
      // lock until it runs another program.
      flock(descriptor, LOCK_UN)
    }
    close(descriptor)
  }

  /// Whether this file is still at its path.
  var isAtItsPath: Bool {
    var named = stat()
    return lstat(path, &named) == 0 && FileIdentity(named) == identity
  }

  /// The header, unchecked; `nil` if the file is too short.
  var header: staty_ring_header? { Self.header(of: descriptor) }

  /// Reads values from a place in the file.
  ///
  /// Any bytes must be a valid `Value`.
  func values<Value: BitwiseCopyable>(
    _ count: Int, at place: UInt64
  ) throws(RingError) -> [Value] {
    // An empty array would be filled through memory that all threads share.
    if count == 0 { return [] }
    var outcome: Result<Void, RingError> = .success(())
    let values = [Value](unsafeUninitializedCapacity: count) { buffer, filled in
      outcome = Result { () throws(RingError) in
        try read(UnsafeMutableRawBufferPointer(buffer), at: place)
        filled = count
      }
    }
    try outcome.get()
    return values
  }

  /// Fills the buffer with the bytes at a place in the file.
  private func read(_ buffer: UnsafeMutableRawBufferPointer, at place: UInt64) throws(RingError) {
    var done = 0
    while done < buffer.count {
      let count = pread(
        descriptor, buffer.baseAddress! + done, buffer.count - done, off_t(place) + off_t(done))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw RingError(errno, doing: "reading", path: path) }
      guard count > 0 else { throw .notARing(path: path, reason: "it became shorter") }
      done += count
    }
  }

  /// Writes the first `count` bytes to a place in the file.
  func write(_ bytes: [UInt8], count: Int, at place: UInt64) throws(RingError) {
    let outcome = bytes.withUnsafeBytes { bytes in
      Result { () throws(RingError) in
        try write(UnsafeRawBufferPointer(rebasing: bytes[..<count]), at: place)
      }
    }
    try outcome.get()
  }

  private func write(_ bytes: UnsafeRawBufferPointer, at place: UInt64) throws(RingError) {
    var done = 0
    while done < bytes.count {
      let count = pwrite(
        descriptor, bytes.baseAddress! + done, bytes.count - done, off_t(place) + off_t(done))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw RingError(errno, doing: "writing", path: path) }
      done += count
    }
  }

  private static func owner(of descriptor: Int32) -> Int32? {
    guard let header = header(of: descriptor), header.pid != 0 else { return nil }
    return Int32(bitPattern: header.pid)
  }

  private static func header(of descriptor: Int32) -> staty_ring_header? {
    var header = staty_ring_header()
    let size = MemoryLayout<staty_ring_header>.size
    return pread(descriptor, &header, size, 0) == size ? header : nil
  }
}

extension RingError {
  init(_ code: Int32, doing: String, path: String, bytes: UInt64 = 0) {
    switch code {
    case ENOENT, ENOTDIR: self = .missing(path: path)
    case ELOOP: self = .symbolicLink(path: path)
    case EACCES, EPERM: self = .notPermitted(path: path)
    case EROFS: self = .readOnly(path: path)
    case ENOSPC, EDQUOT, EFBIG: self = .noRoom(bytes: bytes, path: path)
    case EISDIR: self = .notARing(path: path, reason: "it is a directory")
    default: self = .system(code: code, doing: doing, path: path)
    }
  }
}
