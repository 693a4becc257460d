import Foundation
@preconcurrency import Rehearsal

/// What actions do to what is known of the user.
public enum UserDataEvent: Sendable, Hashable {
    /// A tag was added to a collection.
    case tagAdded(collection: String, tag: String)
    /// A tag was removed from a collection.
    case tagRemoved(collection: String, tag: String)
    /// Something happened.
    case tracked(name: String, label: String?, tags: [String], data: [String: ActionValue])
}

/// A call of the app that has not returned within the callback limit of the options.
public struct Hang: Sendable, Hashable {
    /// The identifier of an action in quotes, the method of a host, or "a listener".
    public let what: String
    /// The limit.
    public let milliseconds: Int64

    /// Makes one.
    public init(what: String, milliseconds: Int64) { (self.what, self.milliseconds) = (what, milliseconds) }
}

extension ActionRegistry {
    /// Tags and events of the user, while they are iterated over: `service.user.tag` and `service.user.event` are unsupported otherwise,
    /// and fail when 64 wait. The stream that was asked for last is the one that is told.
    public func userData() -> AsyncStream<UserDataEvent> {
        AsyncStream(bufferingPolicy: .bufferingOldest(64)) { events in
            let turn = userDataTurns.begin { bridge.setUserData(Sink(events)) }
            events.onTermination = { [self] _ in userDataTurns.end(turn) { bridge.setUserData(nil) } }
        }
    }

    /// The calls of the app that hang, while they are iterated over. The stream that was asked for last is the one that is told.
    public func hangs() -> AsyncStream<Hang> {
        AsyncStream(bufferingPolicy: .bufferingNewest(64)) { hangs in
            let turn = hangTurns.begin { bridge.setHangListener(HangSink(hangs)) }
            hangs.onTermination = { [self] _ in hangTurns.end(turn) { bridge.setHangListener(nil) } }
        }
    }
}

/// Streams that take turns: the end of one changes nothing when another has begun since.
final class Turns: @unchecked Sendable {
    private let lock = NSLock()
    private var latest = 0

    /// Begins a turn, and gives its number.
    func begin(_ set: () -> Void) -> Int {
        lock.lock()
        defer { lock.unlock() }
        latest += 1
        set()
        return latest
    }

    /// Ends a turn, unless it is over.
    func end(_ turn: Int, _ clear: () -> Void) {
        lock.lock()
        defer { lock.unlock() }
        if turn == latest { clear() }
    }
}

private final class Sink: NSObject, RHActionsUserDataHostProtocol {
    private let events: AsyncStream<UserDataEvent>.Continuation

    init(_ events: AsyncStream<UserDataEvent>.Continuation) { self.events = events }

    func addTag(_ collection: String?, tag: String?, completion: RHActionsCompletion?) throws {
        send(.tagAdded(collection: collection ?? "", tag: tag ?? ""), completion)
    }

    func removeTag(_ collection: String?, tag: String?, completion: RHActionsCompletion?) throws {
        send(.tagRemoved(collection: collection ?? "", tag: tag ?? ""), completion)
    }

    func trackEvent(_ event: RHActionsEvent?, completion: RHActionsCompletion?) throws {
        guard let event else {
            _ = completion?.fail("there is no event")
            return
        }
        let tags = event.tags().map { tags in (0..<tags.count()).map { tags.at($0) } } ?? []
        let label = event.hasLabel() ? event.label() : nil
        send(.tracked(name: event.name(), label: label, tags: tags, data: event.data().map(members(of:)) ?? [:]), completion)
    }

    private func send(_ event: UserDataEvent, _ completion: RHActionsCompletion?) {
        if case .enqueued = events.yield(event) {
            _ = completion?.succeed()
        } else {
            _ = completion?.fail("too many events wait for who iterates over them")
        }
    }
}

private final class HangSink: NSObject, RHActionsHangListenerProtocol {
    private let hangs: AsyncStream<Hang>.Continuation

    init(_ hangs: AsyncStream<Hang>.Continuation) { self.hangs = hangs }

    func onHang(_ hang: RHActionsHang?) throws {
        if let hang { hangs.yield(Hang(what: hang.what(), milliseconds: hang.milliseconds())) }
    }
}
