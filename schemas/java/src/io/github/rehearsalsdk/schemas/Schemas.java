package io.github.rehearsalsdk.schemas;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The schema files, as they lie in this jar under io/github/rehearsalsdk/schemas. */
public final class Schemas {
    /** The address that every $id begins with. */
    public static final String BASE = "https://rehearsal.example/schemas/";

    static final ObjectMapper JSON = new ObjectMapper();

    private Schemas() {}

    /** The paths of all schema files, such as legacy/userbase.row.json, sorted. */
    public static List<String> names() {
        return Collections.unmodifiableList(new ArrayList<>(Files.NAMES));
    }

    /** The text of a schema file, by its path, with or without .json, or by the kind of an export, such as userbase. */
    public static String text(String name) {
        return read(file(name));
    }

    static JsonNode schema(String file) {
        return Files.SCHEMAS.get(file);
    }

    static String file(String name) {
        String file = Files.SPELLINGS.get(name);
        if (file == null) {
            throw new IllegalArgumentException("there is no schema \"" + name
                    + "\": name an export, such as userbase, or a schema file, such as legacy/userbase.row");
        }
        return file;
    }

    static String read(String resource) {
        try (InputStream stream = Schemas.class.getResourceAsStream(resource)) {
            if (stream == null) {
                throw new IllegalStateException("the jar of the schemas has no " + resource + ": it was not built by make dist");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static JsonNode readJSON(String resource) {
        try {
            return JSON.readTree(read(resource));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What is read once. */
    private static final class Files {
        static final List<String> NAMES = List.of(read("index.txt").trim().split("\n"));
        static final Map<String, JsonNode> SCHEMAS = new HashMap<>();
        static final Map<String, String> SPELLINGS = new HashMap<>();

        static {
            for (String file : NAMES) {
                JsonNode schema = readJSON(file);
                SCHEMAS.put(file, schema);
                SPELLINGS.put(file, file);
                SPELLINGS.put(file.replaceAll("\\.json$", ""), file);
                SPELLINGS.put(schema.path("x-export").path("kind").asText(file), file);
            }
        }
    }
}
