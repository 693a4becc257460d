import Foundation
@preconcurrency import Rehearsal

/// What arguments and values of results are made of: JSON, with integers told apart from other numbers. Literals stand for themselves.
public enum ActionValue: Sendable, Hashable {
    /// Nothing.
    case null
    /// A truth value.
    case bool(Bool)
    /// An integer.
    case int(Int64)
    /// An integer above that what an `Int64` holds.
    case uint(UInt64)
    /// A number that is no integer.
    case double(Double)
    /// A text.
    case string(String)
    /// A list of values.
    case list([ActionValue])
    /// Values under names.
    case object([String: ActionValue])

    /// The truth value, or nil for everything else.
    public var bool: Bool? { if case .bool(let value) = self { return value } else { return nil } }

    /// The integer, or nil for everything else.
    public var int: Int64? { if case .int(let value) = self { return value } else { return nil } }

    /// The number, or nil for everything else.
    public var double: Double? {
        switch self {
        case .int(let value): return Double(value)
        case .uint(let value): return Double(value)
        case .double(let value): return value
        default: return nil
        }
    }

    /// The text, or nil for everything else.
    public var string: String? { if case .string(let value) = self { return value } else { return nil } }

    /// The list, or nil for everything else.
    public var list: [ActionValue]? { if case .list(let value) = self { return value } else { return nil } }

    /// The object, or nil for everything else.
    public var object: [String: ActionValue]? { if case .object(let value) = self { return value } else { return nil } }
}

extension ActionValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringInterpolation, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    /// `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// An integer.
    public init(integerLiteral value: Int64) { self = .int(value) }
    /// A number with a point.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// A text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A list of values.
    public init(arrayLiteral elements: ActionValue...) { self = .list(elements) }
    /// The last one of two equal keys counts.
    public init(dictionaryLiteral elements: (String, ActionValue)...) { self = .object(Dictionary(elements) { $1 }) }
}

extension ActionValue {
    /// Encodes a value. It throws what the value's own encoding throws.
    public init<Value: Encodable>(encoding value: Value) throws {
        // In a list, since a value alone was no JSON to older encoders.
        let text = String(decoding: try JSONEncoder().encode([value]), as: UTF8.self)
        var error: NSError?
        guard let list = RHActionsValueFromJSON(text, &error)?.asList() else {
            throw error ?? ActionError(.invalidArguments, "the encoded value cannot be read")
        }
        self = ActionValue(list.at(0)) ?? .null
    }

    /// Decodes a value. It throws what the type's own decoding throws.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        var error: NSError?
        let text = ActionValue.list([self]).bridged()?.json(&error) ?? ""
        if let error { throw error }
        return try JSONDecoder().decode([Value].self, from: Data(text.utf8))[0]
    }
}

extension ActionValue {
    /// What an action has given, or nil for nothing.
    init?<Output>(output: Output) throws {
        switch output {
        case is Void: return nil
        case let value as ActionValue: self = value
        case let value as String: self = .string(value)
        case let members as [String: ActionValue]: self = .object(members)
        case let values as [ActionValue]: self = .list(values)
        case let value as any AnyOptional where value.isNil: return nil
        case let value as any Encodable: self = try ActionValue(encoding: value)
        default: throw ActionError(.failed, "a \(Output.self) cannot be the value of a result: an ActionValue or a type that is Encodable is required")
        }
    }

    /// What came over the bridge, or nil for nothing.
    init?(_ value: RHActionsValue?) {
        guard let value else { return nil }
        switch value.type() {
        case RHActionsTypeNull: self = .null
        case RHActionsTypeBool: self = .bool(value.asBool(false))
        case RHActionsTypeInt64: self = .int(value.asInt64(0))
        case RHActionsTypeUint64: self = .uint(UInt64(value.json(nil)) ?? 0)
        case RHActionsTypeDouble: self = .double(value.asDouble(0))
        case RHActionsTypeString: self = .string(value.asString(""))
        case RHActionsTypeList: self = .list(value.asList().map { list in (0..<list.count()).map { ActionValue(list.at($0)) ?? .null } } ?? [])
        case RHActionsTypeArguments: self = .object(value.asArguments().map(members(of:)) ?? [:])
        default: return nil
        }
    }

    /// What crosses the bridge.
    func bridged() -> RHActionsValue? {
        switch self {
        case .null: return RHActionsNullValue()
        case .bool(let value): return RHActionsBoolValue(value)
        case .int(let value): return RHActionsInt64Value(value)
        case .uint(let value): return RHActionsValueFromJSON(String(value), nil)
        case .double(let value): return RHActionsDoubleValue(value)
        case .string(let value): return RHActionsStringValue(value)
        case .list(let values):
            let list = RHActionsNewArgumentList()
            for value in values { list?.add(value.bridged()) }
            return RHActionsListValue(list)
        case .object(let members): return RHActionsArgumentsValue(members.bridged())
        }
    }
}

extension Dictionary where Key == String, Value == ActionValue {
    /// What crosses the bridge.
    func bridged() -> RHActionsArguments? {
        let arguments = RHActionsNewArguments()
        for (key, value) in self { arguments?.setValue(key, value: value.bridged()) }
        return arguments
    }
}

/// What came over the bridge.
func members(of arguments: RHActionsArguments) -> [String: ActionValue] {
    guard let keys = arguments.keys() else { return [:] }
    var members: [String: ActionValue] = [:]
    for position in 0..<keys.count() {
        members[keys.at(position)] = ActionValue(arguments.getValue(keys.at(position)))
    }
    return members
}

private protocol AnyOptional {
    var isNil: Bool { get }
}

extension Optional: AnyOptional {
    fileprivate var isNil: Bool { if case .none = self { return true } else { return false } }
}
