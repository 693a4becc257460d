//go:build proof

package ios_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mobile/internal/proof"
)

// declaration is one member of a class, in the terms of TypeScript, or a constant, whose class is "".
type declaration struct {
	static     bool
	parameters []string // types; nil for a property
	result     string
	since      string // the version of iOS that it came with; "" when it is older than what is known
	readonly   bool
}

// declarations are keyed by class and name, such as "UIApplication.openURLOptionsCompletionHandler" and "UNAuthorizationStatus.Denied".
type declarations map[string]declaration

// exempt is what cannot be compared: "" in the place of the member stands for the whole class.
var exempt = map[string]string{
	"NSObject":                  "it belongs to the runtime",
	"NSCopying":                 "it is empty here",
	"NSFastEnumeration":         "TypeScript has loops of its own",
	"NSString.stringWithFormat": "TypeScript cannot call functions with any number of arguments",
	"NSDictionary.dictionaryWithObjectsForKeysCount": "C arrays are left out of the types",
	"NSArray.arrayWithObjectsCount":                  "C arrays are left out of the types",
}

// TestStubs holds what the stubs declare against Apple's headers: names, types, nullability and versions.
func TestStubs(t *testing.T) {
	real := readTypes(t, proof.Tool(t, "nativescript"))
	count := 0
	for _, file := range proof.Sources(t, "stubs", ".h") {
		text := proof.Get(os.ReadFile(file))(t)
		for name, ours := range readStub(string(text)) {
			class, _, _ := strings.Cut(name, ".")
			if exempt[class] != "" || exempt[name] != "" {
				continue
			}
			count++
			t.Run(name, func(t *testing.T) {
				theirs, known := real[name]
				if !known {
					t.Fatalf("%s: there is no %s", filepath.Base(file), name)
				}
				if problem := compare(ours, theirs); problem != "" {
					t.Errorf("%s: %s", filepath.Base(file), problem)
				}
			})
		}
	}
	proof.Hold(t, count >= 75, "only %d declarations were found in the stubs", count)
}

// oldest is the version that the host is compiled for: what is older needs no version in the stubs.
const oldest = 13

func compare(ours, theirs declaration) string {
	if ours.static != theirs.static || ours.readonly != theirs.readonly || (ours.parameters == nil) != (theirs.parameters == nil) {
		return fmt.Sprintf("it is %+v, really %+v", ours, theirs)
	}
	major, _, _ := strings.Cut(theirs.since, ".")
	if since, _ := strconv.Atoi(major); since > oldest && ours.since != major {
		// A higher version than the real one only makes the host ask for more.
		if own, _ := strconv.Atoi(ours.since); own < since {
			return fmt.Sprintf("it is there since iOS %q, really %q", ours.since, theirs.since)
		}
	}
	if len(ours.parameters) != len(theirs.parameters) {
		return fmt.Sprintf("it has %d parameters, really %d", len(ours.parameters), len(theirs.parameters))
	}
	for i := range ours.parameters {
		if ours.parameters[i] != "?" && ours.parameters[i] != theirs.parameters[i] {
			return fmt.Sprintf("parameter %d is %q, really %q", i, ours.parameters[i], theirs.parameters[i])
		}
	}
	if ours.result != "?" && ours.result != theirs.result {
		return fmt.Sprintf("it gives %q, really %q", ours.result, theirs.result)
	}
	return ""
}

var (
	tsClass  = regexp.MustCompile(`^declare class (\w+)|^interface (\w+)`)
	tsEnum   = regexp.MustCompile(`^declare const enum (\w+)`)
	tsItem   = regexp.MustCompile(`^\t(\w+) = (-?\d+)`)
	tsMember = regexp.MustCompile(`^\t(static )?(readonly )?(\w+)\??(?:\((.*)\))?: (.*?);( // inherited.*)?$`)
	tsConst  = regexp.MustCompile(`^declare var (\w+): (.*);`)
	tsSince  = regexp.MustCompile(`\* @since ([\d.]+)`)
	tsName   = regexp.MustCompile(`^\w+: `)
)

