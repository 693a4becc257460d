import Dispatch
import Foundation
@preconcurrency import Rehearsal

/// Where an action runs, wherever it is performed from.
public struct ActionPlace: Sendable {
    /// The executor that the bridge is given; nil is its worker.
    let executor: Scheduled?
    let isCaller: Bool

    /// On the thread that performs it.
    public static let caller = ActionPlace(executor: nil, isCaller: true)
    /// On the registry's worker: in the background, one at a time.
    public static let background = ActionPlace(executor: nil, isCaller: false)
    /// On the main thread: at once when it is performed there, in its turn otherwise.
    public static let main = ActionPlace(executor: Scheduled { run in
        if Thread.isMainThread { run() } else { DispatchQueue.main.async(execute: run) }
    }, isCaller: false)

    /// On a queue.
    public static func queue(_ queue: DispatchQueue) -> ActionPlace {
        ActionPlace(executor: Scheduled { queue.async(execute: $0) }, isCaller: false)
    }

    /// Wherever a closure has it run, which is given what is to be run. One that throws fails the action.
    public static func executor(_ execute: @escaping @Sendable (@escaping @Sendable () -> Void) throws -> Void) -> ActionPlace {
        ActionPlace(executor: Scheduled(execute), isCaller: false)
    }
}

/// Makes an executor of a closure.
final class Scheduled: NSObject, RHActionsExecutorProtocol, Sendable {
    private let execute: @Sendable (@escaping @Sendable () -> Void) throws -> Void

    init(_ execute: @escaping @Sendable (@escaping @Sendable () -> Void) throws -> Void) { self.execute = execute }

    func execute(_ work: RHActionsWork?) throws {
        let work = Box(work)
        try execute { work.value?.run() }
    }
}
