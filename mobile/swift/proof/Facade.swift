import Foundation
@preconcurrency import Rehearsal
import RehearsalActions

/// Checks what Swift adds to the bridge.
func checkAll() async {
    await check("values cross both ways", values)
    await check("types of the app's own are arguments and values", codable)
    await check("a result is one of its kinds", results)
    await check("the very error comes back", errors)
    await check("refusals have a code", refusals)
    await check("an action that is a task", tasks)
    await check("a cancellation reaches the other side", cancellation)
    await check("each action where it wants to be", places)
    await check("groups", groups)
    await check("triggers are held", triggers)
    await check("events of the user", events)
    await check("what hangs is told", hangs)
    await check("many at once", many)
}

private func check(_ name: String, _ body: (ActionRegistry) async throws -> Void) async {
    do {
        try await body(ActionRegistry())
        print("ok \(name)")
    } catch {
        print("not ok \(name): \(error.localizedDescription)")
    }
}

private func same<Value: Equatable>(_ found: Value, _ wanted: Value, line: Int = #line) throws {
    if found != wanted { throw Failure("line \(line): \(found) is not \(wanted)") }
}

private func values(_ actions: ActionRegistry) async throws {
    let all: [String: ActionValue] = [
        "null": .null, "bool": true, "int": 7, "least": .int(.min), "uint": .uint(.max), "double": 0.1, "whole": 2.0, "text": "\u{0}\u{FEFF}\u{1F600}\(1 + 1)",
        "list": [1, [], [.null]], "object": ["a": ["b": [:]]],
    ]
    let seen = Seen<[String: ActionValue]>()
    try actions.register("echo") { call in
        seen.value = call.arguments
        return call.arguments
    }
    let result = try await actions.perform("echo", all).get()
    try same(seen.value, all)
    try same(result, .object(all))
    try same(result?.object?["whole"]?.double, 2)
    try same(result?.object?["whole"]?.int, nil)
    try actions.register("nothing") { _ in }
    try same(try await actions.perform("nothing").get(), nil)
    try actions.register("nil") { _ in Int?.none }
    try same(try await actions.perform("nil").get(), nil)
    try actions.register("odd") { _ in Thread.current }
    guard case .notPerformed(let error) = await actions.perform("odd") else { throw Failure("it is performed") }
    try same(error.message, "a Thread cannot be the value of a result: an ActionValue or a type that is Encodable is required")
}

private struct Purchase: Codable, Equatable {
    enum Size: String, Codable { case small, large }
    let name: String
    let size: Size
    let count: Int?
    let tags: [String]
}

private func codable(_ actions: ActionRegistry) async throws {
    let order = Purchase(name: "tea", size: .large, count: nil, tags: ["hot"])
    try actions.register("order") { call in try call.decode(Purchase.self) }
    let value = try await actions.perform("order", encoding: order).get()
    try same(try value?.decode(), order)
    try same(value, ["name": "tea", "size": "large", "tags": ["hot"]])
    try same(try ActionValue(encoding: 7).decode(), 7)
    guard case .notPerformed(let error) = await actions.perform("order", ["name": "tea"]) else { throw Failure("an order without a size") }
    try same(error.status, .failed)
    do {
        _ = try await actions.perform("order", encoding: [1])
        throw Failure("a list for arguments")
    } catch let error as ActionError {
        try same(error.status, .invalidArguments)
    }
}

private func results(_ actions: ActionRegistry) async throws {
    func status(_ identifier: String, _ arguments: [String: ActionValue] = [:]) async -> ActionError.Status? {
        if case .notPerformed(let error) = await actions.perform(identifier, arguments) { return error.status } else { return nil }
    }
    try same(await status("nobody"), .notFound)
    try same(await status("service.clipboard"), .invalidArguments)
    try same(await status("service.clipboard", ["t": "x"]), .unsupported)
    try same(actions.capability("service.clipboard"), .unsupported)
    try same(actions.validate("service.clipboard").map(\.pointer), ["/t"])
    try same(actions.identifiers, [])
    let registration = try actions.register("b") { _ in }
    try actions.register("A") { _ in }
    try same(actions.identifiers, ["A", "b"])
    try same(registration.isActive, true)
    try same(registration.unregister(), true)
    try same(registration.isActive, false)
    try same(try actions.unregister("a"), true)
    try same(try actions.unregister("a"), false)
}