// readTypes reads the types of the NativeScript project.
func readTypes(t *testing.T, dir string) declarations {
	d := declarations{}
	for _, file := range proof.Sources(t, dir, ".d.ts") {
		text := proof.Get(os.ReadFile(file))(t)
		class, since := "", ""
		for line := range strings.Lines(string(text)) {
			line = strings.TrimRight(line, "\n")
			if groups := tsSince.FindStringSubmatch(line); groups != nil {
				since = groups[1]
			} else if groups := tsClass.FindStringSubmatch(line); groups != nil {
				class, since = groups[1]+groups[2], ""
			} else if groups := tsEnum.FindStringSubmatch(line); groups != nil {
				class, since = groups[1], ""
			} else if groups := tsItem.FindStringSubmatch(line); groups != nil {
				d[class+"."+groups[1]] = declaration{result: groups[2]}
			} else if groups := tsConst.FindStringSubmatch(line); groups != nil {
				d[groups[1]], since = declaration{result: groups[2], since: since}, ""
			} else if groups := tsMember.FindStringSubmatch(line); groups != nil && groups[6] == "" {
				member := declaration{static: groups[1] != "", readonly: groups[2] != "", result: groups[5], since: since}
				if strings.Contains(line, groups[3]+"(") || strings.Contains(line, groups[3]+"?(") {
					member.parameters = parameters(groups[4])
				}
				d[class+"."+groups[3]], since = member, ""
			}
		}
	}
	return d
}

// parameters gives the types of a list of parameters.
func parameters(text string) []string {
	list := []string{}
	depth, begin := 0, 0
	for i, r := range text + "," {
		switch r {
		case '(', '<', '[':
			depth++
		case ')', ']':
			depth--
		case '>':
			if i == 0 || text[i-1] != '=' {
				depth--
			}
		case ',':
			if depth == 0 && strings.TrimSpace(text[begin:i]) != "" {
				list = append(list, tsName.ReplaceAllString(strings.TrimSpace(text[begin:i]), ""))
				begin = i + 1
			}
		}
	}
	return list
}

var (
	begins     = regexp.MustCompile(`^@(?:interface|protocol) (\w+)`)
	property   = regexp.MustCompile(`^@property(?: \((.*?)\))? (.*?)(\w+);`)
	exported   = regexp.MustCompile(`^FOUNDATION_EXPORT (.*?)\b(\w+)(?: API_AVAILABLE\(.*)?;`)
	attributes = regexp.MustCompile(` (?:API_AVAILABLE|__attribute__)\(.*\)`)
	// TypeScript says nothing about extensions.
	unavailable = regexp.MustCompile(` NS_EXTENSION_UNAVAILABLE_IOS\(.*?\)`)
	available   = regexp.MustCompile(`API_AVAILABLE\(ios\((\d+)\)\)`)
	enumBegins  = regexp.MustCompile(`NS_(?:ENUM|OPTIONS)\(\w+, (\w+)\) \{`)
	enumerator  = regexp.MustCompile(`^\s*(\w+)(?: API_AVAILABLE\(.*?\)\))?(?: = (.*?))?,$`)
)

// readStub reads one of the stub headers, which are written one declaration a line.
func readStub(text string) declarations {
	d := declarations{}
	class, enum, next := "", "", 0
	for line := range strings.Lines(text) {
		line = unavailable.ReplaceAllString(strings.TrimRight(line, "\n"), "")
		since := ""
		if groups := available.FindStringSubmatch(line); groups != nil {
			since = groups[1]
		}
		switch groups := begins.FindStringSubmatch(line); {
		case groups != nil && !strings.HasSuffix(line, ";"):
			class = groups[1]
		case strings.HasPrefix(line, "@end"):
			class = ""
		case enumBegins.MatchString(line):
			enum, next = enumBegins.FindStringSubmatch(line)[1], 0
		case enum != "" && strings.HasPrefix(line, "}"):
			enum = ""
		case enum != "":
			if groups := enumerator.FindStringSubmatch(line); groups != nil {
				if groups[2] != "" {
					next = number(groups[2])
				}
				// TypeScript's enumerators are without the name of their type.
				name := strings.TrimPrefix(strings.TrimPrefix(groups[1], enum), strings.TrimSuffix(enum, "s"))
				d[enum+"."+name] = declaration{result: strconv.Itoa(next)}
				next++
			}
		case class != "" && strings.HasPrefix(line, "@property"):
			groups := property.FindStringSubmatch(attributes.ReplaceAllString(line, ""))
			flags := strings.Split(strings.ReplaceAll(groups[1], " ", ""), ",")
			d[class+"."+groups[3]] = declaration{
				static: slices.Contains(flags, "class"), readonly: slices.Contains(flags, "readonly"), since: since,
				result: typed(groups[2], class, slices.Contains(flags, "nullable")),
			}
		case class != "" && (strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "+ ")):
			name, member := readMethod(line, class)
			member.since = since
			d[class+"."+name] = member
		default:
			if groups := exported.FindStringSubmatch(line); groups != nil {
				d[groups[2]] = declaration{result: typed(groups[1], "", false), since: since}
			}
		}
	}
	return d
}

