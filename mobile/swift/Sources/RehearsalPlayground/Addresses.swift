import Foundation

/// The addresses by which a server may be reached: the one that was given, and this computer, which is a simulator's own.
final class Addresses: @unchecked Sendable {
    /// What an app says of plain HTTP and of the local network, in a debug build.
    static let transport = """
        <key>NSAppTransportSecurity</key>
        <dict>
            <key>NSAllowsLocalNetworking</key>
            <true/>
        </dict>
        """
    static let local = """
        <key>NSLocalNetworkUsageDescription</key>
        <string>Debug builds join a playground on this network.</string>
        """

    private let bases: [String]
    private let state = NSCondition()
    /// By address, what came of the last attempt: nil when it answers.
    private var outcomes: [String: String?] = [:]
    private var forbidden = ""

    init(_ given: String?) {
        var base = given.flatMap { $0.isEmpty ? nil : $0 } ?? "http://127.0.0.1:8080"
        if !base.contains("://") { base = "http://" + base }
        while base.hasSuffix("/") { base.removeLast() }
        let port = URL(string: base)?.port ?? 80
        let own = "http://127.0.0.1:\(port)"
        bases = base == own ? [base] : [base, own]
    }

    /// Asks all addresses at once, and gives the first in their order that answers within the limit, or nil.
    func find(_ limit: TimeInterval) -> String? {
        state.lock()
        defer { state.unlock() }
        outcomes = [:]
        for base in bases {
            Thread.detachNewThread { [self] in
                let answer = Exchange(base + "/join", limit: limit).wait()
                state.lock()
                outcomes.updateValue(told(answer), forKey: base)
                state.broadcast()
                state.unlock()
            }
        }
        let end = Date(timeIntervalSinceNow: limit)
        while outcomes.count < bases.count, outcomes[bases[0]] != .some(nil), state.wait(until: end) {}
        return bases.first { outcomes[$0] == .some(nil) }
    }

    /// Gives what is wrong with an answer, or nil. The lock is held.
    private func told(_ answer: Answer) -> String? {
        switch answer.code {
        case 0: return answer.status == 200 ? nil : "another program answers there (\(answer.status)), or an older server"
        case -1022: // NSURLErrorAppTransportSecurityRequiresSecureConnection
            forbidden = Self.transport
            return "this build forbids plain HTTP"
        case _ where answer.why.contains("Local network prohibited"):
            forbidden = Self.local
            return "the user, or this build, forbids the local network: allow it in the Settings app, too"
        case -1001: return "no answer: another network, or a firewall"
        case -1003: return "the name is not known here: give the number instead"
        case -1004: return "nothing listens there"
        case -1000, -1002: return "this is no address; one is http://192.168.1.5:8080"
        default: return answer.why
        }
    }

    /// Says why no address answers, a sentence for each, and what to do next.
    func why() -> String {
        state.lock()
        defer { state.unlock() }
        let lines = bases.map { "\n  \($0): \((outcomes[$0] ?? "no answer yet") ?? "it answers")." }
        let next = forbidden.isEmpty
            ? "start mockserver serve; for another device serve --lan, and give the address and code of its page (Connect an app)."
            : "say this in the Info.plist of the debug build:\n" + forbidden
        return "Playground: no server was found, and it is tried again." + lines.joined() + "\nNext: " + next
    }
}
