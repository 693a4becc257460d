import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
@preconcurrency import Rehearsal

/// Joins an app to the playground of a mock server, so that its page and tests perform actions on it and see what it performs. It is for
/// debug builds, and does nothing in others. Network and waiting are on two threads of its own; no perform waits for them.
#if canImport(ObjectiveC)
@objc(RHPlayground) @objcMembers
#endif
public final class Playground: NSObject, @unchecked Sendable {
    /// In seconds: the limit of both parts of the first attempt, and of a request; pauses; the silence after which a stream is dead.
    private static let first = 1.4, limit = 5.0, shortest = 0.5, longest = 10.0, silence = 15.0
    private static let kept = "io.github.rehearsalsdk.playground.instance"

    private let link: RHActionsPlaygroundLink?
    private let name: String, code: String?, log: (String) -> Void
    private let addresses: Addresses
    private let state = NSCondition()
    // Guarded by the condition. The first is where the app has joined, or nil.
    private var joined: String?
    private var token = "", said = "", heartbeat: Int64 = 5_000, over = false, leaving = false

    private init(_ registry: RHActionsRegistry, _ url: String?, _ code: String?, _ name: String, _ allowed: Bool, _ log: @escaping (String) -> Void) {
        link = allowed ? registry.playgroundLink() : nil
        addresses = Addresses(url)
        (self.code, self.name, self.log) = (code, name, log)
        super.init()
    }

    /// Joins. The url is that of the server, such as "http://192.168.1.5:8080", or nil for this computer's; the code is the one that the page
    /// shows, or nil in a simulator on the computer of the server.
    @discardableResult
    public static func join(_ registry: RHActionsRegistry, url: String?, code: String?) -> Playground {
        join(registry, url: url, code: code, name: nil, alsoInReleaseBuilds: false) { NSLog("%@", NSString(string: $0)) }
    }

    /// Joins under another name than the app's, with a log of its own. In release builds everybody who knows the code then performs actions.
    @discardableResult
    public static func join(_ registry: RHActionsRegistry, url: String?, code: String?, name: String?, alsoInReleaseBuilds: Bool,
                            log: @escaping (String) -> Void) -> Playground {
        #if DEBUG
        let allowed = true
        #else
        let allowed = alsoInReleaseBuilds
        #endif
        let app = Bundle.main.object(forInfoDictionaryKey: "CFBundleName") as? String ?? "app"
        let playground = Playground(registry, url, code, name ?? app, allowed, log)
        if allowed {
            Thread.detachNewThread { playground.listen() }
            Thread.detachNewThread { playground.post() }
        } else {
            log("Playground: not joined, since this is no debug build. The parameter alsoInReleaseBuilds allows it.")
        }
        return playground
    }

    /// Tells the playground what an action is: an object of JSON with "title", "sample" (arguments) and "schema" (of arguments).
    public func describe(_ identifier: String, json: String) throws { try link?.describe(identifier, description: json) }

    /// Whether the app has joined now.
    public var isJoined: Bool { locked { joined != nil } }

    /// Leaves. It does not wait.
    public func leave() {
        locked { leaving = true }
        link?.close()
    }

    private func locked<T>(_ body: () -> T) -> T {
        state.lock()
        defer { state.unlock() }
        return body()
    }

    /// Joins, and listens for calls, again and again.
    private func listen() {
        var pause = Self.shortest, limit = Self.first
        while !locked({ over }) {
            if isJoined || attempt(limit), receive() { pause = Self.shortest }
            Thread.sleep(forTimeInterval: pause)
            (pause, limit) = (min(2 * pause, Self.longest), Self.limit)
        }
    }

