import Rehearsal
import RehearsalHost
import RehearsalPlayground
import UIKit

/// Makes the registry when the app starts, registers its actions, and starts it: only then are triggers delivered.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    private let host = RHHost()
    private(set) var registry: RHActionsRegistry?

    func applicationDidFinishLaunching(_ application: UIApplication) {
        host.userDataSink = Notes()
        guard let registry = RHActionsRegistry(host.options()) else { return }
        host.install(in: registry)
        do {
            _ = try registry.register("say-hello", action: SayHello())
        } catch {
            print("say-hello is not registered: \(error)")
        }
        registry.start()
        #if DEBUG
        Playground.join(registry, url: nil, code: nil) // for a phone in a network: the address and the code that the page shows
        #endif
        self.registry = registry
    }
}

/// Shows the screen. Info.plist names this class.
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?

    func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions) {
        guard let scene = scene as? UIWindowScene, let registry = (UIApplication.shared.delegate as? AppDelegate)?.registry else { return }
        window = UIWindow(windowScene: scene)
        window?.rootViewController = ResultsViewController(registry: registry)
        window?.makeKeyAndVisible()
    }
}

/// What an action of the sample may fail with.
enum SampleError: Error {
    case nobodyToGreet
}

/// An action of the app's own.
final class SayHello: NSObject, RHActionsActionProtocol {
    func perform(_ invocation: RHActionsInvocation?) throws {
        guard let invocation = invocation, let name = invocation.arguments()?.getString("name", fallback: ""), !name.isEmpty else {
            throw SampleError.nobodyToGreet
        }
        invocation.setValue(RHActionsStringValue("Hello, \(name)!"))
    }
}

/// Stands in for whatever an app sends tags and events to.
final class Notes: NSObject, RHUserDataSink {
    func addTag(_ tag: String, toCollection collection: String) throws {
        print("added \(tag) to \(collection)")
    }

    func removeTag(_ tag: String, fromCollection collection: String) throws {
        print("removed \(tag) from \(collection)")
    }

    func trackEvent(_ event: RHActionsEvent) throws {
        print("event \(event.json(nil))")
    }
}
