import Foundation
@preconcurrency import Rehearsal

/// What an action has come to.
public enum ActionResult: Sendable {
    /// It did what it is there for, and may have given a value. `items` are the results of a group's items; empty for everything else.
    case performed(value: ActionValue?, items: [ActionResult])
    /// It did not.
    case notPerformed(ActionError)

    /// The value, when it was performed and gave one. It throws the error otherwise.
    @discardableResult
    public func get() throws -> ActionValue? {
        switch self {
        case .performed(let value, _): return value
        case .notPerformed(let error): throw error
        }
    }

    /// Whether it was performed.
    public var isPerformed: Bool { if case .performed = self { return true } else { return false } }

    /// The results of a group's items; empty for everything else.
    public var items: [ActionResult] {
        switch self {
        case .performed(_, let items): return items
        case .notPerformed(let error): return error.items
        }
    }
}

/// Why an action was not performed.
public struct ActionError: Error, Sendable {
    /// In which way.
    public enum Status: String, Sendable, CaseIterable {
        /// Nothing is registered under the identifier.
        case notFound = "not_found"
        /// The arguments were refused; nothing was done.
        case invalidArguments = "invalid_arguments"
        /// This device, or this version of its system, cannot do it.
        case unsupported
        /// The platform refused, for example for want of a permission.
        case blocked
        /// The action or the host threw, failed or took too long.
        case failed
        /// It was canceled before it had ended.
        case canceled
        /// A group ran, and not every item of it was performed.
        case partial
    }

    /// In which way.
    public let status: Status
    /// Says why, for people.
    public let message: String
    /// The very error that the action has thrown, when it has thrown one; an action that is `async` throws here, too.
    public let cause: (any Error)?
    /// The results of a group's items, as far as it came.
    public let items: [ActionResult]

    init(_ status: Status, _ message: String, cause: (any Error)? = nil, items: [ActionResult] = []) {
        (self.status, self.message, self.cause, self.items) = (status, message, cause, items)
    }
}

extension ActionError: LocalizedError {
    /// The message.
    public var errorDescription: String? { message }
}

/// A refusal by the registry.
public struct ActionRefusal: Error, Sendable {
    /// One of the constants of the bridge that begin with `RHActionsCode`.
    public let code: String
    /// One sentence for a person.
    public let message: String

    init(_ error: any Error) {
        message = error.localizedDescription
        code = RHActionsErrorCode(message)
    }
}

extension ActionRefusal: LocalizedError {
    /// The message.
    public var errorDescription: String? { message }
}

extension ActionResult {
    init(_ result: RHActionsResult?) {
        guard let result else {
            self = .notPerformed(ActionError(.failed, "there is no result"))
            return
        }
        let items = (0..<result.itemCount()).map { ActionResult(result.item($0)) }
        if result.isPerformed() {
            self = .performed(value: ActionValue(result.value()), items: items)
            return
        }
        // A status of a newer library is a failure to this one.
        let status = ActionError.Status(rawValue: result.status()) ?? .failed
        var cause: (any Error)?
        if status == .failed {
            do { try result.check() } catch { cause = error }
        }
        self = .notPerformed(ActionError(status, result.message(), cause: cause, items: items))
    }
}
