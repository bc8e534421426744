import StatySQLite

extension String {
  /// The same text as part of one line, with everything that could command a terminal, end the line
  /// or hide itself written out.
  ///
  /// For every name, path and text that comes from a file or from the command line.
  var visible: String { escapedForOneLine }
}
