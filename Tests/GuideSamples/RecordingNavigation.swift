enum Route: Hashable { case list, detail }
@MainActor let (pathTrack, shownTrack) = (StackTrack("path"), StackTrack("shown"))
