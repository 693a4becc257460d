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

public typealias TimeInterval = Double

/// What a class of Objective-C is in Swift.
public protocol _Bridged: _ObjectiveCBridgeable {}

extension _Bridged {
    public func _bridgeToObjectiveC() -> _ObjectiveCType { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ source: _ObjectiveCType, result: inout Self?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ source: _ObjectiveCType, result: inout Self?) -> Bool { fatalError() }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: _ObjectiveCType?) -> Self { fatalError() }
}

public struct URL: _Bridged, Sendable {
    public typealias _ObjectiveCType = NSURL
    public init?(string: String) {}
    public var host: String? { fatalError() }
    public var port: Int? { fatalError() }
}

public struct URLRequest: _Bridged, Sendable {
    public typealias _ObjectiveCType = NSURLRequest
    public init(url: URL) {}
    public var timeoutInterval: TimeInterval
    public var httpMethod: String?
    public var httpBody: Data?
    public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) {}
}

public struct Date: _Bridged, Sendable {
    public typealias _ObjectiveCType = NSDate
    public init(timeIntervalSinceNow: TimeInterval) {}
}

public struct UUID: Sendable {
    public init() {}
    public var uuidString: String { fatalError() }
}

public struct CharacterSet: Sendable {
    public static var whitespaces: CharacterSet { fatalError() }
}

extension StringProtocol {
    public func contains<Other: StringProtocol>(_ other: Other) -> Bool { fatalError() }
    public func trimmingCharacters(in set: CharacterSet) -> String { fatalError() }
}

extension NSString: CVarArg {
    public var _cVarArgEncoding: [Int] { fatalError() }
}

public func NSLog(_ format: String, _ args: any CVarArg...) {}

extension Data: _Bridged {
    public typealias _ObjectiveCType = NSData
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
