// swift-tools-version:5.9
// The package that `make xcframework` leaves in build/rehearsal-ios: the library, the host for iOS, and what Swift adds. App extensions
// take RehearsalActions alone.
import PackageDescription

let package = Package(
    name: "Rehearsal",
    platforms: [.iOS(.v13)],
    products: [
        .library(name: "Rehearsal", targets: ["Rehearsal", "RehearsalHost"]),
        .library(name: "RehearsalActions", targets: ["RehearsalActions"]),
        .library(name: "RehearsalPlayground", targets: ["RehearsalPlayground"]), // for debug builds
    ],
    targets: [
        .binaryTarget(name: "Rehearsal", path: "Rehearsal.xcframework"),
        .target(
            name: "RehearsalHost",
            dependencies: ["Rehearsal"],
            resources: [.copy("PrivacyInfo.xcprivacy")],
            linkerSettings: [
                .linkedFramework("AppTrackingTransparency"),
                .linkedFramework("SafariServices"),
                .linkedFramework("StoreKit"),
                .linkedFramework("UIKit"),
                .linkedFramework("UserNotifications"),
            ]
        ),
        .target(name: "RehearsalPlayground", dependencies: ["Rehearsal"]),
        .target(name: "RehearsalActions", dependencies: ["Rehearsal"], resources: [.copy("PrivacyInfo.xcprivacy")]),
    ]
)
