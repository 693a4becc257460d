import Dispatch
import Foundation
@preconcurrency import Rehearsal

/// The actions of an app, for Swift. It wraps `bridge`, which stays usable beside it: hosts are installed there. Everything here may be
/// called from any thread.
public final class ActionRegistry: @unchecked Sendable {
    /// The registry that this one wraps.
    public let bridge: RHActionsRegistry
    let userDataTurns = Turns(), hangTurns = Turns()

    /// Wraps a registry, such as one that was made with the options of a host.
    public init(_ bridge: RHActionsRegistry) { self.bridge = bridge }

    /// Makes a registry with options, or with those of the bridge.
    public convenience init(options: RHActionsOptions? = nil) {
        guard let bridge = RHActionsNewRegistry(options) else { preconditionFailure("the library of actions made no registry") }
        self.init(bridge)
    }

    /// Registers an action. What it gives is the value of its result: nothing, an `ActionValue`, or whatever can be encoded. It fails by
    /// throwing.
    @discardableResult
    public func register<Output>(
        _ identifier: String, on place: ActionPlace = .caller, _ action: @escaping @Sendable (ActionCall) throws -> Output
    ) throws -> ActionRegistration {
        try register(identifier, on: place, as: Closure { invocation in
            invocation.setValue(try ActionValue(output: try action(ActionCall(invocation)))?.bridged())
        })
    }

    /// Registers an action that is a task of its own, `@MainActor` where the closure says so. Canceling what was asked for cancels the
    /// task; the time limit of the options ends the action, but not the task.
    @discardableResult
    public func registerAsync<Output>(
        _ identifier: String, _ action: @escaping @Sendable (ActionCall) async throws -> Output
    ) throws -> ActionRegistration {
        try register(identifier, on: .caller, as: Closure { invocation in
            guard let completion = invocation.later().map(Box.init) else { return }
            let call = ActionCall(invocation)
            let task = Task {
                do {
                    completion.value.succeed(with: try ActionValue(output: try await action(call))?.bridged())
                } catch {
                    completion.value.fail(error.localizedDescription)
                }
            }
            completion.value.setCancelListener(Canceled { task.cancel() })
        })
    }

    /// Removes an action, and tells whether there was one.
    @discardableResult
    public func unregister(_ identifier: String) throws -> Bool {
        var removed: ObjCBool = false
        do {
            try bridge.unregister(identifier, removed: &removed)
        } catch {
            throw ActionRefusal(error)
        }
        return removed.boolValue
    }

    /// The registered identifiers, without the built-ins.
    public var identifiers: [String] { bridge.list().map { list in (0..<list.count()).map { list.at($0) } } ?? [] }

    /// Delivers what was triggered earlier; from now on triggers run at once.
    public func start() { bridge.start() }

    /// Performs an action here, and gives its result when it has ended. Canceling the task that waits cancels the action.
    public func perform(_ identifier: String, _ arguments: [String: ActionValue] = [:]) async -> ActionResult {
        await begin(identifier, arguments).result
    }

    /// Performs an action with arguments of a type of yours. It throws what their encoding throws, and nothing else.
    public func perform<Arguments: Encodable>(_ identifier: String, encoding arguments: Arguments) async throws -> ActionResult {
        guard case .object(let members) = try ActionValue(encoding: arguments) else {
            throw ActionError(.invalidArguments, "arguments are an object, \(Arguments.self) encodes as something else")
        }
        return await perform(identifier, members)
    }

    /// Performs an action here, and does not wait.
    public func begin(_ identifier: String, _ arguments: [String: ActionValue] = [:]) -> ActionTask {
        ActionTask(bridge.perform(identifier, arguments: arguments.bridged()))
    }

    /// Performs an action in the background, and does not wait.
    public func beginInBackground(_ identifier: String, _ arguments: [String: ActionValue] = [:]) -> ActionTask {
        ActionTask(bridge.performAsync(identifier, arguments: arguments.bridged(), listener: nil))
    }

    /// Runs an action that something outside of the app has asked for. Before `start` it is held.
    @discardableResult
    public func trigger(_ identifier: String, _ arguments: [String: ActionValue] = [:], source: ActionSource = ActionSource()) -> ActionTask {
        let source = RHActionsNewSource(source.kind, source.payload?.bridged())
        return ActionTask(bridge.trigger(identifier, arguments: arguments.bridged(), source: source))
    }

    /// Gives every reason why `perform` would refuse these arguments.
    public func validate(_ identifier: String, _ arguments: [String: ActionValue] = [:]) -> [ActionProblem] {
        guard let list = bridge.validate(identifier, arguments: arguments.bridged()) else { return [] }
        return (0..<list.count()).compactMap { list.at($0) }.map { ActionProblem(pointer: $0.pointer(), message: $0.message()) }
    }

    /// Says whether an action can do anything here and now.
    public func capability(_ identifier: String) -> ActionCapability { ActionCapability(rawValue: bridge.capability(identifier)) ?? .unsupported }

    private func register(_ identifier: String, on place: ActionPlace, as action: Closure) throws -> ActionRegistration {
        do {
            if place.isCaller { return ActionRegistration(try bridge.register(identifier, action: action)) }
            return ActionRegistration(try bridge.register(on: identifier, action: action, executor: place.executor))
        } catch {
            throw ActionRefusal(error)
        }
    }
}

/// One registered action.
public struct ActionRegistration: Sendable {
    private let bridge: Box<RHActionsRegistration>

    init(_ registration: RHActionsRegistration) { bridge = Box(registration) }

    /// The identifier as it was registered.
    public var identifier: String { bridge.value.identifier() }

    /// Whether the identifier still stands for this registration.
    public var isActive: Bool { bridge.value.isActive() }

    /// Removes this registration, and never a newer one of the same identifier. It tells whether it did.
    @discardableResult
    public func unregister() -> Bool { bridge.value.unregister() }
}

/// Whether an action can do anything here and now.
public enum ActionCapability: String, Sendable {
    /// It can.
    case available
    /// It can, right after the user has tapped something.
    case needsGesture = "needs_gesture"
    /// It cannot.
    case unsupported
}

/// One reason for refusing arguments.
public struct ActionProblem: Sendable, Hashable {
    /// A JSON Pointer to what it is about.
    public let pointer: String
    /// One sentence for a person.
    public let message: String
}

/// Makes an action of a closure.
private final class Closure: NSObject, RHActionsActionProtocol {
    private let body: @Sendable (RHActionsInvocation) throws -> Void

    init(_ body: @escaping @Sendable (RHActionsInvocation) throws -> Void) { self.body = body }

    func perform(_ invocation: RHActionsInvocation?) throws {
        if let invocation { try body(invocation) }
    }
}

/// Makes a listener to a cancellation of a closure.
private final class Canceled: NSObject, RHActionsCancelListenerProtocol {
    private let told: @Sendable () -> Void

    init(_ told: @escaping @Sendable () -> Void) { self.told = told }

    func onCancel() throws { told() }
}