private struct Broken: Error, Equatable { let number: Int }

private func errors(_ actions: ActionRegistry) async throws {
    try actions.register("broken") { _ -> Void in throw Broken(number: 7) }
    guard case .notPerformed(let error) = await actions.perform("broken") else { throw Failure("it is performed") }
    try same(error.status, .failed)
    try same(error.cause as? Broken, Broken(number: 7))
    try same(error.localizedDescription, error.message)
}

private func refusals(_ actions: ActionRegistry) async throws {
    func code(_ ask: () throws -> Void) throws -> String {
        do { try ask() } catch let refusal as ActionRefusal { return refusal.code }
        throw Failure("it is not refused")
    }
    try same(try code { try actions.register(" ") { _ in } }, RHActionsCodeInvalidIdentifier)
    try same(try code { try actions.registerAsync("service.x") { _ in } }, RHActionsCodeReservedIdentifier)
    try same(try code { try actions.unregister("service.x") }, RHActionsCodeReservedIdentifier)
}

private func tasks(_ actions: ActionRegistry) async throws {
    try actions.registerAsync("slow") { call in
        await Task.yield()
        return "slowly \(call.arguments["by"]?.string ?? "nobody")"
    }
    try same(try await actions.perform("slow", ["by": "me"]).get(), "slowly me")
    try same(try await actions.beginInBackground("slow").result.get(), "slowly nobody")
    try actions.registerAsync("outer") { call in try await call.perform("slow", ["by": "outer"]).get() }
    try same(try await actions.perform("outer").get(), "slowly outer")
    try actions.registerAsync("circle") { call in try await call.perform("circle").get() }
    try same(await actions.perform("circle").isPerformed, false)
    try actions.registerAsync("main") { @MainActor _ in Thread.isMainThread }
    try same(try await actions.perform("main").get(), true)
}

private func cancellation(_ actions: ActionRegistry) async throws {
    let (begun, hasBegun) = AsyncStream<Void>.makeStream(), (ended, hasEnded) = AsyncStream<Void>.makeStream()
    try actions.registerAsync("waits") { _ in
        hasBegun.finish()
        for await _ in AsyncStream<Void>.never {}
        if Task.isCancelled { hasEnded.finish() }
    }
    let asks = Task { await actions.perform("waits") }
    for await _ in begun {}
    asks.cancel()
    for await _ in ended {}
    guard case .notPerformed(let error) = await asks.value else { throw Failure("it is performed") }
    try same(error.status, .canceled)
    try same(actions.begin("nobody").cancel(), false)
}

extension AsyncStream {
    /// Yields nothing, and ends when the task is canceled.
    fileprivate static var never: AsyncStream { AsyncStream(unfolding: { try? await Task.sleep(nanoseconds: .max / 4); return nil }) }
}

private func places(_ actions: ActionRegistry) async throws {
    let queue = DispatchQueue(label: "own"), key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)
    try actions.register("main", on: .main) { _ in Thread.isMainThread }
    try actions.register("own", on: .queue(queue)) { _ in DispatchQueue.getSpecific(key: key) == true }
    try actions.register("here", on: .caller) { _ in DispatchQueue.getSpecific(key: key) == true }
    try actions.register("background", on: .background) { _ in Thread.isMainThread || DispatchQueue.getSpecific(key: key) == true }
    try actions.register("at once", on: .executor { $0() }) { _ in true }
    try actions.register("shut down", on: .executor { _ in throw Failure("shut down") }) { _ in true }
    try same(try await actions.perform("main").get(), true)
    try same(try await actions.perform("own").get(), true)
    try same(try await actions.perform("background").get(), false)
    try same(try await actions.perform("at once").get(), true)
    try same(try queue.sync { try actions.begin("here").resultNow?.get() }, true)
    try same(await MainActor.run { actions.begin("main").resultNow?.isPerformed }, true) // at once
    guard case .notPerformed(let error) = await actions.perform("shut down") else { throw Failure("it is performed") }
    try same(error.message, "shut down")
}

