import LibC
import StatySQLite

/// The files that an agent may ask about: those below one folder, and what was minimized for it.
final class AgentFolder {
  /// The path of the folder, with links resolved.
  let root: String
  private var kept: KeptRecordings?

  /// Makes the folder at `path` the current one, so that paths in answers can be asked for again.
  init(_ path: String) throws(Failure) {
    guard chdir(path) == 0, let root = ".".resolvedPath else {
      throw Failure(
        status: .noInput,
        message: "Serving '\(path)': \(String(cString: strerror(errno))).",
        advice: "Name the folder with the recordings.")
    }
    self.root = root
  }

  /// The file that a path leads to; its path is relative, without links.
  ///
  /// Links are followed before the comparison, because a link in the folder can lead out of it. So
  /// can one next to a recording that is read with it, such as its log.
  func file(_ path: String) throws(Failure) -> String {
    guard !path.isEmpty, let real = path.resolvedPath else {
      // What there is elsewhere must not show in the answer.
      throw isMine(nearestFolder(of: path)) ? missing(path) : outside(path)
    }
    guard isMine(real) else { throw outside(path) }
    if real.utf8.elementsEqual(root.utf8) { return "." }
    let name = real.lastComponent.utf8
    for other in real.folder.namesInFolder ?? [] where other.utf8.starts(with: name) {
      guard let end = other.utf8.dropFirst(name.count).first, "-.".utf8.contains(end) else {
        continue
      }
      let place = real.folder + other
      guard let leadsTo = place.resolvedPath, isMine(leadsTo) else { throw outside(place) }
    }
    return relative(real)
  }

  /// The innermost folder on the way to a missing file that is there.
  private func nearestFolder(of path: String) -> String {
    var folder = path.folder
    while !folder.isEmpty {
      if let real = folder.resolvedPath { return real }
      folder = String(decoding: folder.utf8.dropLast(), as: UTF8.self).folder
    }
    return root
  }

  /// The recordings below the folder, those in the fewest folders first; hidden folders and links
  /// are left out.
  ///
  /// - Parameter note: is told if there may be more.
  func recordings(note: (String) -> Void) throws(Failure) -> [String] {
    var found: [String] = []
    var folders = [base]
    var (seen, isCut) = (0, false)
    while !folders.isEmpty, found.count < Self.mostFiles, seen < Self.mostNames {
      let folder = folders.removeFirst()
      for name in folder.namesInFolder ?? [] where !name.hasPrefix(".") {
        guard seen < Self.mostNames else {
          isCut = true
          break
        }
        seen += 1
        var status = stat()
        guard lstat(folder + name, &status) == 0 else { continue }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: folders.append(folder + name + "/")
        case S_IFREG:
          switch FileHeader(folder + name) {
          case .history, .begun: if let path = try? file(folder + name) { found.append(path) }
          default: break
          }
        default: break
        }
      }
    }
    guard !found.isEmpty else {
      throw Failure(
        status: .noInput, message: "There is no recording below '\(root)'.",
        advice: "Copy one from the app into it.")
    }
    if isCut || found.count > Self.mostFiles || !folders.isEmpty {
      note("Note: there may be more recordings than these; name the 'file' of another.")
    }
    return Array(found.prefix(Self.mostFiles))
  }

  private static let mostFiles = 100
  private static let mostNames = 20_000

  /// The path for the next minimized recording.
  func nextKept() throws(Failure) -> String {
    if let kept { return kept.next() }
    let made = try KeptRecordings()
    kept = made
    return made.next()
  }

  private var base: String { root.hasEnding("/") ? root : root + "/" }

  /// By bytes, as paths are.
  private func isMine(_ real: String) -> Bool {
    let isKept = kept.map { real.utf8.starts(with: ($0.folder + "/").utf8) } ?? false
    return isKept || (real + "/").utf8.starts(with: base.utf8)
  }

  private func relative(_ real: String) -> String {
    // What was minimized is elsewhere.
    guard real.utf8.starts(with: base.utf8) else { return real }
    return String(decoding: real.utf8.dropFirst(base.utf8.count), as: UTF8.self)
  }

  private func outside(_ path: String) -> Failure {
    Failure(
      status: .noInput, message: "'\(path)' is outside of '\(root)'.",
      advice: "Ask for files below that folder: 'sessions' without 'file' lists its recordings.")
  }

  private func missing(_ path: String) -> Failure {
    Failure(
      status: .noInput, message: "There is no file '\(path)' below '\(root)'.",
      advice: "'sessions' without 'file' lists the recordings there.")
  }
}

/// Minimized recordings, in a folder that only the current user can read, until the server ends.
private final class KeptRecordings {
  let folder: String
  private let temporary: TemporaryFile
  private var files: [(path: String, temporary: TemporaryFile)] = []
  private var count = 0

  /// An agent needs the last few, and its calls must not fill the disk.
  private static let most = 20

  init() throws(Failure) {
    let parent = TemporaryFile.parent
    var template = Array("\(parent)/staty-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil,
      let folder = template.withUnsafeBufferPointer({ $0.baseAddress.map { String(cString: $0) } })?
        .resolvedPath
    else { throw .unwritable(parent, errno) }
    self.folder = folder
    temporary = TemporaryFile(folder: folder)
  }

  func next() -> String {
    if files.count == Self.most { remove(files.removeFirst()) }
    count += 1
    let path = folder + "/minimized-\(count).sqlite"
    files.append((path, TemporaryFile(database: path)))
    return path
  }

  private func remove(_ file: (path: String, temporary: TemporaryFile)) {
    DatabaseFile.remove(at: file.path)
    file.temporary.forget()
  }

  deinit {
    files.forEach(remove)
    rmdir(folder)
    temporary.forget()
  }
}
