// What Apple's own Dispatch is to Swift, as far as the façade uses it: declarations only.
public class DispatchSemaphore: @unchecked Sendable {
    public init(value: Int) {}
    public func signal() {}
    public func wait() {}
}

public class DispatchQueue: @unchecked Sendable {
    public class var main: DispatchQueue { fatalError() }
    public init(label: String) {}
    public func async(execute work: @escaping @Sendable @convention(block) () -> Void) {}
}
