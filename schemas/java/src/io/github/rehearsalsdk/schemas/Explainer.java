package io.github.rehearsalsdk.schemas;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.rehearsalsdk.schemas.Fault.Condition;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Says why a value does not fit its schema, in the few faults that a person would name. Whether a keyword holds is asked of the
 * validator; here is only the way through the schema, and what is said on it. The Go package of the repository does the same.
 */
final class Explainer {
    /** Tells whether one keyword of a schema holds for a value. */
    interface Keywords {
        boolean holds(JsonNode schema, String keyword, JsonNode value);
    }

    private static final List<String> LEAVES = List.of(
            "const", "enum", "format", "minProperties", "maxProperties", "required", "dependentRequired", "minItems", "maxItems",
            "uniqueItems", "minLength", "maxLength", "pattern", "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf");

    private final Keywords keywords;

    Explainer(Keywords keywords) {
        this.keywords = keywords;
    }

    List<Problem> explain(String file, JsonNode schema, JsonNode value) {
        return tidy(walk(file, schema, "", value, Condition.ALWAYS)).stream()
                .map(fault -> new Problem(fault.pointer(), fault.keyword(), fault.message()))
                .sorted(Comparator.comparing(Problem::pointer, Words.BY_POINTER)
                        .thenComparing(Problem::keyword, Fault.BY_TEXT)
                        .thenComparing(Problem::message, Fault.BY_TEXT))
                .collect(Collectors.toList());
    }

    private List<Fault> walk(String file, JsonNode schema, String at, JsonNode value, Condition when) {
        List<Fault> faults = new ArrayList<>();
        if (schema.isBoolean()) {
            if (!schema.booleanValue()) {
                faults.add(Fault.of(at, "false", when).withWant(Words.say("false")));
            }
            return faults;
        }
        if (schema.has("type") && !keywords.holds(schema, "type", value)) {
            List<Object> types = new ArrayList<>();
            each(schema.get("type")).forEach(name -> types.add(Words.say("type " + name.textValue())));
            faults.add(Fault.of(at, "type", when).withAllowed(types).withFound(Words.describeKind(value)));
            return faults;
        }
        for (String keyword : LEAVES) {
            if (schema.has(keyword) && !keywords.holds(schema, keyword, value)) {
                leaf(faults, file, schema, keyword, at, value, when);
            }
        }
        if (value.isObject()) {
            members(faults, file, schema, at, value, when);
        } else if (value.isArray()) {
            JsonNode first = schema.path("prefixItems");
            for (int i = 0; i < value.size(); i++) {
                JsonNode items = i < first.size() ? first.get(i) : schema.get("items");
                if (items != null) {
                    faults.addAll(walk(file, items, at + "/" + i, value.get(i), when));
                }
            }
        }
        inPlace(faults, file, schema, at, value, when);
        return faults;
    }

    private void members(List<Fault> faults, String file, JsonNode schema, String at, JsonNode value, Condition when) {
        List<String> names = names(schema.path("properties"));
        value.fields().forEachRemaining(member -> {
            String name = member.getKey();
            String pointer = at + "/" + Words.escape(name);
            List<JsonNode> rules = new ArrayList<>();
            if (schema.path("properties").has(name)) {
                rules.add(schema.get("properties").get(name));
            }
            schema.path("patternProperties").fields().forEachRemaining(rule -> {
                if (Pattern.compile(rule.getKey()).matcher(name).find()) {
                    rules.add(rule.getValue());
                }
            });
            JsonNode additional = schema.path("additionalProperties");
            if (rules.isEmpty() && additional.isBoolean() && !additional.booleanValue()) {
                String sentence = "additionalProperties" + switch (names.size()) {
                    case 0 -> " none";
                    case 1 -> " one";
                    default -> "";
                };
                faults.add(Fault.of(pointer, "additionalProperties", when)
                        .withWant(Words.say(sentence, "names", String.join(", ", names)))
                        .withHint(Words.suggestion(name, names)));
                return;
            }
            if (rules.isEmpty() && !additional.isMissingNode()) {
                rules.add(additional);
            }
            rules.forEach(rule -> faults.addAll(walk(file, rule, pointer, member.getValue(), when)));
        });
    }

