// swift-tools-version: 6.3
import PackageDescription

// An app with controllers of its own and a tool of its own, as somebody would write them who uses
// this package. It is a package apart, so that it sees nothing but what is public.

let package = Package(
  name: "OwnTool",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Staty", path: "../..")],
  targets: [
    .target(
      name: "Checkout",
      dependencies: [
        .product(name: "Staty", package: "Staty"),
        .product(name: "StatyReplay", package: "Staty"),
      ]),
    // On the main actor, as most that show something are.
    .target(
      name: "Notices",
      dependencies: [
        .product(name: "Staty", package: "Staty"),
        .product(name: "StatyReplay", package: "Staty"),
      ]),
    .executableTarget(
      name: "shop",
      dependencies: [
        "Checkout", "Notices",
        .product(name: "Staty", package: "Staty"),
        .product(name: "StatyCommand", package: "Staty"),
        .product(name: "StatyReplay", package: "Staty"),
        .product(name: "StatySpecimens", package: "Staty"),
      ]),
    .executableTarget(
      name: "record-checkout",
      dependencies: [
        "Checkout", "Notices",
        .product(name: "Staty", package: "Staty"),
        .product(name: "StatyRecorder", package: "Staty"),
      ]),
    // `.ci/generated-test` writes tests into its folder.
    .testTarget(
      name: "CheckoutTests",
      dependencies: [
        "Checkout", "Notices",
        .product(name: "StatySpecimens", package: "Staty"),
        .product(name: "StatyTesting", package: "Staty"),
      ]),
    .testTarget(
      name: "NoticesTests",
      dependencies: ["Notices", .product(name: "StatyTesting", package: "Staty")]),
  ]
)
