import Rehearsal

func run(_ registry: RHActionsRegistry) throws -> RHActionsResult? {
    registry.start()
    return registry.trigger("service.user.event", arguments: RHActionsArgumentsFromJSON("{ \"e\": \"seen\", \"l\": null, \"t\": [\"a\"], \"a\": { \"t\": \"größe '1' $x \\\"🎭\\\" \\\\ \\n\", \"n\": [1, -2.5, 1e+21, 9007199254740993, null, true], \"o\": {} } }", nil), source: RHActionsSource("push", payload: RHActionsArgumentsFromJSON("{ \"campaign\": \"spring $1\" }", nil)))?.result() // nil while it goes on
}
