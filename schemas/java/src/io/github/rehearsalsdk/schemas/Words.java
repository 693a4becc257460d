package io.github.rehearsalsdk.schemas;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** How values and places are written in a sentence. */
final class Words {
    private static final int SHOWN_TEXT = 60;
    private static final int NAMED_TOKENS = 8;
    private static final int MOST_FRACTION = 9;
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{([a-z]+)}");
    private static final Pattern SIMPLE = Pattern.compile("[A-Za-z0-9_.$:/-]+");
    private static final Pattern INDEX = Pattern.compile("[+-]?[0-9]{1,18}");
    private static final Pattern LIKE_DATE = Pattern.compile("([0-9]{4}-[0-9]{2}-[0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})"
            + "(?:[.]([0-9]+))?(?:Z|[+-][0-9]{2}:[0-9]{2})?");
    private static final JsonNode WORDING = Schemas.readJSON("wording.json");

    /** Orders two tokens: indexes as numbers, before names. */
    private static final Comparator<String> BY_TOKEN = (a, b) -> {
        if (isIndex(a) && isIndex(b) && Long.parseLong(a) != Long.parseLong(b)) {
            return Long.compare(Long.parseLong(a), Long.parseLong(b));
        }
        return isIndex(a) == isIndex(b) ? Fault.BY_TEXT.compare(a, b) : isIndex(a) ? -1 : 1;
    };

    static final Comparator<String> BY_POINTER = (a, b) -> {
        List<String> left = tokens(a);
        List<String> right = tokens(b);
        for (int i = 0; i < left.size() && i < right.size(); i++) {
            int order = BY_TOKEN.compare(left.get(i), right.get(i));
            if (order != 0) {
                return order;
            }
        }
        return left.size() - right.size();
    };

    private Words() {}

