package io.github.rehearsalsdk.schemas;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonMetaSchema;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.PathType;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The schema files, as they lie in this jar under io/github/rehearsalsdk/schemas, and networknt over them. A schema is named by its path,
 * with or without .json, or by the kind of an export, such as userbase; a name that no schema has is an IllegalArgumentException. All
 * methods may be called by many threads.
 */
public final class Schemas {
    /** The address that every $id begins with. */
    public static final String BASE = "https://rehearsal.example/schemas/";

    private Schemas() {}

    /** Returns the paths of all schema files, such as legacy/userbase.row.json, sorted. */
    public static List<String> names() {
        return Files.NAMES;
    }

    /** Returns the text of a schema file. */
    public static String text(String name) {
        return Files.TEXTS.get(BASE + file(name));
    }

    /** Returns what networknt makes of a schema. */
    public static JsonSchema validator(String name) {
        return Factory.MADE.getSchema(SchemaLocation.of(BASE + file(name)), Factory.CONFIG);
    }

    /** Returns what networknt says of a value: nothing when it fits. */
    public static Set<ValidationMessage> validate(String name, JsonNode value) {
        return validator(name).validate(value);
    }

    private static String file(String name) {
        String file = Files.SPELLINGS.get(name);
        if (file == null) {
            throw new IllegalArgumentException("there is no schema \"" + name
                    + "\": name an export, such as userbase, or a schema file, such as legacy/userbase.row");
        }
        return file;
    }

    /** What is read once. */
    private static final class Files {
        static final List<String> NAMES = List.of(read("index.txt").trim().split("\n"));
        static final Map<String, String> TEXTS = new HashMap<>();
        static final Map<String, String> SPELLINGS = new HashMap<>();

        static {
            ObjectMapper json = new ObjectMapper();
            for (String file : NAMES) {
                String text = read(file);
                TEXTS.put(BASE + file, text);
                SPELLINGS.put(file, file);
                SPELLINGS.put(file.replaceAll("\\.json$", ""), file);
                try {
                    SPELLINGS.put(json.readTree(text).path("x-export").path("kind").asText(file), file);
                } catch (JsonProcessingException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }

        private static String read(String resource) {
            try (InputStream stream = Schemas.class.getResourceAsStream(resource)) {
                if (stream == null) {
                    throw new IllegalStateException("the jar of the schemas has no " + resource + ": it was not built by make dist");
                }
                return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** What networknt needs, once somebody validates. */
    private static final class Factory {
        static final SchemaValidatorsConfig CONFIG = SchemaValidatorsConfig.builder()
                .formatAssertionsEnabled(true)
                .pathType(PathType.JSON_POINTER)
                .build();
        static final JsonSchemaFactory MADE = JsonSchemaFactory.getInstance(
                SpecVersion.VersionFlag.V202012,
                builder -> builder.metaSchema(dialect()).schemaLoaders(loaders -> loaders.schemas(Files.TEXTS)));

        private static JsonMetaSchema dialect() {
            JsonMetaSchema.Builder builder = JsonMetaSchema.builder(JsonMetaSchema.getV202012());
            try {
                new ObjectMapper().readTree(Files.read("formats.json")).fields().forEachRemaining(
                        each -> builder.format(new TextFormat(each.getKey(), each.getValue().get("patterns"))));
            } catch (JsonProcessingException e) {
                throw new UncheckedIOException(e);
            }
            return builder.build();
        }
    }
}
