import Foundation

/// How many times as many random histories as usual: `STATY_RULES_SWEEP`, for the nights.
let sweep = ProcessInfo.processInfo.environment["STATY_RULES_SWEEP"].flatMap { Int($0) } ?? 1
