// swift-tools-version:5.5
// The package that `make xcframework` leaves in build/rehearsal-ios: the library, and the host for iOS.
import PackageDescription

let package = Package(
    name: "Rehearsal",
    platforms: [.iOS(.v13)],
    products: [
        .library(name: "Rehearsal", targets: ["Rehearsal", "RehearsalHost"]),
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
    ]
)
