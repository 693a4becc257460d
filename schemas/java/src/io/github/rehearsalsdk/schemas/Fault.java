package io.github.rehearsalsdk.schemas;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;

/** One fault on its way to a problem. */
record Fault(String pointer, String keyword, String subject, String want, String found, List<Object> allowed, Condition when, String hint) {
    static final Comparator<String> BY_TEXT = (a, b) ->
            java.util.Arrays.compareUnsigned(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));

    /** Of two faults of one kind at one place, the one with the fewest choices is the one that bites. */
    static final Comparator<Fault> BY_STRENGTH = Comparator.<Fault>comparingInt(fault -> fault.allowed.size())
            .thenComparingInt(fault -> Words.bytesOf(fault.message()))
            .thenComparing(Fault::message, BY_TEXT);

    /** When a rule holds; weak where the rule may not be meant at all, since the condition could not be looked at. */
    record Condition(String text, boolean weak) {
        static final Condition ALWAYS = new Condition("", false);
    }

    static Fault of(String pointer, String keyword, Condition when) {
        return new Fault(pointer, keyword, Words.fieldName(pointer), "", "", List.of(), when, "");
    }

    static Fault of(String pointer, String keyword, Condition when, JsonNode value) {
        return of(pointer, keyword, when).withFound(Words.describe(value));
    }

    Fault withSubject(String other) {
        return new Fault(pointer, keyword, other, want, found, allowed, when, hint);
    }

    Fault withKeyword(String other) {
        return new Fault(pointer, other, subject, want, found, allowed, when, hint);
    }

    Fault withWant(String other) {
        return new Fault(pointer, keyword, subject, other, found, List.of(), when, hint);
    }

    Fault withFound(String other) {
        return new Fault(pointer, keyword, subject, want, other, allowed, when, hint);
    }

    Fault withAllowed(List<Object> others) {
        return new Fault(pointer, keyword, subject, want, found, others, when, hint);
    }

    Fault withHint(String other) {
        return new Fault(pointer, keyword, subject, want, found, allowed, when, other);
    }

    boolean is(String otherKeyword, String otherPointer) {
        return keyword.equals(otherKeyword) && pointer.equals(otherPointer);
    }

    String wanted() {
        return allowed.isEmpty() ? want : Words.listValues(allowed);
    }

    String message() {
        String sentence = switch (keyword) {
            case "required", "dependentRequired" -> "missing";
            case "additionalProperties" -> "unknown";
            default -> "must";
        };
        String ending = found.isEmpty() ? "" : Words.say("found", "found", found);
        return Words.say(sentence, "subject", subject, "want", wanted()) + when.text + ending + hint;
    }
}
