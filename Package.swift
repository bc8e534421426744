// swift-tools-version: 6.3
import PackageDescription

// Dependencies go one way: a target may depend only on targets above it in this list.

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("ImmutableWeakCaptures"),
]

// Apple's tools read a library's privacy manifest from its resource bundle. Elsewhere it is not used, and each
// program would get an unnecessary bundle.
#if os(macOS)
  let privacyManifest = (resources: [Resource.copy("PrivacyInfo.xcprivacy")], exclude: [String]())
#else
  let privacyManifest = (resources: [Resource](), exclude: ["PrivacyInfo.xcprivacy"])
#endif

// Only on Linux: without pkg-config, as in builds for iOS, this causes a warning, and Apple's SDKs contain
// SQLite.
#if os(Linux)
  let sqlitePackage: String? = "sqlite3"
#else
  let sqlitePackage: String? = nil
#endif

// A double of UIKit, with which code for iOS can run on Linux. Only on request, because packages that use this
// one would otherwise compile against it. `1` adds its tests to the others; `only` leaves out all other tests
// and programs, so that they need not be built a second time.
#if os(Linux)
  let uikitDouble = Context.environment["STATY_UIKIT_DOUBLE"] ?? ""
#else
  let uikitDouble = ""
#endif
let hasUIKitDouble = ["1", "only"].contains(uikitDouble)

// Links the toolchain's fuzzer, which has its own main function.
let fuzzes = Context.environment["STATY_FUZZ"] == "1"

