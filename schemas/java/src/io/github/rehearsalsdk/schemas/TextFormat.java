package io.github.rehearsalsdk.schemas;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.ExecutionContext;
import com.networknt.schema.Format;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;

/** A format of the table: the patterns that a text has to match as a whole. */
record TextFormat(String getName, List<Pattern> patterns) implements Format {
    TextFormat(String name, JsonNode patterns) {
        this(name, StreamSupport.stream(patterns.spliterator(), false).map(each -> compile(each.asText())).toList());
    }

    /** What is repeated begins with what cannot follow it. Possessive, it takes no stack: else a text of a few kilobytes overflows that. */
    private static Pattern compile(String pattern) {
        return Pattern.compile(pattern.replace("]*)*", "]*+)*+").replace("]+)*", "]++)*+"));
    }

    @Override
    public boolean matches(ExecutionContext context, String value) {
        return patterns.stream().allMatch(pattern -> pattern.matcher(value).matches());
    }
}
