// What Apple's own Foundation adds in Swift to its Objective-C, as far as the façade and the samples use it: declarations only.
@_exported import Foundation

extension NSError: Error {}

extension Error {
    public var localizedDescription: String { fatalError() }
}

public protocol LocalizedError: Error {
    var errorDescription: String? { get }
}

extension String: _ObjectiveCBridgeable {
    public typealias _ObjectiveCType = NSString
    public func _bridgeToObjectiveC() -> NSString { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ source: NSString, result: inout String?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSString, result: inout String?) -> Bool { fatalError() }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSString?) -> String { fatalError() }
}

public struct Data: Sendable, Hashable, RandomAccessCollection {
    public init<Bytes: Sequence>(_ elements: Bytes) where Bytes.Element == UInt8 {}
    public var startIndex: Int { fatalError() }
    public var endIndex: Int { fatalError() }
    public subscript(position: Int) -> UInt8 { fatalError() }
}

open class JSONEncoder {
    public init() {}
    open func encode<T>(_ value: T) throws -> Data where T: Encodable { fatalError() }
}

open class JSONDecoder {
    public init() {}
    open func decode<T>(_ type: T.Type, from data: Data) throws -> T where T: Decodable { fatalError() }
}
