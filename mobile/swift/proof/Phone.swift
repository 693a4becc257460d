import Foundation
@preconcurrency import Rehearsal

/// What a host or an action of a test fails with.
struct Failure: LocalizedError {
    let errorDescription: String?

    init(_ text: String) { errorDescription = text }
}

/// A host that notes what is done to it and answers at once, as a vector wants it.
final class Phone: NSObject, RHActionsDismissHostProtocol, RHActionsLinkHostProtocol, RHActionsLinkInterceptorProtocol, RHActionsNotificationHostProtocol,
    RHActionsSettingsHostProtocol, RHActionsClipboardHostProtocol, RHActionsReviewHostProtocol, RHActionsTrackingHostProtocol,
    RHActionsUserDataHostProtocol {
    let effects = RHActionsNewArgumentList()!
    private let spec: RHActionsArguments

    init(_ spec: RHActionsArguments) { self.spec = spec }

    func install(_ registry: RHActionsRegistry) {
        let without = spec.getList("without")!
        let missing = Set((0..<without.count()).map { without.at($0)!.asString("") })
        if !missing.contains("dismisser") { registry.setDismisser(self) }
        if !missing.contains("link_opener") { registry.setLinkOpener(self) }
        if !missing.contains("notifications") { registry.setNotifications(self) }
        if !missing.contains("settings") { registry.setSettings(self) }
        if !missing.contains("clipboard") { registry.setClipboard(self) }
        if !missing.contains("reviewer") { registry.setReviewer(self) }
        if !missing.contains("tracking") { registry.setTracking(self) }
        if !missing.contains("user_data") { registry.setUserData(self) }
        if interceptor != "" { registry.setLinkInterceptor(self) }
    }

    private var interceptor: String { spec.getString("interceptor", fallback: "") }
    private var notifications: String { spec.getString("notifications", fallback: "") }
    private var tracking: String { spec.getString("tracking", fallback: "") }

    private func effect(_ name: String, _ members: KeyValuePairs<String, String?> = [:]) -> RHActionsArguments {
        let effect = RHActionsNewArguments()!
        effect.setString("host", value: name)
        for (key, value) in members { effect.setString(key, value: value) }
        return effect
    }

    /// Tells whether a capability has an effect, which it has not where it refuses.
    private func works(_ capability: String, blocked: () -> Void) throws -> Bool {
        switch spec.getArguments("refuse")?.getString(capability, fallback: "") {
        case "blocked": blocked()
        case "failed": throw Failure("refused by the host")
        default: return true
        }
        return false
    }

    private func work(_ capability: String, _ completion: RHActionsCompletion?, _ effect: RHActionsArguments?) throws {
        if try works(capability, blocked: { completion?.blocked("refused by the platform") }) {
            effects.add(effect)
            completion?.succeed()
        }
    }

    private func prompt(_ capability: String, _ completion: RHActionsPermissionCompletion?, _ permission: String, _ effect: RHActionsArguments) throws {
        if try works(capability, blocked: { completion?.blocked("refused by the platform") }) {
            effects.add(effect)
            completion?.answer(permission)
        }
    }

    func dismiss(_ completion: RHActionsCompletion?) throws { try work("dismisser", completion, effect("dismiss")) }

    func openLink(_ url: String?, inApp: Bool, completion: RHActionsCompletion?) throws {
        let effect = effect("link.open", ["url": url])
        effect.setBool("in_app", value: inApp)
        try work("link_opener", completion, effect)
    }

    func interceptLink(_ url: String?, completion: RHActionsLinkCompletion?) throws {
        effects.add(effect("interceptor", ["url": url]))
        if interceptor == "handled" { completion?.handled() } else { completion?.notHandled() }
    }

    func notificationStatus(_ completion: RHActionsPermissionCompletion?) throws { completion?.answer(notifications) }

    func requestNotifications(_ completion: RHActionsPermissionCompletion?) throws {
        try prompt("notifications", completion, notifications, effect("notifications.request"))
    }

    func openSettings(_ page: String?, completion: RHActionsCompletion?) throws {
        try work("settings", completion, effect("settings.open", ["page": page]))
    }

    func writeText(_ text: String?, completion: RHActionsCompletion?) throws {
        try work("clipboard", completion, effect("clipboard.write", ["text": text]))
    }

    func requestReview(_ completion: RHActionsCompletion?) throws { try work("reviewer", completion, effect("review.request")) }

    func trackingStatus(_ completion: RHActionsPermissionCompletion?) throws { completion?.answer(tracking) }

    func requestTracking(_ completion: RHActionsPermissionCompletion?) throws {
        try prompt("tracking", completion, tracking, effect("tracking.request"))
    }

    func addTag(_ collection: String?, tag: String?, completion: RHActionsCompletion?) throws {
        try work("user_data", completion, effect("tag.add", ["collection": collection, "tag": tag]))
    }

    func removeTag(_ collection: String?, tag: String?, completion: RHActionsCompletion?) throws {
        try work("user_data", completion, effect("tag.remove", ["collection": collection, "tag": tag]))
    }

    func trackEvent(_ event: RHActionsEvent?, completion: RHActionsCompletion?) throws {
        let effect = RHActionsArgumentsFromJSON(event?.json(nil), nil)
        effect?.setString("host", value: "event")
        try work("user_data", completion, effect)
    }
}