let package = Package(
  name: "Staty",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "Staty", targets: ["Staty"]),
    .library(name: "StatyUIKit", targets: ["StatyUIKit"]),
    .library(name: "StatyRecorder", targets: ["StatyRecorder"]),
    .library(name: "StatyTesting", targets: ["StatyTesting"]),
    .library(name: "StatyReplay", targets: ["StatyReplay"]),
    .library(name: "StatyRules", targets: ["StatyRules"]),
    .library(name: "StatySpecimens", targets: ["StatySpecimens"]),
    .library(name: "StatyGallery", targets: ["StatyGallery"]),
    .library(name: "StatyCommand", targets: ["StatyCommand"]),
    .executable(name: "staty", targets: ["staty"]),
  ],
  targets: [
    .target(name: "LibC", swiftSettings: strict),
    .target(name: "CStaty"),
    .systemLibrary(
      name: "CSQLite", pkgConfig: sqlitePackage,
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .target(name: "Staty", dependencies: ["CStaty"], swiftSettings: strict),
    .target(
      name: "StatyUIKit", dependencies: ["Staty"] + (hasUIKitDouble ? ["UIKit"] : []),
      swiftSettings: strict),
    // Escapes texts from other sources for output.
    .target(name: "StatyText", swiftSettings: strict),
    .target(name: "CTemporaryFiles"),
    .target(
      name: "StatySQLite", dependencies: ["CTemporaryFiles", "CSQLite", "LibC", "StatyText"],
      swiftSettings: strict),
    .target(name: "CMigrations"),
    .target(
      name: "Migrations", dependencies: ["CMigrations", "StatySQLite"], path: "Migrations",
      exclude: ["sql"], swiftSettings: strict),
    .target(
      name: "StatyHistory",
      dependencies: ["LibC", "Staty", "StatyText", "StatySQLite", "Migrations"],
      exclude: privacyManifest.exclude, resources: privacyManifest.resources,
      swiftSettings: strict),
    .target(
      name: "StatyRules", dependencies: ["Staty", "StatyHistory"], swiftSettings: strict),
    // What only tools and tests need of a history; no app links it.
    .target(
      name: "StatyReading",
      dependencies: [
        "LibC", "Staty", "StatyText", "StatySQLite", "StatyHistory", "StatyRules", "Migrations",
      ],
      swiftSettings: strict),
    // The places of the Swift runtime that jobs go through.
    .target(name: "CJobs"),
    .target(
      name: "StatyReplay",
      dependencies: [
        "CJobs", "CStaty", "Staty", "StatyHistory", "StatyReading", "StatyRules", "StatyText",
      ],
      swiftSettings: strict),
    .target(
      name: "COrders", dependencies: ["CJobs", "CStaty"],
      linkerSettings: [
        .linkedLibrary("dispatch", .when(platforms: [.linux])),
        .linkedLibrary("BlocksRuntime", .when(platforms: [.linux])),
      ]),
    // Runs plain async code in every order.
    .target(
      name: "StatyOrders",
      dependencies: ["CJobs", "COrders", "Staty", "StatyHistory", "StatyReading", "StatyReplay"],
      swiftSettings: strict),
    .target(name: "CPage"),
    .target(
      name: "StatyReport",
      dependencies: [
        "CPage", "Staty", "StatyText", "StatyHistory", "StatyReading", "StatyRules", "StatyReplay",
      ],
      exclude: [
        "Page/page.html", "Page/page.css", "Page/words.js", "Page/session.js", "Page/lanes.js",
        "Page/why.js", "Page/lists.js", "Page/outcomes.js", "Page/follow.js",
        "Page/page.js",
      ],
      swiftSettings: strict),
    .target(name: "CStatyRing"),
    .target(
      name: "StatyRecorder",
      dependencies: [
        "CStaty", "CStatyRing", "LibC", "Staty", "StatyText", "StatySQLite", "StatyHistory",
        "StatyRules",
      ],
      exclude: privacyManifest.exclude, resources: privacyManifest.resources,
      swiftSettings: strict),
    .target(
      name: "StatySpecimens", dependencies: ["Staty", "StatyReplay"], swiftSettings: strict),
    .target(
      name: "StatyGallery", dependencies: ["Staty", "StatyReplay"], swiftSettings: strict),
    .target(
      name: "StatyTesting",
      dependencies: [
        "Staty", "StatyText", "StatyHistory", "StatyReading", "StatyRules", "StatyReplay",
        "StatyOrders", "StatyReport",
      ],
      swiftSettings: strict),
    .target(
      name: "StatyCommand",
      dependencies: [
        "LibC", "Staty", "StatyText", "StatySQLite", "StatyHistory", "StatyReading", "StatyRules",
        "StatyGallery", "StatyRecorder", "StatyReplay", "StatyReport", "StatySpecimens",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "staty",
      dependencies: ["StatyCommand", "StatyGallery", "StatyReplay", "StatySpecimens"],
      swiftSettings: strict),
    .executableTarget(
      name: "staty-bench",
      dependencies: [
        "Staty", "StatyHistory", "StatyOrders", "StatyReading", "StatyRecorder", "StatyReplay",
        "StatyRules", "StatySQLite",
      ],
      swiftSettings: strict),
    // Random numbers with a seed, for all tests.
    .target(name: "Chance", dependencies: ["LibC"], path: "Tests/Chance", swiftSettings: strict),
    .testTarget(
      name: "StatyTests", dependencies: ["Chance", "LibC", "Staty"], swiftSettings: strict),
    .executableTarget(
      name: "RingProbe", dependencies: ["CStatyRing", "LibC", "Staty", "StatyRecorder"],
      path: "Tests/RingProbe", swiftSettings: strict),
    .executableTarget(
      name: "RecorderProbe", dependencies: ["Staty", "StatyRecorder"],
      path: "Tests/RecorderProbe", swiftSettings: strict),
    .target(name: "CFaults", path: "Tests/CFaults"),
    .testTarget(
      name: "StatySQLiteTests", dependencies: ["CFaults", "CSQLite", "StatySQLite"],
      swiftSettings: strict),
    .executableTarget(
      name: "FaultProbe",
      dependencies: [
        "CFaults", "Chance", "CSQLite", "Staty", "StatyHistory", "StatyReading", "StatyRecorder",
        "StatySQLite",
      ],
      path: "Tests/FaultProbe", swiftSettings: strict),
    .testTarget(
      name: "StatyRecorderTests",
      dependencies: [
        "Chance", "CStatyRing", "StatyRecorder", "RingProbe", "RecorderProbe", "FaultProbe",
        "Staty", "StatyHistory", "StatyReading", "StatyReplay", "StatyRules", "StatySQLite",
      ],
      swiftSettings: strict),
    .target(
      name: "StatisticsOracle",
      dependencies: ["Staty", "StatyHistory", "StatyReading", "StatySQLite"],
      path: "Tests/StatisticsOracle", swiftSettings: strict),
    .testTarget(
      name: "StatyReplayTests",
      dependencies: [
        "Chance", "CStatyRing", "StatisticsOracle",
        "StatyReplay", "StatyRecorder", "StatyReport", "StatyRules", "Staty", "StatyHistory",
        "StatyReading", "StatySQLite", "StatyTesting",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "StatySpecimensTests",
      dependencies: [
        "Chance", "StatisticsOracle",
        "StatySpecimens", "StatyReplay", "StatyRules", "StatyRecorder", "Staty", "StatyHistory",
        "StatyReading",
        "StatySQLite",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "MigrationsTests", dependencies: ["Migrations", "StatySQLite"], swiftSettings: strict),
    .testTarget(
      name: "StatyHistoryTests",
      dependencies: [
        "CSQLite", "Chance", "StatisticsOracle", "StatyHistory", "StatyReading", "Migrations",
        "StatySQLite",
        "Staty",
      ],
      exclude: ["Golden"],
      swiftSettings: strict),
    .testTarget(
      name: "StatyRulesTests",
      dependencies: [
        "Chance", "StatisticsOracle", "StatyRules", "StatyHistory", "StatyReading", "StatySQLite",
        "Staty",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "StatyTestingTests",
      dependencies: [
        "StatyTesting", "StatySpecimens", "StatyRecorder", "StatyReplay", "StatyRules",
        "StatyHistory", "StatyReading", "Staty",
      ],
      exclude: ["Golden", "Histories"],
      swiftSettings: strict),
    .testTarget(
      name: "StatyOrdersTests",
      dependencies: [
        "COrders", "Staty", "StatyHistory", "StatyOrders", "StatyReading", "StatyRecorder",
        "StatyTesting",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "BoundedProbe", dependencies: ["LibC"], path: "Tests/BoundedProbe",
      swiftSettings: strict),
    .testTarget(
      name: "StatyCommandTests",
      dependencies: [
        "BoundedProbe", "CStatyRing", "Chance", "LibC", "StatisticsOracle", "StatyCommand", "staty",
        "staty-bench", "StatyHistory", "StatyReading",
        "StatyRules", "StatyGallery", "StatyRecorder", "StatyReplay", "StatyReport",
        "StatySpecimens", "StatySQLite", "StatyText", "Staty",
      ],
      exclude: ["Golden"], swiftSettings: strict),
    // Three small apps with tracks, written as a user of this package would.
    .testTarget(
      name: "StatyGalleryTests",
      dependencies: [
        "Basket", "Chance", "Feed", "Gallery", "LibC", "Staty", "StatyGallery", "StatyHistory",
        "StatyReading", "StatyRecorder",
        "StatyReplay", "StatyRules", "StatyTesting",
      ],
      swiftSettings: strict),
    .target(
      name: "Feed", dependencies: ["Staty", "StatyReplay"], path: "Tests/FeedApp/Feed",
      swiftSettings: strict),
    .testTarget(
      name: "FeedTests", dependencies: ["Feed", "StatyRecorder", "StatyTesting"],
      path: "Tests/FeedApp/FeedTests", swiftSettings: strict),
    .target(
      name: "Basket", dependencies: ["Staty", "StatyReplay"], path: "Tests/BasketApp/Basket",
      swiftSettings: strict),
    .testTarget(
      name: "BasketTests", dependencies: ["Basket", "StatyRecorder", "StatyTesting"],
      path: "Tests/BasketApp/BasketTests", swiftSettings: strict),
    .target(
      name: "Gallery", dependencies: ["Staty", "StatyReplay"], path: "Tests/GalleryApp/Gallery",
      swiftSettings: strict),
    .testTarget(
      name: "GalleryTests", dependencies: ["Gallery", "StatyRecorder", "StatyTesting"],
      path: "Tests/GalleryApp/GalleryTests", swiftSettings: strict),
    // The command-line tool for these apps.
    .executableTarget(
      name: "apps-tool",
      dependencies: [
        "Basket", "Feed", "Gallery", "StatyCommand", "StatyRecorder", "StatyReplay",
      ],
      path: "Tests/AppsTool/apps-tool", swiftSettings: strict),
    .testTarget(
      name: "AppsToolTests", dependencies: ["apps-tool"], path: "Tests/AppsTool/AppsToolTests",
      swiftSettings: strict),
    // Each way in which untrusted bytes enter. The tests replay a corpus for each, and the fuzzer searches for
    // more inputs.
    .target(
      name: "Doors",
      dependencies: [
        "CStatyRing", "StatyCommand", "StatyHistory", "StatyReading", "StatyRecorder",
        "StatyReplay",
      ],
      path: "Tests/Doors", swiftSettings: strict),
    .testTarget(
      name: "DoorsTests", dependencies: ["Chance", "Doors"], exclude: ["Corpus"],
      swiftSettings: strict),
  ]
)

// A program that links the testing libraries. This works without further settings only on Linux.
#if os(Linux)
  package.targets.append(
    .executableTarget(
      name: "OutsideProbe", dependencies: ["StatyTesting"], path: "Tests/OutsideProbe",
      swiftSettings: strict))
  package.targets.first { $0.name == "StatyTestingTests" }?.dependencies.append("OutsideProbe")
#endif

if uikitDouble == "only" {
  // The tests of the double do not need these, and they take longest to build.
  let others = ["StatyReport", "StatyTesting", "StatyCommand", "StatisticsOracle", "Doors"]
  package.targets.removeAll {
    $0.type == .test || $0.type == .executable || others.contains($0.name)
  }
  package.products.removeAll { others.contains($0.name) || $0 is Product.Executable }
}

if hasUIKitDouble {
  package.targets += [
    .target(
      name: "UIKit", path: "Tests/UIKitDouble", exclude: ["Ledger.md"], swiftSettings: strict),
    .target(name: "_Testing_UIKit", path: "Tests/UIKitTestingOverlay", swiftSettings: strict),
    // View controllers as in apps. The double must compile them without changes.
    .target(
      name: "Style2019", dependencies: ["UIKit"], path: "Tests/UIKitStyles/Style2019",
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .target(
      name: "StyleSwift6", dependencies: ["UIKit"], path: "Tests/UIKitStyles/StyleSwift6"),
    .testTarget(
      name: "UIKitDoubleTests",
      dependencies: ["Style2019", "StyleSwift6", "UIKit", "_Testing_UIKit"], swiftSettings: strict),
    .executableTarget(
      name: "SeedExamples",
      dependencies: ["StatyUIKit", "Staty", "StatyRecorder", "StatySpecimens", "UIKit"],
      path: "Tests/SeedExamples", swiftSettings: strict),
    .testTarget(
      name: "StatyUIKitTests",
      dependencies: [
        "Chance", "StatyUIKit", "Staty", "StatyHistory", "StatyReading", "StatyRecorder",
        "StatyReplay",
        "StatyRules", "UIKit", "_Testing_UIKit",
      ],
      exclude: ["Seeds.md"], swiftSettings: strict),
  ]
}

if fuzzes {
  let sanitizers = ["-sanitize=fuzzer,address"]
  package.targets.append(
    .executableTarget(
      name: "fuzz", dependencies: ["Doors", "LibC"], path: "Tests/Fuzz",
      swiftSettings: strict + [.unsafeFlags(sanitizers)],
      linkerSettings: [.unsafeFlags(sanitizers + ["-use-ld=lld"])]))
}