    /** What references, branches and conditions say of the same value. */
    private void inPlace(List<Fault> faults, String file, JsonNode schema, String at, JsonNode value, Condition when) {
        if (schema.has("$ref")) {
            URI target = URI.create(Schemas.BASE + file).resolve(schema.get("$ref").textValue());
            String other = target.toString().substring(Schemas.BASE.length()).replaceAll("#.*", "");
            String fragment = Objects.requireNonNullElse(target.getFragment(), "");
            faults.addAll(walk(other, Schemas.schema(other).at(fragment), at, value, Condition.ALWAYS));
        }
        if (schema.has("not") && walk(file, schema.get("not"), at, value, Condition.ALWAYS).isEmpty()) {
            String shape = shapeOf(schema.get("not"), Words.say("not known"));
            faults.add(Fault.of(at, "not", when, value).withWant(Words.say("not", "shape", shape)));
        }
        for (JsonNode each : schema.path("allOf")) {
            faults.addAll(walk(file, each, at, value, when));
        }
        for (String keyword : List.of("anyOf", "oneOf")) {
            if (!schema.has(keyword)) {
                continue;
            }
            List<List<Fault>> branches = new ArrayList<>();
            schema.get(keyword).forEach(branch -> branches.add(tidy(walk(file, branch, at, value, when))));
            long fitting = branches.stream().filter(List::isEmpty).count();
            if (fitting == 0) {
                faults.addAll(alternatives(keyword, at, branches));
            } else if (fitting > 1 && keyword.equals("oneOf")) {
                faults.add(Fault.of(at, keyword, when).withWant(Words.say("oneOf")).withFound(Words.say("oneOf found")));
            }
        }
        if (schema.has("if")) {
            JsonNode test = schema.get("if");
            boolean applies = walk(file, test, at, value, Condition.ALWAYS).isEmpty();
            JsonNode branch = schema.get(applies ? "then" : "else");
            if (branch != null) {
                faults.addAll(walk(file, branch, at, value, applies ? holding(test, value) : failing(test, value)));
            }
        }
    }

    /** Words one broken rule. Only missing members may give several faults, one for each. */
    private static void leaf(
            List<Fault> faults, String file, JsonNode schema, String keyword, String at, JsonNode value, Condition when) {
        JsonNode limit = schema.get(keyword);
        Fault fault = Fault.of(at, keyword, when, value);
        switch (keyword) {
            case "required" -> missing(faults, keyword, at, limit, value, when, Words.say(keyword));
            case "dependentRequired" -> limit.fields().forEachRemaining(member -> {
                if (value.has(member.getKey())) {
                    missing(faults, keyword, at, member.getValue(), value, when, Words.say(keyword, "name", member.getKey()));
                }
            });
            case "const", "enum" -> {
                List<Object> allowed = new ArrayList<>(keyword.equals("const") ? List.of(limit) : each(limit));
                faults.add(fault.withAllowed(allowed).withHint(Words.suggestion(value, allowed)));
            }
            case "pattern" -> faults.add(fault.withWant(shapeOf(schema, Words.say(keyword, "pattern", limit.textValue())))
                    .withHint(file.equals("common/dates.json") ? Words.dateHint(value) : ""));
            case "format" -> {
                String known = Words.say("format " + limit.textValue());
                faults.add(fault.withWant(
                        shapeOf(schema, known.isEmpty() ? Words.say("format", "format", limit.textValue()) : known)));
            }
            case "minLength" -> faults.add(fault.withWant(
                    limit.intValue() == 1 ? Words.say("minLength one") : Words.say(keyword, "limit", Words.number(limit))));
            case "minItems", "maxItems" -> faults.add(counted(fault, keyword, limit, value, "item"));
            case "minProperties", "maxProperties" -> faults.add(counted(fault, keyword, limit, value, "member"));
            case "uniqueItems" -> faults.add(fault.withWant(Words.say(keyword)).withFound(Words.say("uniqueItems found")));
            default -> faults.add(fault.withWant(Words.say(keyword, "limit", Words.number(limit))));
        }
    }