    /// Joins by the first address that answers, or says why there is none.
    private func attempt(_ limit: TimeInterval) -> Bool {
        guard let base = addresses.find(limit) else {
            say(addresses.why())
            return false
        }
        let instance = UserDefaults.standard.string(forKey: Self.kept) ?? UUID().uuidString
        UserDefaults.standard.set(instance, forKey: Self.kept)
        let about = RHActionsArguments()
        let version = Bundle.main.object(forInfoDictionaryKey: "CFBundleShortVersionString") as? String ?? ""
        for (key, value) in ["instance": instance, "name": name, "platform": "ios", "version": version] { about?.setString(key, value: value) }
        if let code { about?.setString("code", value: code) }
        let answer = Exchange(base + "/_mock/hosts", limit: limit, body: link?.hello(about?.json(nil), error: nil) ?? "").wait()
        let read = RHActionsArgumentsFromJSON(answer.body, nil)
        guard answer.status == 201, let read else {
            say("Playground: \(base) refused this app (\(answer.status)): "
                + (read?.getString("message", fallback: "") ?? "is it a mock server of this version?"))
            if answer.status == 400 || answer.status == 401 {
                end("it would be refused again. Start it anew with the code that the page shows now.")
            }
            return false
        }
        locked {
            token = read.getString("token", fallback: "")
            joined = base + "/_mock/hosts/" + read.getString("id", fallback: "")
            heartbeat = 1_000 * max(1, read.getInt64("heartbeat_seconds", fallback: 5))
            state.broadcast()
        }
        say("Playground: joined \(base) as \"\(name)\".")
        return true
    }

    /// Reads the stream of calls until it ends, and tells whether it had begun.
    private func receive() -> Bool {
        let (at, token) = locked { (joined, self.token) }
        guard let at else { return false }
        var event = "", data = ""
        let answer = Exchange(at + "/calls", limit: Self.silence, token: token) { [self] line in
            if line.hasPrefix("event:") {
                event = String(line.dropFirst(6)).trimmingCharacters(in: .whitespaces)
            } else if line.hasPrefix("data:") {
                data += String(line.dropFirst(5)).trimmingCharacters(in: .whitespaces)
            } else if line.isEmpty {
                switch event {
                case "replaced": end("another app joined as this one. Give one of them another name.")
                case "removed": end("it was removed on the page.")
                default: link?.receive(event, data: data)
                }
                (event, data) = ("", "")
            }
            return locked { joined == at }
        }.wait()
        return !rejected(answer.status) && answer.status == 200
    }

    /// Posts what there is to tell. A post that fails is tried again; the link bounds what waits meanwhile.
    private func post() {
        while let body = waiting() {
            var pause = Self.shortest
            while !locked({ over }), !posted(body), !locked({ leaving }) {
                Thread.sleep(forTimeInterval: pause)
                pause = min(2 * pause, Self.longest)
            }
        }
        let left = locked { leaving }
        if left { _ = posted(#"{"messages":[{"type":"leave"}]}"#) }
        end(left ? "it left." : "the registry was joined again.")
    }

    /// Waits until the app has joined and has something to tell; nil is the end.
    private func waiting() -> String? {
        state.lock()
        while joined == nil, !over, !leaving { state.wait() }
        let (stop, heartbeat) = (joined == nil, self.heartbeat)
        state.unlock()
        guard !stop, let body = link?.next(heartbeat), !body.isEmpty else { return nil }
        return body
    }

    private func posted(_ body: String) -> Bool {
        let (at, token) = locked { (joined, self.token) }
        guard let at else { return false }
        let status = Exchange(at + "/messages", limit: Self.limit, body: body, token: token).wait().status
        if status == 400 { say("Playground: the server does not understand this version, and missed something.") }
        return !rejected(status) && status != 0
    }

    /// Looks whether the server does not know the token (any more), or wants no more of it.
    private func rejected(_ status: Int) -> Bool {
        if status == 409 { end("another app joined as this one, or it was removed on the page.") }
        if status == 401 || status == 404 { locked { joined = nil } } // the server was started again
        return status > 400
    }

    private func end(_ why: String) {
        let last = locked { () -> Bool in
            defer { (over, joined) = (true, nil) }
            state.broadcast()
            return !over
        }
        guard last else { return }
        say("Playground: the app is not joined any more: " + why)
        link?.close()
    }

    private func say(_ line: String) {
        let before = locked { () -> Bool in
            defer { said = line }
            return said == line
        }
        if !before { log(line) }
    }
}
