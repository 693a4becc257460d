import Rehearsal
import RehearsalActions
import RehearsalHost
import SwiftUI

/// Makes the registry when the app starts, registers its actions, and starts it.
@main
struct GreeterApp: App {
    private let actions: ActionRegistry

    init() {
        let host = RHHost()
        actions = ActionRegistry(options: host.options())
        host.install(in: actions.bridge)
        do {
            try registerActions(actions)
        } catch {
            print("an action is not registered: \(error)")
        }
        actions.start()
    }

    var body: some Scene {
        WindowGroup { ResultsView(actions: actions) }
    }
}

/// What say-hello is asked with.
struct Greeting: Codable {
    let name: String
}

func registerActions(_ actions: ActionRegistry) throws {
    try actions.register("say-hello") { call in "Hello, \(try call.decode(Greeting.self).name)!" }
    try actions.registerAsync("count-down") { call in
        for _ in 0..<(call.arguments["from"]?.int ?? 3) { try await Task.sleep(nanoseconds: 1_000_000_000) }
    }
}

/// A button for each of a few actions, their results below, and what happens meanwhile.
struct ResultsView: View {
    let actions: ActionRegistry
    @State private var lines: [String] = []

    private static let examples: [(title: String, identifier: String, arguments: [String: ActionValue])] = [
        ("Say hello", "say-hello", ["name": "Ada"]),
        ("Say hello to nobody", "say-hello", [:]),
        ("Count down", "count-down", ["from": 2]),
        ("Copy", "service.clipboard", ["t": "copied by an action"]),
        ("Two at once", "service.group", ["actions": [["say-hello", ["name": "Bob"]], ["service.user.event", ["e": "greeted"]]]]),
    ]

    var body: some View {
        List {
            ForEach(Self.examples, id: \.title) { example in
                Button(example.title) { perform(example.identifier, example.arguments) }
            }
            ForEach(lines, id: \.self) { line in Text(line) }
        }
        .task { // ends with the view
            for await event in actions.userData() { lines.append("\(event)") }
        }
    }

    private func perform(_ identifier: String, _ arguments: [String: ActionValue]) {
        Task {
            switch await actions.perform(identifier, arguments) {
            case .performed(let value, _): lines.append("\(identifier): \(value?.string ?? "done")")
            case .notPerformed(let error) where error.status == .unsupported: lines.append("\(identifier): not on this device")
            case .notPerformed(let error): lines.append("\(identifier): \(error.message)")
            }
        }
    }
}
