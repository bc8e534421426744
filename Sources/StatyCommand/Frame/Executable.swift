import LibC

/// The program that is running.
enum Executable {
  /// The path of its file; none if the system does not say.
  static var path: String? {
    #if canImport(Darwin)
      var size: UInt32 = 0
      _ = _NSGetExecutablePath(nil, &size)
      var buffer = [CChar](repeating: 0, count: Int(size))
      guard _NSGetExecutablePath(&buffer, &size) == 0 else { return nil }
      return buffer.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    #else
      var buffer = [UInt8](repeating: 0, count: 4_096)
      let count = buffer.withUnsafeMutableBytes { bytes in
        readlink("/proc/self/exe", bytes.baseAddress!, bytes.count)
      }
      guard count > 0, count < buffer.count else { return nil }
      return String(decoding: buffer[..<count], as: UTF8.self)
    #endif
  }
}
