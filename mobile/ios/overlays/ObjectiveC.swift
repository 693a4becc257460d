// What Apple's own ObjectiveC adds in Swift, as far as the façade uses it: declarations only.
@_exported import ObjectiveC

public struct ObjCBool: ExpressibleByBooleanLiteral {
    public init(_ value: Bool) {}
    public init(booleanLiteral value: Bool) {}
    public var boolValue: Bool { fatalError() }
}

public func _convertBoolToObjCBool(_ value: Bool) -> ObjCBool { fatalError() }
public func _convertObjCBoolToBool(_ value: ObjCBool) -> Bool { fatalError() }
