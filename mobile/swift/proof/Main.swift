import Foundation
import RehearsalActions

@main
enum Main {
    static func main() {
        let arguments = CommandLine.arguments
        if arguments.contains("vectors") {
            Vectors(inBackground: arguments.contains("background"), asTasks: arguments.contains("tasks")).run()
            return
        }
        if let at = arguments.firstIndex(of: "joining") {
            try! joining(arguments[at + 1], code: arguments.dropFirst(at + 2).first)
            return
        }
        Task {
            if arguments.contains("shown") { try await shown() } else { await checkAll() }
            print("done")
            exit(0)
        }
        RunLoop.main.run() // what is for the main thread needs it
    }

    /// Does what the page shows.
    static func shown() async throws {
        let actions = ActionRegistry()
        try register(actions)
        try await perform(actions)
    }
}
