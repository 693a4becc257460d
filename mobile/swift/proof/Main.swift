import Foundation

@main
enum Main {
    static func main() {
        let arguments = CommandLine.arguments
        if arguments.contains("vectors") {
            Vectors(inBackground: arguments.contains("background"), asTasks: arguments.contains("tasks")).run()
        } else {
            Task {
                await checkAll()
                exit(0)
            }
            RunLoop.main.run()
        }
    }
}
