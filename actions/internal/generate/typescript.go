package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// types writes the types of the arguments, the names of the capabilities, which arguments list actions, and the identifiers, for the
// web package.
func types(_ []byte, list []action) ([]byte, error) {
	var text, all strings.Builder
	text.WriteString("// " + notice + "import type { Arguments } from \"./arguments.js\";\n\n" +
		"/** What the built-ins without arguments take. Arguments that are given all the same would be ignored. */\n" +
		"export type NoArguments = { readonly [name: string]: never };\n")
	types, capabilities, lists, inside, names := map[string]string{}, []string{}, "", "", ""
	for _, a := range list {
		for _, p := range a.arguments.Properties {
			if p.Items != nil && len(p.Items.PrefixItems) > 0 {
				lists += fmt.Sprintf("  %q: %q,\n", a.Identifier, p.name)
			}
			if p.name == "li" {
				inside += fmt.Sprintf("  %q: %q,\n", a.Identifier, p.name)
			}
		}
		name := "NoArguments"
		if len(a.arguments.Properties) > 0 {
			name = typeName(a) + "Arguments"
			if err := objectType(&text, name, a); err != nil {
				return nil, fmt.Errorf("%s: %w", a.Identifier, err)
			}
		}
		for _, identifier := range a.identifiers() {
			types[identifier] = name
		}
		for _, capability := range a.Capabilities {
			if quoted := strconv.Quote(string(capability)); !slices.Contains(capabilities, quoted) {
				capabilities = append(capabilities, quoted)
			}
		}
	}
	for _, identifier := range sortedIdentifiers(list) {
		fmt.Fprintf(&all, "  %q: %s;\n", identifier, types[identifier])
		names += fmt.Sprintf("  %q,\n", identifier)
	}
	slices.Sort(capabilities)
	fmt.Fprintf(&text, "\n/** The arguments of the built-ins, by each of their identifiers. */\nexport type BuiltinArguments = {\n%s};\n",
		&all)
	fmt.Fprintf(&text, "\n/** Names of the capabilities of a host. */\nexport type CapabilityName =\n  | %s;\n",
		strings.Join(capabilities, "\n  | "))
	fmt.Fprintf(&text,
		"\n/** The argument that lists further actions to run, as pairs of an identifier and its arguments, of each built-in that has one. */\n"+
			"export const lists: Readonly<Record<string, string>> = {\n%s};\n", lists)
	fmt.Fprintf(&text, "\n/** The argument that asks for the effect inside the application, of each built-in that has one. */\n"+
		"export const inside: Readonly<Record<string, string>> = {\n%s};\n", inside)
	fmt.Fprintf(&text, "\n/** The identifiers of the built-ins. */\nexport const identifiers: readonly string[] = [\n%s];\n", names)
	return []byte(text.String()), nil
}

// objectType writes the type of an object of arguments.
func objectType(text *strings.Builder, name string, a action) error {
	text.WriteByte('\n')
	comment(text, "", a.Identifier+": "+a.arguments.Description)
	fmt.Fprintf(text, "export type %s = {\n", name)
	for _, p := range a.arguments.Properties {
		written, err := typeOf(&p.schema)
		if err != nil {
			return fmt.Errorf("argument %s: %w", p.name, err)
		}
		mark, about := "", p.Description
		if !slices.Contains(a.arguments.Required, p.name) {
			mark = "?"
		}
		if p.MinLength > 0 {
			about += " Not empty."
		}
		comment(text, "  ", about)
		fmt.Fprintf(text, "  readonly %s%s: %s;\n", p.name, mark, written)
	}
	text.WriteString("};\n")
	return nil
}

// comment writes a comment of documentation.
func comment(text *strings.Builder, indent, words string) {
	if len(words) < 110 {
		fmt.Fprintf(text, "%s/** %s */\n", indent, words)
		return
	}
	text.WriteString(indent + "/**\n")
	wrap(text, indent+" * ", words)
	text.WriteString(indent + " */\n")
}

// typeOf writes a type of TypeScript.
func typeOf(s *schema) (string, error) {
	var alternatives []string
	for _, value := range s.Enum {
		alternatives = append(alternatives, strconv.Quote(value))
	}
	for _, name := range s.Type {
		written, known := map[string]string{"string": "string", "boolean": "boolean", "number": "number", "integer": "number | bigint",
			"null": "null"}[name]
		var err error
		switch {
		case known:
		case name == "object" && s.Properties == nil:
			written = "Arguments"
		case name == "array" && s.Items != nil:
			written, err = listType(s.Items)
		case name == "array" && s.PrefixItems != nil && s.MinItems == len(s.PrefixItems) && s.MaxItems == len(s.PrefixItems):
			written, err = tupleType(s.PrefixItems)
		default:
			err = fmt.Errorf("there is no type for this %s: the generator must be taught one", name)
		}
		if err != nil {
			return "", err
		}
		alternatives = append(alternatives, written)
	}
	if len(alternatives) == 0 {
		return "", fmt.Errorf("it has neither type nor enum")
	}
	return strings.Join(alternatives, " | "), nil
}

func listType(items *schema) (string, error) {
	written, err := typeOf(items)
	if strings.Contains(written, " ") {
		written = "(" + written + ")"
	}
	return "readonly " + written + "[]", err
}

func tupleType(items []schema) (string, error) {
	var members []string
	for _, item := range items {
		written, err := typeOf(&item)
		if err != nil {
			return "", err
		}
		members = append(members, strings.ToLower(item.Title)+": "+written)
	}
	return "readonly [" + strings.Join(members, ", ") + "]", nil
}

// typeName makes UserEvent of service.user.event.
func typeName(a action) string {
	identifiers := a.identifiers()
	_, name, _ := strings.Cut(identifiers[len(identifiers)-1], ".")
	var written strings.Builder
	for _, word := range strings.FieldsFunc(name, func(r rune) bool { return r == '.' || r == '_' }) {
		written.WriteString(string(unicode.ToUpper(rune(word[0]))) + word[1:])
	}
	return written.String()
}

// catalogue writes the identifiers in the order of the table, for the page.
func catalogue(_ []byte, list []action) ([]byte, error) {
	var text strings.Builder
	text.WriteString("// " + notice + "\nimport type { CapabilityName } from \"./adapter\";\n\n" +
		"/** The built-in actions in the order of the specification's table, and the capabilities that each uses. */\n" +
		"export const order: readonly {\n  readonly identifier: string;\n  readonly neutral?: string;\n  readonly capabilities: readonly CapabilityName[];\n}[] = [\n")
	for _, a := range list {
		fmt.Fprintf(&text, "  { identifier: %q", a.Identifier)
		if a.Neutral != "" {
			fmt.Fprintf(&text, ", neutral: %q", a.Neutral)
		}
		var capabilities []string
		for _, name := range a.Capabilities {
			capabilities = append(capabilities, strconv.Quote(string(name)))
		}
		fmt.Fprintf(&text, ", capabilities: [%s] },\n", strings.Join(capabilities, ", "))
	}
	text.WriteString("];\n")
	return []byte(text.String()), nil
}

func sortedIdentifiers(list []action) []string {
	var all []string
	for _, a := range list {
		all = append(all, a.identifiers()...)
	}
	slices.Sort(all)
	return all
}
