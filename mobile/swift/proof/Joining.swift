import Foundation
import Rehearsal
import RehearsalPlayground

/// An app that joins, and does what each line of its input says; see mobile/internal/proof/hub.go. Its arguments are an address and a code.
func joining(_ url: String, code: String?) throws {
    setvbuf(stdout, nil, Int32(_IOLBF), 0)
    let registry = RHActionsRegistry(RHActionsOptions())!
    _ = try registry.register("open-cart", action: Performing { $0.setValue(RHActionsArgumentsValue($0.arguments())) })
    registry.setClipboard(Copying())
    let began = Date()
    let join = {
        Playground.join(registry, url: url, code: code, name: "Shop", alsoInReleaseBuilds: ProcessInfo.processInfo.environment["ALLOWED"] != nil) {
            print("log \(Int(Date().timeIntervalSince(began) * 1000)) ms \($0)".replacingOccurrences(of: "\n", with: " | "))
        }
    }
    var playground = join()
    try playground.describe("open-cart", json: #"{"title":"Opens the cart"}"#)
    while let line = readLine() {
        let words = line.split(separator: " ", maxSplits: 2).map(String.init)
        switch words[0] {
        case "start": registry.start()
        case "leave": playground.leave()
        case "again": playground = join()
        case "register": _ = try registry.register(words[1], action: Performing { _ in throw Sold.out })
        case "unregister": try registry.unregister(words[1], removed: nil)
        case "perform": print(registry.perform(words[1], arguments: RHActionsArgumentsFromJSON(words[2], nil))!.result()!.json(nil))
        case "slowest":
            let took = (0..<Int(words[1])!).map { _ in
                let begin = DispatchTime.now().uptimeNanoseconds
                _ = registry.perform("open-cart", arguments: nil)
                return Int(DispatchTime.now().uptimeNanoseconds - begin)
            }.sorted()
            print("slowest \(took.last! / 1_000) \(took[took.count / 2])")
        default: fatalError(line)
        }
    }
}

private enum Sold: LocalizedError {
    case out
    var errorDescription: String? { "sold out" }
}

private final class Performing: NSObject, RHActionsActionProtocol {
    private let body: (RHActionsInvocation) throws -> Void
    init(_ body: @escaping (RHActionsInvocation) throws -> Void) { self.body = body }
    func perform(_ invocation: RHActionsInvocation?) throws { try body(invocation!) }
}

private final class Copying: NSObject, RHActionsClipboardHostProtocol {
    func writeText(_ text: String?, completion: RHActionsCompletion?) throws { _ = completion?.succeed() }
}
