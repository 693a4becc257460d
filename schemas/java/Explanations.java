import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.github.rehearsalsdk.schemas.Problem;
import io.github.rehearsalsdk.schemas.Validator;
import java.io.IOException;
import java.nio.file.Path;

/** Holds the jar against what the Go package says: Explanations TESTDATA [CASES]. */
public final class Explanations {
    public static void main(String[] arguments) throws IOException {
        ObjectMapper json = new ObjectMapper();
        Path testdata = Path.of(arguments[0]);
        JsonNode cases = json.readTree((arguments.length > 1 ? Path.of(arguments[1]) : testdata.resolve("explanations.json")).toFile());
        Validator validator = new Validator();
        int different = 0;
        for (JsonNode each : cases) {
            JsonNode value = each.has("value") ? each.get("value") : NullNode.getInstance();
            if (each.has("sample")) {
                value = json.readTree(testdata.resolve("invalid").resolve(each.get("sample").textValue()).toFile()).get("value");
            }
            ArrayNode said = json.createArrayNode();
            for (Problem problem : validator.problems(each.get("schema").textValue(), value)) {
                said.addObject()
                        .put("pointer", problem.pointer())
                        .put("keyword", problem.keyword())
                        .put("message", problem.message());
            }
            if (!said.equals(each.get("problems")) && ++different <= 20) {
                System.err.printf("java: %s %s%n  want %s%n  said %s%n", each.get("schema"), each.path("sample"), each.get("problems"), said);
            }
        }
        System.out.printf("java: %d explanations, %d different%n", cases.size(), different);
        System.exit(different > 0 ? 1 : 0);
    }
}
