import Testing

@testable import StatyCommand

/// Paths are taken apart as the system does, byte by byte.
@Suite struct PathTextTests {
  @Test(arguments: [
    ("history.sqlite", "", "history.sqlite"), ("a/b", "a/", "b"), ("/a/b/", "/a/b/", ""),
    ("", "", ""), ("/", "/", ""),
    // A slash with a mark on it, or after a sign that is one character with it, is a slash.
    ("/tmp/\u{301}a.sqlite", "/tmp/", "\u{301}a.sqlite"),
    ("/\u{301}/\u{301}", "/\u{301}/", "\u{301}"),
    ("a\u{d4e}/b", "a\u{d4e}/", "b"),
  ])
  func `a path is a folder and a name`(_ path: String, _ folder: String, _ name: String) {
    #expect(path.folder.utf8.elementsEqual(folder.utf8))
    #expect(path.lastComponent.utf8.elementsEqual(name.utf8))
  }
}
