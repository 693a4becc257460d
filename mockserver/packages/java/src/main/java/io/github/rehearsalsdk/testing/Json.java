package io.github.rehearsalsdk.testing;

import java.time.temporal.Temporal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads and writes JSON, so that no library comes with the tests: objects are maps, arrays lists, numbers Long or Double. */
final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    static Object read(String text) {
        Json reader = new Json(text);
        Object value = reader.value();
        if (reader.next() != '\0') {
            throw reader.fault();
        }
        return value;
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> object(Object value) {
        return (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked")
    static List<Object> list(Map<String, Object> from, String name) {
        return (List<Object>) from.getOrDefault(name, List.of());
    }

    static String text(Map<String, Object> from, String name) {
        return (String) from.getOrDefault(name, "");
    }

    static long number(Map<String, Object> from, String name) {
        return (Long) from.getOrDefault(name, 0L);
    }

    /** next is the character after blanks, or 0 at the end. */
    private char next() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return at < text.length() ? text.charAt(at) : '\0';
    }

    private IllegalArgumentException fault() {
        return new IllegalArgumentException("no JSON at " + at + ": " + text);
    }

    private boolean skip(char wanted) {
        if (next() != wanted) {
            return false;
        }
        at++;
        return true;
    }

    private void need(char wanted) {
        if (!skip(wanted)) {
            throw fault();
        }
    }

    private Object value() {
        switch (next()) {
            case '{' -> {
                Map<String, Object> members = new LinkedHashMap<>();
                need('{');
                for (boolean more = !skip('}'); more; more = !skip('}')) {
                    if (!members.isEmpty()) {
                        need(',');
                    }
                    next();
                    String name = string();
                    need(':');
                    members.put(name, value());
                }
                return members;
            }
            case '[' -> {
                List<Object> items = new ArrayList<>();
                need('[');
                for (boolean more = !skip(']'); more; more = !skip(']')) {
                    if (!items.isEmpty()) {
                        need(',');
                    }
                    items.add(value());
                }
                return items;
            }
            case '"' -> {
                return string();
            }
            default -> {
                return word();
            }
        }
    }

    private Object word() {
        int begin = at;
        while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String word = text.substring(begin, at);
        switch (word) {
            case "true":
                return true;
            case "false":
                return false;
            case "null":
                return null;
            default:
                try {
                    return word.matches("-?[0-9]+") ? (Object) Long.valueOf(word) : (Object) Double.valueOf(word);
                } catch (NumberFormatException notANumber) {
                    throw fault();
                }
        }
    }

    private String string() {
        need('"');
        StringBuilder value = new StringBuilder();
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == '"') {
                return value.toString();
            }
            if (c != '\\') {
                value.append(c);
                continue;
            }
            char escape = at < text.length() ? text.charAt(at++) : '\0';
            int simple = "\"\\/bfnrt".indexOf(escape);
            if (simple >= 0) {
                value.append("\"\\/\b\f\n\r\t".charAt(simple));
            } else if (escape == 'u' && at + 4 <= text.length()) {
                value.append((char) Integer.parseInt(text.substring(at, at += 4), 16));
            } else {
                throw fault();
            }
        }
        throw fault();
    }

    static String write(Object value) {
        StringBuilder text = new StringBuilder();
        write(text, value);
        return text.toString();
    }

    private static void write(StringBuilder text, Object value) {
        if (value == null || value instanceof Boolean || value instanceof Number) {
            text.append(value);
        } else if (value instanceof Map<?, ?> members) {
            String before = "{";
            for (Map.Entry<?, ?> member : members.entrySet()) {
                text.append(before);
                write(text, String.valueOf(member.getKey()));
                text.append(':');
                write(text, member.getValue());
                before = ",";
            }
            text.append(members.isEmpty() ? "{}" : "}");
        } else if (value instanceof Iterable<?> items) {
            String before = "";
            text.append('[');
            for (Object item : items) {
                text.append(before);
                write(text, item);
                before = ",";
            }
            text.append(']');
        } else if (value instanceof CharSequence || value instanceof Temporal || value instanceof Enum) {
            text.append('"');
            for (char c : value.toString().toCharArray()) {
                if (c < ' ' || c == '"' || c == '\\') {
                    text.append(String.format("\\u%04x", (int) c));
                } else {
                    text.append(c);
                }
            }
            text.append('"');
        } else {
            throw new IllegalArgumentException(value.getClass() + " cannot be sent as JSON: send maps, lists, texts, numbers and truth values");
        }
    }
}
