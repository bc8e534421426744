/// Names that try to be more than names, wherever they are written.
enum HostileNames {
  static let all = [
    "</script><script>window.taken = 1</script>", "\"><img src=x onerror=\"window.taken = 2\">",
    "`${window.taken = 3}`", "a\u{2028}b\u{2029}c", "\\N\\G\\l\\\"", "&lt;b&gt; &amp;", "end",
    "'; window.taken = 4; '", "\u{202e}txt.exe", "--> c0s0", "%%{init: {}}%%", "日本語 🙂",
    "a\u{1b}]0;x\u{7}", "]]>", "<!-- ", "x\"] ; click a call taken()", "\"\u{301}<b>",
    // After a sign that is one character with what follows.
    "\u{d4e}\"\u{d4e}\\\u{d4e}'\u{d4e}/\u{d4e}`", "\u{d4e}<b>\u{d4e}&\u{d4e};", "\u{3164}\u{115f}",
  ]
}