    private static Fault counted(Fault fault, String keyword, JsonNode limit, JsonNode value, String noun) {
        return fault.withWant(Words.say(keyword, noun + "s", Words.count(limit.intValue(), noun)))
                .withFound(Words.count(value.size(), noun));
    }

    private static void missing(
            List<Fault> faults, String keyword, String at, JsonNode names, JsonNode value, Condition when, String want) {
        for (JsonNode name : names) {
            if (!value.has(name.textValue())) {
                faults.add(Fault.of(at + "/" + Words.escape(name.textValue()), keyword, when).withWant(want));
            }
        }
    }

    private static List<JsonNode> each(JsonNode oneOrMany) {
        List<JsonNode> all = new ArrayList<>();
        if (oneOrMany.isArray()) {
            oneOrMany.forEach(all::add);
        } else {
            all.add(oneOrMany);
        }
        return all;
    }

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    /** The first sentence of a description, if it reads as a shape ("A UTC date and time as ..."); else the fallback. */
    private static String shapeOf(JsonNode schema, String fallback) {
        String sentence = schema.path("description").asText("").split("\\. ", 2)[0].replaceAll("\\.$", "");
        return sentence.startsWith("A ") || sentence.startsWith("An ") ? "a" + sentence.substring(1) : fallback;
    }

    /** The members that an if looks at, by their pointers, and the values that it asks for. */
    private static Map<String, List<Object>> conditionTests(JsonNode schema, String pointer) {
        Map<String, List<Object>> tests = new LinkedHashMap<>();
        for (String name : new TreeSet<>(names(schema.path("properties")))) {
            JsonNode property = schema.get("properties").get(name);
            String at = pointer + "/" + Words.escape(name);
            if (property.path("properties").size() > 0) {
                tests.putAll(conditionTests(property, at));
                continue;
            }
            List<Object> allowed = new ArrayList<>();
            if (property.has("const")) {
                allowed.add(property.get("const"));
            }
            property.path("enum").forEach(allowed::add);
            tests.put(at, allowed);
        }
        return tests;
    }

    private static String conditionOf(String sentence, List<String> parts) {
        return parts.isEmpty() ? "" : Words.say(sentence, "condition", String.join(" and ", parts));
    }

    private static String part(String pointer, String value) {
        return Words.say("condition", "name", Words.fieldName(pointer), "value", value);
    }

    private static Condition holding(JsonNode schema, JsonNode value) {
        List<String> parts = new ArrayList<>();
        conditionTests(schema, "").keySet()
                .forEach(at -> Words.follow(value, at).ifPresent(there -> parts.add(part(at, Words.plain(there)))));
        return new Condition(conditionOf("when", parts), false);
    }

    private static Condition failing(JsonNode schema, JsonNode value) {
        List<String> parts = new ArrayList<>();
        boolean weak = false;
        for (Map.Entry<String, List<Object>> test : conditionTests(schema, "").entrySet()) {
            weak |= Words.follow(value, test.getKey()).isEmpty();
            if (!test.getValue().isEmpty()) {
                parts.add(part(test.getKey(), Words.listValues(test.getValue())));
            }
        }
        return new Condition(conditionOf("unless", parts), weak);
    }

    /** Drops what other faults already say, and sorts. */
    private static List<Fault> tidy(List<Fault> faults) {
        Set<String> typed = pointers(faults, "type");
        Set<String> patterned = pointers(faults, "pattern");
        boolean strong = faults.stream().anyMatch(fault -> !fault.when().weak());
        Map<String, Fault> kept = new TreeMap<>(Fault.BY_TEXT);
        for (Fault fault : faults) {
            boolean said = typed.contains(fault.pointer()) && !fault.keyword().equals("type")
                    || patterned.contains(fault.pointer()) && fault.keyword().equals("format")
                    || strong && fault.when().weak();
            if (!said) {
                kept.merge(fault.pointer() + "#" + fault.keyword(), fault, (a, b) -> Fault.BY_STRENGTH.compare(b, a) < 0 ? b : a);
            }
        }
        return new ArrayList<>(kept.values());
    }

