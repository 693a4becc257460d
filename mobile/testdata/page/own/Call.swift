import Rehearsal

final class OwnAction: NSObject, RHActionsActionProtocol {
    func perform(_ invocation: RHActionsInvocation?) throws {
        invocation?.setValue(RHActionsStringValue("hello from \(invocation?.identifier() ?? "")"))
    }
}

func run(_ registry: RHActionsRegistry) throws -> RHActionsResult? {
    _ = try registry.register("open-basket", action: OwnAction())
    registry.start()
    return registry.perform("open-basket", arguments: RHActionsArgumentsFromJSON("{ \"given\": { \"t\": \"größe '1' $x \\\"🎭\\\" \\\\ \\n\", \"n\": [1, -2.5, 1e+21, 9007199254740993, null, true], \"o\": {} } }", nil))?.result() // nil while it goes on
}
