import Foundation
import Rehearsal
import RehearsalActions

/// Does the steps of vectors with the façade. The Go package mobile/internal/proof describes what it reads and writes.
final class Vectors: @unchecked Sendable {
    private let inBackground, asTasks: Bool
    private let jobs = Jobs()
    private var phone = Phone(RHActionsNewArguments()!)
    private var actions = ActionRegistry()
    private var registrations: [String: () -> Bool] = [:]
    private var tasks: [(subject: String, task: ActionTask)] = []
    private var turns: [CheckedContinuation<Void, Never>] = []

    init(inBackground: Bool, asTasks: Bool) { (self.inBackground, self.asTasks) = (inBackground, asTasks) }

    func run() {
        while let line = readLine() {
            print(json(answer(RHActionsArgumentsFromJSON(line, nil)!)))
            fflush(stdout)
        }
    }

    private func answer(_ request: RHActionsArguments) -> [String: ActionValue] {
        switch request.getString("op", fallback: "") {
        case "new":
            create(request.getArguments("host")!)
            return [:]
        case "do": return step(request.getArguments("step")!)
        case "look": return look(Int(request.getInt64("task", fallback: -1)))
        case "turn":
            let turned = !turns.isEmpty
            if turned { turns.removeFirst().resume() }
            settle()
            return ["turned": .bool(turned)]
        default:
            return read(#"{"effects":"# + phone.effects.json(nil) + "}")
        }
    }

    private func create(_ host: RHActionsArguments) {
        let options = RHActionsNewOptions()!
        options.setPlatform(host.getString("platform", fallback: ""), version: host.getString("version", fallback: ""))
        actions = ActionRegistry(options: options)
        phone = Phone(host)
        phone.install(actions.bridge)
        registrations = [:]
        tasks = []
        turns = []
    }

    /// Has the worker and all tasks do what they have to do.
    private func settle() {
        var quiet = 0
        while quiet < 40 {
            guard actions.bridge.performAsync("nothing.is.registered.as.this", arguments: nil, listener: nil)?.await(60_000) != nil else {
                fatalError("the worker does not come to an end")
            }
            quiet = jobs.run() ? 0 : quiet + 1
        }
    }

    private func step(_ step: RHActionsArguments) -> [String: ActionValue] {
        let subject = step.getString("subject", fallback: ""), given = read(step.getString("arguments", fallback: ""))
        switch step.getString("do", fallback: "") {
        case "perform":
            return begun(subject, inBackground ? actions.beginInBackground(subject, given) : actions.begin(subject, given))
        case "trigger":
            let payload = step.getString("payload", fallback: "")
            let source = ActionSource(kind: step.getString("kind", fallback: ""), payload: payload == "" ? nil : read(payload))
            return begun(subject, actions.trigger(subject, given, source: source))
        default:
            return ["answer": .object(reply(step, subject, given))]
        }
    }

    private func reply(_ step: RHActionsArguments, _ subject: String, _ given: [String: ActionValue]) -> [String: ActionValue] {
        switch step.getString("do", fallback: "") {
        case "register":
            do {
                registrations[step.getString("as", fallback: "")] = try register(subject, step.getString("handler", fallback: ""))
                return ["ok": true]
            } catch {
                return ["ok": false, "error": .string(code(error))]
            }
        case "unregister":
            do { return ["removed": .bool(try actions.unregister(subject))] } catch { return ["removed": false, "error": .string(code(error))] }
        case "dispose": return ["removed": .bool(registrations[subject]!())]
        case "start":
            actions.start()
            settle()
            return ["ok": true]
        case "validate":
            let problems = actions.validate(subject, given)
            return ["ok": .bool(problems.isEmpty), "at": .list(problems.map { .string($0.pointer) })]
        case "capability": return ["state": .string(actions.capability(subject).rawValue)]
        default: return ["identifiers": .list(actions.identifiers.map { .string($0) })]
        }
    }

    private func code(_ error: any Error) -> String {
        if let refusal = error as? ActionRefusal { return refusal.code }
        return RHActionsErrorCode(error.localizedDescription)
    }

    private func begun(_ subject: String, _ task: ActionTask) -> [String: ActionValue] {
        tasks.append((subject, task))
        settle()
        return look(tasks.count - 1).merging(["task": .int(Int64(tasks.count - 1))]) { $1 }
    }

    private func look(_ number: Int) -> [String: ActionValue] {
        guard let result = tasks[number].task.resultNow else { return [:] }
        return ["answer": .object(told(result, isGroup: tasks[number].subject.lowercased() == "service.group"))]
    }

    private func told(_ result: ActionResult, isGroup: Bool) -> [String: ActionValue] {
        var told: [String: ActionValue], ran = true
        switch result {
        case .performed(let value, _):
            told = ["status": "performed"]
            told["value"] = value
        case .notPerformed(let error):
            told = ["status": .string(error.status.rawValue), "message": .string(error.message)]
            ran = error.status == .partial || error.status == .canceled
        }
        if isGroup && ran { told["items"] = .list(result.items.map { .object(self.told($0, isGroup: false)) }) }
        return told
    }

    /// Registers the action that a vector names.
    private func register(_ identifier: String, _ name: String) throws -> () -> Bool {
        let registration: ActionRegistration
        switch name {
        case "record" where asTasks: registration = try actions.registerAsync(identifier) { self.record($0) }
        case "record": registration = try actions.register(identifier) { self.record($0) }
        case "fail" where asTasks: registration = try actions.registerAsync(identifier) { _ -> Void in throw Failure("failed on purpose") }
        case "fail": registration = try actions.register(identifier) { _ -> Void in throw Failure("failed on purpose") }
        case "panic": registration = try actions.register(identifier) { _ -> Void in throw Failure("panicked on purpose") } // a trap would end the program
        case "wait", "wait-record":
            registration = try actions.registerAsync(identifier) { call in
                await withCheckedContinuation { self.turns.append($0) }
                if name == "wait-record" { self.record(call) }
            }
        case "": // Swift does not let nil pass
            let registration = try actions.bridge.register(identifier, action: nil)
            return { registration.unregister() }
        default:
            let at = String(name.dropFirst("perform:".count))
            registration = try actions.registerAsync(identifier) { call in try await call.perform(at, call.arguments).get() }
        }
        return { registration.unregister() }
    }

    private func record(_ call: ActionCall) {
        var source: ActionValue = "manual"
        if call.source != ActionSource() {
            var object: [String: ActionValue] = ["kind": .string(call.source.kind)]
            object["payload"] = call.source.payload.map { .object($0) }
            source = .object(object)
        }
        phone.effects.add(crossed(["handler": .string(call.identifier), "arguments": .object(call.arguments), "source": source]))
    }

    /// Gives what an action sees of JSON.
    private func read(_ json: String) -> [String: ActionValue] {
        let reader = ActionRegistry(), seen = Seen<[String: ActionValue]>()
        _ = try! reader.register("read") { seen.value = $0.arguments }
        reader.bridge.perform("read", arguments: json == "" ? nil : RHActionsArgumentsFromJSON(json, nil))
        return seen.value!
    }

    /// Gives what an action below the façade sees of arguments.
    private func crossed(_ arguments: [String: ActionValue]) -> RHActionsArguments {
        let writer = ActionRegistry(), seen = Below()
        _ = try! writer.bridge.register("write", action: seen)
        _ = writer.begin("write", arguments)
        return seen.arguments!
    }

    private func json(_ members: [String: ActionValue]) -> String { crossed(members).json(nil) }
}

private final class Below: NSObject, RHActionsActionProtocol {
    var arguments: RHActionsArguments?

    func perform(_ invocation: RHActionsInvocation?) throws { arguments = invocation?.arguments() }
}

/// A place for a value.
final class Seen<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var kept: Value?

    var value: Value? {
        get { lock.withLock { kept } }
        set { lock.withLock { kept = newValue } }
    }
}

/// Keeps what tasks are to do next until it is run here, so that a vector sees no chance.
private final class Jobs: @unchecked Sendable {
    private typealias Original = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void
    nonisolated(unsafe) private static var waiting: [UnownedJob] = []
    private static let lock = NSLock()

    init() {
        let hook = dlsym(dlopen(nil, RTLD_LAZY), "swift_task_enqueueGlobal_hook")!.assumingMemoryBound(to: Hook?.self)
        hook.pointee = { job, _ in Jobs.lock.withLock { Jobs.waiting.append(job) } }
    }

    /// Runs what waits, and tells whether there was anything.
    func run() -> Bool {
        let jobs = Jobs.lock.withLock {
            defer { Jobs.waiting = [] }
            return Jobs.waiting
        }
        for job in jobs { job.runSynchronously(on: MainActor.sharedUnownedExecutor) }
        return !jobs.isEmpty
    }
}