    private static Set<String> pointers(List<Fault> faults, String keyword) {
        return faults.stream().filter(fault -> fault.keyword().equals(keyword)).map(Fault::pointer).collect(Collectors.toSet());
    }

    /** Reduces the failed branches of anyOf or oneOf to what the value most likely meant. */
    private static List<Fault> alternatives(String keyword, String pointer, List<List<Fault>> branches) {
        Optional<List<Fault>> first = atLeastOne(pointer, branches);
        if (first.isPresent()) {
            return first.get();
        }
        // A branch for another type of value says nothing, unless all are.
        List<List<Fault>> sameType = branches.stream()
                .filter(branch -> branch.stream().noneMatch(fault -> fault.is("type", pointer)))
                .collect(Collectors.toList());
        List<List<Fault>> meant = sameType.isEmpty() ? branches : sameType;
        int fewest = meant.stream().mapToInt(List::size).min().orElseThrow();
        List<List<Fault>> nearest = meant.stream().filter(branch -> branch.size() == fewest).collect(Collectors.toList());
        Optional<List<Fault>> merged = mergeAllowed(nearest);
        if (merged.isPresent()) {
            return merged.get();
        }
        boolean simple = nearest.stream().allMatch(branch -> branch.size() == 1
                && branch.get(0).pointer().equals(pointer)
                && !branch.get(0).keyword().equals("required"));
        return simple ? List.of(either(keyword, nearest)) : nearest.get(0);
    }

    /** Recognises branches that only ask for different members: one of them is missing. */
    private static Optional<List<Fault>> atLeastOne(String pointer, List<List<Fault>> branches) {
        TreeSet<String> distinct = new TreeSet<>(Fault.BY_TEXT);
        for (List<Fault> branch : branches) {
            for (Fault fault : branch) {
                if (!fault.keyword().equals("required")
                        || !fault.pointer().substring(0, fault.pointer().lastIndexOf('/')).equals(pointer)) {
                    return Optional.empty();
                }
            }
            distinct.add(branch.stream().map(Fault::subject).collect(Collectors.joining(" and ")));
        }
        if (distinct.size() == 1) {
            return Optional.of(branches.get(0));
        }
        String last = distinct.pollLast();
        String subject = String.join(", ", distinct) + " or " + last;
        return Optional.of(List.of(branches.get(0).get(0).withSubject(subject).withWant(Words.say("required one"))));
    }

    /** Joins branches that refuse the same places by lists of allowed values. */
    private static Optional<List<Fault>> mergeAllowed(List<List<Fault>> branches) {
        List<Fault> merged = new ArrayList<>();
        for (int i = 0; i < branches.get(0).size(); i++) {
            Fault first = branches.get(0).get(i);
            Map<String, Object> allowed = new LinkedHashMap<>();
            for (List<Fault> branch : branches) {
                if (!branch.get(i).is(first.keyword(), first.pointer()) || branch.get(i).allowed().isEmpty()) {
                    return Optional.empty();
                }
                branch.get(i).allowed().forEach(value -> allowed.putIfAbsent(Words.plain(value), value));
            }
            merged.add(first.withAllowed(new ArrayList<>(allowed.values())));
        }
        return Optional.of(merged);
    }

    /** Joins branches that each have one thing to say about the value itself. */
    private static Fault either(String keyword, List<List<Fault>> branches) {
        String want = branches.stream().map(branch -> branch.get(0).wanted()).collect(Collectors.joining(Words.say("either")));
        String hint = branches.stream().map(branch -> branch.get(0).hint()).filter(each -> !each.isEmpty()).findFirst().orElse("");
        return branches.get(0).get(0).withKeyword(keyword).withWant(want).withHint(hint);
    }
}