func number(text string) int {
	text = strings.Trim(text, "() ")
	if one, shift, shifted := strings.Cut(text, "<<"); shifted {
		return number(one) << number(shift)
	}
	n, _ := strconv.Atoi(text)
	return n
}

// readMethod reads a method: the name as in TypeScript, its parts joined by capital letters.
func readMethod(line, class string) (name string, member declaration) {
	member = declaration{static: line[0] == '+', parameters: []string{}}
	rest := strings.TrimSpace(attributes.ReplaceAllString(line[1:], ""))
	result, rest := parenthesized(rest)
	member.result = typed(result, class, false)
	for {
		before, after, more := strings.Cut(rest, ":")
		if !more {
			if name == "" {
				name, _, _ = strings.Cut(strings.TrimSuffix(before, ";"), " ")
			}
			return name, member
		}
		words := strings.Fields(before)
		part := words[len(words)-1]
		if name != "" {
			part = strings.ToUpper(part[:1]) + part[1:]
		}
		name += part
		var kind string
		kind, rest = parenthesized(after)
		member.parameters = append(member.parameters, typed(kind, class, false))
	}
}

// parenthesized cuts a text after the parenthesis that it begins with.
func parenthesized(text string) (inside, rest string) {
	depth := 0
	for i, r := range text {
		if r == '(' {
			depth++
		} else if r == ')' {
			if depth--; depth == 0 {
				return text[1:i], text[i+1:]
			}
		}
	}
	return "", text
}

var block = regexp.MustCompile(`^(\w+) \(\^(_Nullable)?\)\((.*)\)$`)

// typed gives a type in the terms of TypeScript, or "?" when there is no telling.
func typed(kind, class string, nullable bool) string {
	if strings.Contains(kind, "nullable ") || strings.Contains(kind, "_Nullable") && !strings.Contains(kind, "(") {
		nullable = true
	}
	kind = strings.NewReplacer("nullable ", "", "const", "", "_Nullable", " ").Replace(kind)
	if groups := block.FindStringSubmatch(strings.TrimSpace(strings.ReplaceAll(kind, "(^ )", "(^_Nullable)"))); groups != nil {
		var list []string
		for i, parameter := range parameters(groups[3]) {
			if parameter == "void" {
				continue
			}
			words := strings.Fields(strings.ReplaceAll(parameter, "*", "* "))
			isNullable := strings.Contains(parameter, "  ")
			list = append(list, fmt.Sprintf("p%d: %s", i+1, typed(strings.Join(words[:len(words)-1], " "), class, isNullable)))
		}
		return orNull(fmt.Sprintf("(%s) => void", strings.Join(list, ", ")), groups[2] != "")
	}
	kind = strings.TrimSpace(kind)
	pointer := strings.HasSuffix(kind, "*")
	name := strings.TrimSpace(strings.TrimSuffix(kind, "*"))
	switch {
	case name == "void" && !pointer:
		return "void"
	case name == "BOOL":
		return "boolean"
	case name == "id":
		return orNull("any", nullable)
	case name == "id<NSObject>":
		return orNull("NSObjectProtocol", nullable)
	case strings.HasPrefix(name, "id<"):
		return orNull(strings.Trim(name[2:], "<> "), nullable)
	case name == "instancetype":
		return "?"
	case name == "NSString" && pointer:
		return orNull("string", nullable)
	case name == "NSNumber", name == "NSDate", name == "NSDictionary":
		// TypeScript has numbers and dates of its own, and names what is in a dictionary
		return "?"
	case slices.Contains([]string{"NSUInteger", "NSInteger", "int", "NSStringEncoding", "NSTimeInterval", "unsigned long"}, name) && !pointer:
		return "number"
	case name == "NSUInteger", name == "NSRangePointer": // a pointer
		return "?"
	case regexp.MustCompile(`^(NS|UI|UN|AT|SK|SF)\w+$`).MatchString(name):
		return orNull(name, nullable)
	}
	return "?"
}

func orNull(kind string, nullable bool) string {
	if nullable {
		return kind + " | null"
	}
	return kind
}
