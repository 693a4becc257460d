import io.github.rehearsalsdk.actions.Actions;
import io.github.rehearsalsdk.actions.Registry;
import io.github.rehearsalsdk.actions.Result;
import io.github.rehearsalsdk.actions.Source;

public class Call {
    public static Result run(Registry registry) throws Exception {
        registry.start();
        return registry.trigger("service.user.event", Actions.argumentsFromJSON("{ \"e\": \"seen\", \"l\": null, \"t\": [\"a\"], \"a\": { \"t\": \"größe '1' $x \\\"🎭\\\" \\\\ \\n\", \"n\": [1, -2.5, 1e+21, 9007199254740993, null, true], \"o\": {} } }"), new Source("push", Actions.argumentsFromJSON("{ \"campaign\": \"spring $1\" }"))).result(); // null while it goes on
    }
}
