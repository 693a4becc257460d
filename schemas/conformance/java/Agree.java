import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.ValidationContext;
import com.networknt.schema.ValidationMessage;
import io.github.rehearsalsdk.schemas.Schemas;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Holds the jar against every sample: Agree TESTDATA. Exit status 1 when networknt, as the jar sets it up, disagrees with a sample.
 */
public final class Agree {
    private static final ObjectMapper JSON = new ObjectMapper();

    public static void main(String[] arguments) throws IOException {
        Path testdata = Path.of(arguments[0]);
        List<String> complaints = new ArrayList<>();
        for (String name : Schemas.names()) {
            Schemas.validator(name).initializeValidators();
            if (!Schemas.text(name).equals(Files.readString(testdata.resolveSibling(name)))) {
                complaints.add(name + " is not the file of the repository");
            }
        }
        int valid = 0;
        for (Path sample : samples(testdata.resolve("valid"))) {
            valid++;
            Set<ValidationMessage> found = validate(testdata.resolve("valid"), sample);
            if (!found.isEmpty()) {
                complaints.add(sample + " is refused: " + found);
            }
        }
        int invalid = 0;
        for (Path sample : samples(testdata.resolve("invalid"))) {
            invalid++;
            Set<ValidationMessage> found = validate(testdata.resolve("invalid"), sample);
            JsonNode problem = JSON.readTree(sample.toFile()).get("problem");
            String pointer = problem.get("pointer").asText();
            String keyword = problem.get("keyword").asText();
            if (found.stream().noneMatch(message -> agrees(message, pointer, keyword))) {
                complaints.add(sample + ": want " + keyword + " at " + pointer + ", found " + found);
            }
        }
        ValidationContext context = Schemas.validator("userbase").getValidationContext();
        for (var format : JSON.readTree(testdata.resolveSibling("formats").resolve("formats.json").toFile()).properties()) {
            JsonSchema schema = context.getJsonSchemaFactory()
                    .getSchema(JSON.createObjectNode().put("format", format.getKey()), context.getConfig());
            for (String list : List.of("valid", "invalid")) {
                for (JsonNode text : format.getValue().get(list)) {
                    if (schema.validate(text).isEmpty() != list.equals("valid")) {
                        complaints.add(format.getKey() + ": " + text);
                    }
                }
            }
        }
        for (String text : List.of("uri https://example.com/" + "%20".repeat(2_000), "uri x:?" + "%20".repeat(2_000) + " ",
                "email " + "a.".repeat(5_000) + "a@example.com", "email a@" + "b.".repeat(5_000) + "example")) {
            String[] parts = text.split(" ", 2);
            JsonSchema schema = context.getJsonSchemaFactory()
                    .getSchema(JSON.createObjectNode().put("format", parts[0]), context.getConfig());
            if (schema.validate(JSON.getNodeFactory().textNode(parts[1])).isEmpty() != text.contains("/%20")) {
                complaints.add(text.substring(0, 40));
            }
        }
        for (String name : List.of("userbase", "legacy/userbase.row")) {
            if (!Schemas.text(name).equals(Schemas.text("legacy/userbase.row.json"))) {
                complaints.add(name + " is another schema than legacy/userbase.row.json");
            }
        }
        try {
            complaints.add("there is a schema for nothing: " + Schemas.validator("nothing"));
        } catch (IllegalArgumentException e) {
            // as it must be
        }
        complaints.forEach(complaint -> System.err.println("java: " + complaint));
        System.out.printf(
                "java: %d schemas, %d valid and %d invalid samples, %d disagreements%n",
                Schemas.names().size(), valid, invalid, complaints.size());
        System.exit(complaints.isEmpty() ? 0 : 1);
    }

    private static List<Path> samples(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".json")).sorted().toList();
        }
    }

    private static Set<ValidationMessage> validate(Path folder, Path sample) throws IOException {
        String name = folder.relativize(sample.getParent()).toString().replace('\\', '/') + ".json";
        return Schemas.validate(name, JSON.readTree(sample.toFile()).get("value"));
    }

    /** Reports whether a message speaks of the place and the keyword that a sample names. */
    private static boolean agrees(ValidationMessage message, String pointer, String keyword) {
        String place = message.getInstanceLocation().toString();
        String property = message.getProperty();
        return switch (keyword) {
            // The branches are reported, the anyOf itself is not.
            case "anyOf" -> place.equals(pointer);
            // The object is reported, not the member that it lacks.
            case "dependentRequired" -> message.getType().equals(keyword) && place.equals(parent(pointer));
            case "required", "additionalProperties" -> message.getType().equals(keyword)
                    && (place + "/" + property.replace("~", "~0").replace("/", "~1")).equals(pointer);
            default -> message.getType().equals(keyword) && (place.equals(pointer) || (place + "/" + property).equals(pointer));
        };
    }

    private static String parent(String pointer) {
        return pointer.substring(0, pointer.lastIndexOf('/'));
    }
}
