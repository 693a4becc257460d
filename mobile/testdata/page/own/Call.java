import io.github.rehearsalsdk.actions.Actions;
import io.github.rehearsalsdk.actions.Registry;
import io.github.rehearsalsdk.actions.Result;

public class Call {
    public static Result run(Registry registry) throws Exception {
        registry.register("open-basket", invocation ->
                invocation.setValue(Actions.stringValue("hello from " + invocation.identifier())));
        registry.start();
        return registry.perform("open-basket", Actions.argumentsFromJSON("{ \"given\": { \"t\": \"größe '1' $x \\\"🎭\\\" \\\\ \\n\", \"n\": [1, -2.5, 1e+21, 9007199254740993, null, true], \"o\": {} } }")).result(); // null while it goes on
    }
}
