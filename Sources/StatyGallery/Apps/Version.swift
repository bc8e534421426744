/// Which version of a model is made: as the public report has it, or as it was fixed.
public enum Version: Sendable, CaseIterable {
  case reported, fixed
}
