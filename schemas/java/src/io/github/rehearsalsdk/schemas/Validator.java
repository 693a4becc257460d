package io.github.rehearsalsdk.schemas;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.JsonMetaSchema;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.PathType;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Checks values against the schemas, and says of those that do not fit what is wrong and what to do. A validator may be used by many
 * threads.
 */
public final class Validator {
    private final SchemaValidatorsConfig config = SchemaValidatorsConfig.builder()
            .formatAssertionsEnabled(true)
            .pathType(PathType.JSON_POINTER)
            .build();
    private final JsonSchemaFactory factory;
    private final Map<JsonNode, Map<String, JsonSchema>> single = new IdentityHashMap<>(); // of a schema: a validator for each keyword

    public Validator() {
        Map<String, String> texts = Schemas.names().stream().collect(Collectors.toMap(name -> Schemas.BASE + name, Schemas::read));
        JsonMetaSchema dialect =
                JsonMetaSchema.builder(JsonMetaSchema.getV202012()).format(new Email()).build();
        factory = JsonSchemaFactory.getInstance(
                SpecVersion.VersionFlag.V202012,
                builder -> builder.metaSchema(dialect).schemaLoaders(loaders -> loaders.schemas(texts)));
    }

    /**
     * The faults of a value, sorted; empty when it fits.
     *
     * @param name the path of a schema file, with or without .json, or the kind of an export, such as userbase
     * @throws IllegalArgumentException if no schema has the name
     */
    public List<Problem> problems(String name, JsonNode value) {
        String file = Schemas.file(name);
        Set<ValidationMessage> messages = factory.getSchema(SchemaLocation.of(Schemas.BASE + file), config).validate(value);
        if (messages.isEmpty()) {
            return List.of();
        }
        List<Problem> problems;
        synchronized (single) {
            problems = new Explainer(this::holds).explain(file, Schemas.schema(file), value);
        }
        if (!problems.isEmpty()) {
            return problems;
        }
        ValidationMessage message = messages.iterator().next(); // of a keyword that has no words of ours
        String pointer = message.getInstanceLocation().toString();
        String want = Words.say("other", "keyword", message.getType(), "reason", message.getMessage());
        return List.of(new Problem(
                pointer, message.getType(), Words.say("must", "subject", Words.fieldName(pointer), "want", want)));
    }

    /**
     * Throws unless the value fits.
     *
     * @throws InvalidException if it does not
     */
    public void validate(String name, JsonNode value) {
        List<Problem> problems = problems(name, value);
        if (!problems.isEmpty()) {
            throw new InvalidException(Schemas.file(name), problems);
        }
    }

    private boolean holds(JsonNode schema, String keyword, JsonNode value) {
        Function<String, JsonSchema> compile =
                name -> factory.getSchema(Schemas.JSON.createObjectNode().set(name, schema.get(name)), config);
        return single.computeIfAbsent(schema, key -> new HashMap<>()).computeIfAbsent(keyword, compile).validate(value).isEmpty();
    }
}
