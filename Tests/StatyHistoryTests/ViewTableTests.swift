import StatyHistory
import StatyReading
import Testing

@Suite struct ViewTableTests {
  @Test(arguments: HistoryViews.names)
  func `every view says what a row of it is`(view: String) {
    let others = HistoryViews.names.filter { $0 != view }.map(HistoryViews.row)
    #expect(!others.contains(HistoryViews.row(of: view)))
  }
}