    /** Fills a sentence of wording.json; parts are pairs of a placeholder and what stands for it. An unknown sentence is empty. */
    static String say(String name, String... parts) {
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i < parts.length; i += 2) {
            values.put(parts[i], parts[i + 1]);
        }
        return PLACEHOLDER.matcher(WORDING.path(name).asText(""))
                .replaceAll(found -> Matcher.quoteReplacement(values.getOrDefault(found.group(1), found.group())));
    }

    static String escape(String name) {
        return name.replace("~", "~0").replace("/", "~1");
    }

    static List<String> tokens(String pointer) {
        if (pointer.isEmpty()) {
            return List.of();
        }
        return Arrays.stream(pointer.substring(1).split("/", -1))
                .map(token -> token.replace("~1", "/").replace("~0", "~"))
                .collect(Collectors.toList());
    }

    /** The value that a JSON Pointer leads to. */
    static Optional<JsonNode> follow(JsonNode value, String pointer) {
        JsonNode there = value.at(pointer);
        return there.isMissingNode() ? Optional.empty() : Optional.of(there);
    }

    private static boolean isIndex(String token) {
        return INDEX.matcher(token).matches();
    }

    static int bytesOf(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** The beginning of a text: at most so many bytes, and whole characters. */
    private static String cut(String text, int most) {
        int length = 0;
        for (int i = 0; i < text.length(); i = text.offsetByCodePoints(i, 1)) {
            length += bytesOf(Character.toString(text.codePointAt(i)));
            if (length > most) {
                return text.substring(0, i);
            }
        }
        return text;
    }

    private static boolean isPrintable(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.PRIVATE_USE, Character.UNASSIGNED,
                    Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> false;
            case Character.SPACE_SEPARATOR -> character == ' ';
            default -> true;
        };
    }

    private static String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.codePoints().forEach(code -> {
            switch (code) {
                case '"', '\\' -> quoted.append('\\').appendCodePoint(code);
                case 7 -> quoted.append("\\a");
                case '\b' -> quoted.append("\\b");
                case '\f' -> quoted.append("\\f");
                case '\n' -> quoted.append("\\n");
                case '\r' -> quoted.append("\\r");
                case '\t' -> quoted.append("\\t");
                case 11 -> quoted.append("\\v");
                default -> {
                    if (isPrintable(code)) {
                        quoted.appendCodePoint(code);
                    } else {
                        quoted.append(String.format(code < 0x80 ? "\\x%02x" : code < 0x10000 ? "\\u%04x" : "\\U%08x", code));
                    }
                }
            }
        });
        return quoted.append('"').toString();
    }

    private static String shorten(String name) {
        String head = cut(name, SHOWN_TEXT);
        head = head.length() < name.length() ? head + "..." : head;
        return head.codePoints().allMatch(Words::isPrintable) ? head : quote(head);
    }

    /** Writes a JSON Pointer as a person would: events[0], filter.segment. */
    static String fieldName(String pointer) {
        List<String> path = tokens(pointer);
        StringBuilder name = new StringBuilder();
        if (path.size() > NAMED_TOKENS) {
            path = path.subList(path.size() - NAMED_TOKENS, path.size());
            name.append("...");
        }
        for (String token : path) {
            if (isIndex(token)) {
                name.append('[').append(token).append(']');
            } else {
                name.append(name.length() > 0 ? "." : "").append(shorten(token));
            }
        }
        return name.length() > 0 ? name.toString() : say("the value");
    }

    static String count(int number, String noun) {
        return switch (number) {
            case 0 -> say(noun + " none");
            case 1 -> say(noun + " one");
            default -> say(noun, "count", Integer.toString(number));
        };
    }

    /** Writes a value that was found, cut short if it is long. */
    static String describe(JsonNode value) {
        if (value.isTextual()) {
            String text = value.textValue();
            String head = cut(text, SHOWN_TEXT);
            return head.length() == text.length()
                    ? quote(text)
                    : say("long", "head", quote(head), "bytes", Integer.toString(bytesOf(text) - bytesOf(head)));
        }
        if (value.isArray()) {
            return say("array", "items", count(value.size(), "item"));
        }
        return value.isObject() ? say("object") : shorten(value.asText());
    }

    /** Writes a value whose type is wrong. */
    static String describeKind(JsonNode value) {
        return switch (value.getNodeType()) {
            case STRING -> say("kind string", "value", describe(value));
            case BOOLEAN -> say("kind boolean", "value", describe(value));
            case NUMBER -> say("kind number", "value", describe(value));
            default -> describe(value);
        };
    }

    /** Writes an allowed value, a {@link JsonNode} or the name of a type: simple words as they are, other text in quotes. */
    static String plain(Object allowed) {
        if (!(allowed instanceof JsonNode value)) {
            return allowed.toString();
        }
        if (!value.isTextual()) {
            return describe(value);
        }
        String text = value.textValue();
        if (text.isEmpty()) {
            return say("empty");
        }
        return text.length() <= SHOWN_TEXT && SIMPLE.matcher(text).matches() ? text : describe(value);
    }

    /** Writes the values to choose from: a, b or c. */
    static String listValues(List<Object> values) {
        List<String> words = values.stream().map(Words::plain).collect(Collectors.toList());
        int last = words.size() - 1;
        if (last < 1) {
            return last < 0 ? say("nothing") : words.get(0);
        }
        String list = String.join(", ", words.subList(0, last)) + " or " + words.get(last);
        return last == 1 || values.get(0) instanceof String ? list : say("choice", "list", list);
    }

    static String number(JsonNode value) {
        return value.decimalValue().setScale(MOST_FRACTION, RoundingMode.HALF_UP).add(BigDecimal.ZERO).stripTrailingZeros().toPlainString();
    }

    /** Counts the insertions, deletions, replacements and swaps of neighbours between two words. */
    private static int distance(byte[] a, byte[] b) {
        int longest = 64;
        if (a.length > longest || b.length > longest) {
            return 2 * longest;
        }
        int[] before = new int[b.length + 1];
        int[] last = new int[b.length + 1];
        Arrays.setAll(last, j -> j);
        for (int i = 0; i < a.length; i++) {
            int[] row = new int[b.length + 1];
            row[0] = i + 1;
            for (int j = 0; j < b.length; j++) {
                row[j + 1] = Math.min(Math.min(last[j + 1], row[j]) + 1, last[j] + (a[i] == b[j] ? 0 : 1));
                if (i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j]) {
                    row[j + 1] = Math.min(row[j + 1], before[j - 1] + 1);
                }
            }
            before = last;
            last = row;
        }
        return last[b.length];
    }

    /** The candidate that a misspelt word was probably meant to be, or "". */
    private static String likely(String word, List<String> candidates) {
        String best = "";
        int bestDistance = 1 + Math.min(3, bytesOf(word) / 3);
        String a = word.toLowerCase(Locale.ROOT);
        byte[] bytes = a.getBytes(StandardCharsets.UTF_8);
        for (String candidate : word.isEmpty() ? List.<String>of() : candidates) {
            String b = candidate.toLowerCase(Locale.ROOT);
            byte[] other = b.getBytes(StandardCharsets.UTF_8);
            int apart = distance(bytes, other);
            if (bytes.length > 3 && other.length > 3 && (a.startsWith(b) || b.startsWith(a))) {
                apart = Math.min(apart, 2);
            }
            if (apart < bestDistance) {
                best = candidate;
                bestDistance = apart;
            }
        }
        return best.equals(word) ? "" : best;
    }

    /** Closes a message with a suggestion, if there is a likely one. */
    static String suggestion(String name, List<String> candidates) {
        String word = likely(name, candidates);
        return word.isEmpty() ? "" : say("suggestion", "word", word);
    }

    /** The same for a value that is one of others; only texts are alike. */
    static String suggestion(JsonNode value, List<Object> allowed) {
        List<String> candidates = new ArrayList<>();
        for (Object each : allowed) {
            if (each instanceof JsonNode node && node.isTextual()) {
                candidates.add(node.textValue());
            }
        }
        return value.isTextual() ? suggestion(value.textValue(), candidates) : "";
    }

    /** Says what is wrong with a text that looks as a date should, or "". */
    static String dateHint(JsonNode value) {
        Matcher parts = LIKE_DATE.matcher(value.asText());
        if (!value.isTextual() || !parts.matches()) {
            return "";
        }
        try {
            LocalDate.parse(parts.group(1));
        } catch (DateTimeException e) {
            return say("date", "date", parts.group(1));
        }
        if (Integer.parseInt(parts.group(2)) > 23 || Integer.parseInt(parts.group(3)) > 59 || Integer.parseInt(parts.group(4)) > 59) {
            return say("time");
        }
        int digits = parts.group(5) == null ? 0 : parts.group(5).length();
        return digits <= MOST_FRACTION ? ""
                : say("fraction", "digits", Integer.toString(digits), "limit", Integer.toString(MOST_FRACTION));
    }
}
