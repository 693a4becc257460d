import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.PathType;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Holds every sample against the schema files with the networknt validator. Takes the schemas folder; exit
 * status 1 when the validator disagrees with a sample.
 */
public final class Agree {
    private static final String BASE = "https://rehearsal.example/schemas/";
    private static final ObjectMapper JSON = new ObjectMapper();

    public static void main(String[] arguments) throws IOException {
        Path root = Path.of(arguments[0]);
        Map<String, JsonSchema> schemas = compile(readSchemas(root));
        List<String> complaints = new ArrayList<>();
        int valid = 0;
        for (Path sample : samples(root.resolve("testdata/valid"))) {
            valid++;
            Set<ValidationMessage> found = validate(schemas, root.resolve("testdata/valid"), sample);
            if (!found.isEmpty()) {
                complaints.add(sample + " is refused: " + found);
            }
        }
        int invalid = 0;
        for (Path sample : samples(root.resolve("testdata/invalid"))) {
            invalid++;
            Set<ValidationMessage> found = validate(schemas, root.resolve("testdata/invalid"), sample);
            JsonNode problem = JSON.readTree(sample.toFile()).get("problem");
            String pointer = problem.get("pointer").asText();
            String keyword = problem.get("keyword").asText();
            if (found.stream().noneMatch(message -> agrees(message, pointer, keyword))) {
                complaints.add(sample + ": want " + keyword + " at " + pointer + ", found " + found);
            }
        }
        complaints.forEach(complaint -> System.err.println("networknt: " + complaint));
        System.out.printf("networknt: %d schemas, %d valid and %d invalid samples, %d disagreements%n",
                schemas.size(), valid, invalid, complaints.size());
        System.exit(complaints.isEmpty() ? 0 : 1);
    }

    /** Reads every schema file by its path, such as legacy/userbase.row.json. */
    private static Map<String, String> readSchemas(Path root) throws IOException {
        Map<String, String> files = new TreeMap<>();
        files.put("vocabulary.json", Files.readString(root.resolve("vocabulary.json")));
        for (String folder : List.of("actions", "common", "data", "legacy", "mock", "profiles")) {
            for (Path file : samples(root.resolve(folder))) {
                files.put(root.relativize(file).toString().replace('\\', '/'), Files.readString(file, StandardCharsets.UTF_8));
            }
        }
        return files;
    }

    private static Map<String, JsonSchema> compile(Map<String, String> files) {
        Map<String, String> addresses = files.entrySet().stream().collect(Collectors.toMap(e -> BASE + e.getKey(), Map.Entry::getValue));
        JsonSchemaFactory factory = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012,
                builder -> builder.schemaLoaders(loaders -> loaders.schemas(addresses)));
        SchemaValidatorsConfig config = SchemaValidatorsConfig.builder()
                .formatAssertionsEnabled(true)
                .pathType(PathType.JSON_POINTER)
                .build();
        Map<String, JsonSchema> schemas = new TreeMap<>();
        for (String name : files.keySet()) {
            JsonSchema schema = factory.getSchema(SchemaLocation.of(BASE + name), config);
            schema.initializeValidators();
            schemas.put(name, schema);
        }
        return schemas;
    }

    private static List<Path> samples(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".json")).sorted().toList();
        }
    }

    private static Set<ValidationMessage> validate(Map<String, JsonSchema> schemas, Path folder, Path sample) throws IOException {
        String name = folder.relativize(sample.getParent()).toString().replace('\\', '/') + ".json";
        return schemas.get(name).validate(JSON.readTree(sample.toFile()).get("value"));
    }

    /** Tells whether a message speaks of the place and the keyword that a sample names. */
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
