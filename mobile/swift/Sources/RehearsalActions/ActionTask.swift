import Foundation
@preconcurrency import Rehearsal

/// An action that was asked for: it has a result or will have one.
public struct ActionTask: Sendable {
    private let bridge: Box<RHActionsTask?>

    init(_ task: RHActionsTask?) { bridge = Box(task) }

    /// The result when it has ended. Canceling the task that waits cancels the action.
    public var result: ActionResult {
        get async {
            guard let task = bridge.value else { return ActionResult(nil) }
            if let ended = task.result() { return ActionResult(ended) } // most actions end at once: then nothing is suspended
            return await withTaskCancellationHandler {
                await withCheckedContinuation { waiting in
                    bridge.value?.onDone(Told { waiting.resume(returning: $0) })
                }
            } onCancel: {
                cancel()
            }
        }
    }

    /// The result, or nil while the action goes on.
    public var resultNow: ActionResult? { bridge.value.map { $0.result().map { ActionResult($0) } } ?? ActionResult(nil) }

    /// Cancels the action, and tells whether it was still going on.
    @discardableResult
    public func cancel() -> Bool { bridge.value?.cancel() ?? false }
}

/// Makes a listener of a closure.
private final class Told: NSObject, RHActionsListenerProtocol {
    private let told: @Sendable (ActionResult) -> Void

    init(_ told: @escaping @Sendable (ActionResult) -> Void) { self.told = told }

    func onDone(_ result: RHActionsResult?) throws { told(ActionResult(result)) }
}
