// What the generated stand-in for the framework is made with. It is for the tests on Linux only.
import Bridge
import Foundation

/// An object of the bridge.
public class BridgeObject: NSObject, @unchecked Sendable {
    let handle: Int64

    init(handle: Int64) { self.handle = handle }

    required init(_ value: rh_value) { handle = value.number }

    deinit { rh_release(handle) }
}

/// Calls a function of the package, or a method of an object.
func call(_ name: String, _ handle: Int64 = 0, _ arguments: [rh_value] = []) throws -> rh_value {
    Objects.all.begin()
    var arguments = arguments, result = rh_value(), failure = rh_value()
    name.withCString { name in
        arguments.withUnsafeMutableBufferPointer { rh_call(UnsafeMutablePointer(mutating: name), handle, $0.baseAddress, Int32($0.count), &result, &failure) }
    }
    if Int(failure.kind) == rh_foreign, let error = Objects.all[failure.number] as? Thrown {
        throw error.error
    }
    if Int(failure.kind) == rh_text {
        throw NSError(domain: "go", code: 1, userInfo: [NSLocalizedDescriptionKey: crossed(failure) as String])
    }
    return result
}

/// Calls what cannot fail.
func told(_ name: String, _ handle: Int64 = 0, _ arguments: [rh_value] = []) -> rh_value {
    do { return try call(name, handle, arguments) } catch { fatalError("\(name): \(error)") }
}

/// Calls what tells its error through a pointer.
func asked(_ error: UnsafeMutablePointer<NSError?>?, _ name: String, _ handle: Int64 = 0, _ arguments: [rh_value] = []) -> rh_value {
    do { return try call(name, handle, arguments) } catch let failure {
        error?.pointee = failure as NSError
        return rh_value()
    }
}

func crossing(_ value: Bool) -> rh_value { rh_value(kind: Int32(rh_bool), number: value ? 1 : 0, real: 0, text: nil, length: 0) }
func crossing(_ value: Int32) -> rh_value { crossing(Int64(value)) }
func crossing(_ value: Int64) -> rh_value { rh_value(kind: Int32(rh_int), number: value, real: 0, text: nil, length: 0) }
func crossing(_ value: Double) -> rh_value { rh_value(kind: Int32(rh_double), number: 0, real: value, text: nil, length: 0) }
func crossing(_ value: String?) -> rh_value {
    let bytes = Array((value ?? "").utf8)
    let text = malloc(bytes.count + 1)!
    bytes.withUnsafeBytes { if let from = $0.baseAddress { memcpy(text, from, bytes.count) } }
    return rh_value(kind: Int32(rh_text), number: 0, real: 0, text: text.assumingMemoryBound(to: CChar.self), length: Int64(bytes.count))
}
func crossing(_ value: BridgeObject?) -> rh_value {
    guard let value else { return rh_value() }
    return rh_value(kind: Int32(rh_handle), number: value.handle, real: 0, text: nil, length: 0)
}
func crossing(callback: AnyObject?) -> rh_value {
    guard let callback else { return rh_value() }
    return rh_value(kind: Int32(rh_foreign), number: Objects.all.keep(callback), real: 0, text: nil, length: 0)
}

func crossed(_: rh_value) {}
func crossed(_ value: rh_value) -> Bool { value.number != 0 }
func crossed(_ value: rh_value) -> ObjCBool { ObjCBool(value.number != 0) }
func crossed(_ value: rh_value) -> Int32 { Int32(value.number) }
func crossed(_ value: rh_value) -> Int64 { value.number }
func crossed(_ value: rh_value) -> Double { value.real }
func crossed(_ value: rh_value) -> String {
    guard let text = value.text else { return "" }
    defer { free(text) }
    return String(decoding: UnsafeRawBufferPointer(start: text, count: Int(value.length)), as: UTF8.self)
}
func crossed<Object: BridgeObject>(_ value: rh_value) -> Object? { Int(value.kind) == rh_handle ? Object(value) : nil }
func crossed<Object: BridgeObject>(_ value: rh_value) -> Object { Object(value) }

/// An error that Swift has thrown into Go.
final class Thrown {
    let error: any Error

    init(_ error: any Error) { self.error = error }
}

/// The objects and the errors of Swift's that Go has.
final class Objects: @unchecked Sendable {
    static let all = Objects()
    private let lock = NSLock()
    private var kept: [Int64: AnyObject] = [:]
    private var last: Int64 = 0

    private init() {
        rh_setup({ object, method, arguments, count, error in
            let arguments = (0..<Int(count)).map { arguments![$0] }
            do {
                try dispatch(Objects.all[object]!, String(cString: method!), arguments)
            } catch let thrown {
                error!.pointee = crossing(thrown.localizedDescription)
                error!.pointee.kind = Int32(rh_foreign)
                error!.pointee.number = Objects.all.keep(Thrown(thrown))
            }
        }, { Objects.all.forget($0) })
    }

    /// Has the callbacks set.
    func begin() {}

    func keep(_ object: AnyObject) -> Int64 {
        lock.withLock {
            last += 1
            kept[last] = object
            return last
        }
    }

    func forget(_ number: Int64) { _ = lock.withLock { kept.removeValue(forKey: number) } }

    subscript(number: Int64) -> AnyObject? { lock.withLock { kept[number] } }
}