private func groups(_ actions: ActionRegistry) async throws {
    try actions.registerAsync("a") { call in call.item }
    guard case .notPerformed(let error) = await actions.perform("service.group", ["actions": [["a", [:]], ["nobody", [:]], ["a", [:]]]]) else {
        throw Failure("it is performed")
    }
    try same(error.status, .partial)
    try same(error.items.map(\.isPerformed), [true, false, true])
    try same(try error.items[2].get(), 2)
}

private func triggers(_ actions: ActionRegistry) async throws {
    let seen = Seen<ActionSource>()
    try actions.register("pushed") { seen.value = $0.source }
    let source = ActionSource(kind: RHActionsSourcePush, payload: ["a": 1])
    let held = actions.trigger("pushed", source: source)
    try same(held.resultNow?.isPerformed, nil)
    actions.start()
    try same(await held.result.isPerformed, true)
    try same(seen.value, source)
}

private func events(_ actions: ActionRegistry) async throws {
    try same(actions.capability("service.user.event"), .unsupported)
    let stream = actions.userData()
    try await actions.perform("service.user.event", ["e": "bought", "t": ["x"], "a": ["price": 3]]).get()
    try await actions.perform("service.user.tag", ["a": "add", "c": "c", "t": "t"]).get()
    try await actions.perform("service.user.tag", ["a": "remove", "c": "c", "t": "t"]).get()
    var seen: [UserDataEvent] = []
    for await event in stream {
        seen.append(event)
        if seen.count == 3 { break }
    }
    try same(seen, [.tracked(name: "bought", label: nil, tags: ["x"], data: ["price": 3]), .tagAdded(collection: "c", tag: "t"), .tagRemoved(collection: "c", tag: "t")])
    for _ in 0..<64 { try await actions.perform("service.user.event", ["e": "waits"]).get() }
    try same(await actions.perform("service.user.event", ["e": "is too many"]).isPerformed, false)
    // The end of an earlier stream stops no later one.
    var earlier: AsyncStream<UserDataEvent>? = actions.userData()
    let later = actions.userData()
    earlier = nil
    _ = earlier
    try await actions.perform("service.user.event", ["e": "goes to the later one"]).get()
    for await event in later {
        try same(event, .tracked(name: "goes to the later one", label: nil, tags: [], data: [:]))
        break
    }
}

private func hangs(_: ActionRegistry) async throws {
    let options = RHActionsNewOptions()!
    options.setCallbackLimit(10)
    let actions = ActionRegistry(options: options), letGo = DispatchSemaphore(value: 0)
    var hangs = actions.hangs().makeAsyncIterator()
    try actions.register("hangs") { _ in letGo.wait() }
    let task = actions.beginInBackground("hangs")
    try same(await hangs.next(), Hang?.some(Hang(what: "\"hangs\"", milliseconds: 10)))
    letGo.signal()
    try await task.result.get()
}

private func many(_ actions: ActionRegistry) async throws {
    try actions.register("add") { call in (call.arguments["a"]?.int ?? 0) + 1 }
    try actions.registerAsync("add later") { call in try await call.perform("add", call.arguments).get() }
    let sum = try await withThrowingTaskGroup(of: Int64.self) { group in
        for number in 0..<1000 { group.addTask { try await actions.perform("add later", ["a": .int(Int64(number))]).get()?.int ?? 0 } }
        return try await group.reduce(0, +)
    }
    try same(sum, 500_500)
}
