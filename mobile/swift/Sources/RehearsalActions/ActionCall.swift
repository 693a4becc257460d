@preconcurrency import Rehearsal

/// One call of an action: what the code of the action sees. It may be kept, and used from any thread.
public struct ActionCall: Sendable {
    private let bridge: Box<RHActionsInvocation>

    init(_ invocation: RHActionsInvocation) { bridge = Box(invocation) }

    /// The identifier as it was registered.
    public var identifier: String { bridge.value.identifier() }

    /// The arguments; there may be none in it.
    public var arguments: [String: ActionValue] { bridge.value.arguments().map(members(of:)) ?? [:] }

    /// The arguments as a type of yours. An action that lets its error pass fails with it.
    public func decode<Arguments: Decodable>(_ type: Arguments.Type = Arguments.self) throws -> Arguments {
        try ActionValue.object(arguments).decode(type)
    }

    /// What caused the action to run.
    public var source: ActionSource {
        guard let source = bridge.value.source() else { return ActionSource() }
        return ActionSource(kind: source.kind(), payload: source.payload().map(members(of:)))
    }

    /// The position in the group that runs this action, or nil when no group does.
    public var item: Int? { bridge.value.item() < 0 ? nil : Int(bridge.value.item()) }

    /// How many performs this one is inside of.
    public var depth: Int { Int(bridge.value.depth()) }

    /// Performs another action from inside this one: those that perform each other for ever fail.
    public func perform(_ identifier: String, _ arguments: [String: ActionValue] = [:]) async -> ActionResult {
        await ActionTask(bridge.value.perform(identifier, arguments: arguments.bridged())).result
    }
}

/// What caused an action to run.
public struct ActionSource: Sendable, Hashable {
    /// "manual", "push" or any other text.
    public var kind: String
    /// What came with it, or nil.
    public var payload: [String: ActionValue]?

    /// Makes a source.
    public init(kind: String = RHActionsSourceManual, payload: [String: ActionValue]? = nil) {
        (self.kind, self.payload) = (kind, payload)
    }
}

/// Vouches for an object of the bridge, each of which may be used from any thread.
struct Box<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
