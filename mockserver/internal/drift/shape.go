package drift

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift/amend"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pattern"
)

// longestShape is how much of a shape is shown.
const longestShape = 60

// shape is a text without what it says: letters are a or A, digits 0, and what stands between them stays.
func shape(text string) string {
	var made strings.Builder
	for i, r := range text {
		if i >= longestShape {
			made.WriteString("...")
			break
		}
		switch {
		case unicode.IsDigit(r):
			made.WriteByte('0')
		case unicode.IsUpper(r):
			made.WriteByte('A')
		case unicode.IsLetter(r):
			made.WriteByte('a')
		default:
			made.WriteRune(r)
		}
	}
	return made.String()
}

// came says what a value is, by its type and shape.
func came(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case string:
		return fmt.Sprintf("a string like %q", shape(v))
	case bool:
		return fmt.Sprint(v)
	case json.Number:
		return "a number like " + shape(v.String())
	case []any:
		return fmt.Sprintf("an array of %d", len(v))
	case map[string]any:
		return "an object"
	}
	return "a value"
}

// symbol is what values of enumerations look like: they are words of the service, not of a person.
var symbol = pattern.Of(`^[A-Za-z][A-Za-z0-9]*(?:[_.-][A-Za-z0-9]+)*$`)

// longestSymbol is how long such a word may be, mostDigits how many digits it may have.
const (
	longestSymbol = 40
	mostDigits    = 3
)

// isWord tells a word of the service from a value of somebody.
func isWord(text string) bool {
	return len(text) <= longestSymbol && digits(text) <= mostDigits && symbol().MatchString(text)
}

// word shows a value of an enumeration as it is, if it looks like one.
func word(value any) string {
	if text, is := value.(string); is && isWord(text) {
		return fmt.Sprintf("%q", text)
	}
	return came(value)
}

// sample is a value, every text and number in it by its shape; names of members stay.
func sample(value any) string {
	text, err := json.Marshal(shaped(value, 0))
	if err != nil {
		return ""
	}
	const most = 1000
	if len(text) > most {
		return string(text[:most]) + "..."
	}
	return string(text)
}

// depths and lengths of samples.
const (
	deepestSample = 6
	mostItems     = 3
	mostMembers   = 40
)

func shaped(value any, depth int) any {
	if depth > deepestSample {
		return "..."
	}
	switch v := value.(type) {
	case string:
		return shape(v)
	case json.Number:
		return json.RawMessage(strings.Map(func(r rune) rune {
			if unicode.IsDigit(r) {
				return '1'
			}
			return r
		}, v.String()))
	case []any:
		made := []any{}
		for _, item := range v[:min(len(v), mostItems)] {
			made = append(made, shaped(item, depth+1))
		}
		return made
	case map[string]any:
		made := map[string]any{}
		for name, member := range v {
			if len(made) == mostMembers {
				break
			}
			made[memberName(name)] = shaped(member, depth+1)
		}
		return made
	}
	return value
}

// memberName shows the name of a member unless it looks like a value.
func memberName(name string) string {
	if len(name) > longestSymbol || strings.ContainsAny(name, "@:/ ") || digits(name) > mostDigits {
		return shape(name)
	}
	return name
}

func digits(text string) (count int) {
	for _, r := range text {
		if unicode.IsDigit(r) {
			count++
		}
	}
	return count
}

// template is a pointer with * for the numbers of items.
func template(pointer string) string {
	parts := strings.Split(pointer, "/")
	for i, part := range parts {
		if parts[i] = memberName(part); part != "" && digits(part) == len(part) {
			parts[i] = "*"
		}
	}
	return strings.Join(parts, "/")
}

// faults holds a value against a schema file, and changes the files until they allow it.
func (o *Observer) faults(where Place, schema string, value any) {
	const rounds = 40
	tried := map[string]bool{}
	defer o.remember(schema, value)
	for range rounds {
		problems := amend.Problems(o.bench.Library(), schema, value)
		slices.SortStableFunc(problems, func(a, b problem) int { return rank(a) - rank(b) }) // a new name explains one that is missing
		fresh := slices.IndexFunc(problems, func(p problem) bool { return !tried[p.Pointer+"\x00"+p.Keyword] })
		if fresh < 0 {
			return
		}
		fault := problems[fresh]
		tried[fault.Pointer+"\x00"+fault.Keyword] = true
		o.fault(where, schema, value, fault)
	}
}

func rank(p problem) int {
	if p.Keyword == "additionalProperties" {
		return 0
	}
	return 1
}

// So many answers of a schema file are remembered and rows of one file; so many rows of all its files; and links, the newest ones.
const mostOthers, mostRows, mostUsed = 200, 1000, 10_000

// remember keeps a value: no change of the schema files may refuse it.
func (o *Observer) remember(schema string, value any) {
	if len(o.past.others[schema]) < mostOthers {
		o.past.others[schema] = append(o.past.others[schema], value)
	}
}

// fault is one of them.
func (o *Observer) fault(where Place, schema string, value any, fault problem) {
	f := Finding{
		Where: where, Allowed: o.bench.Allowed(schema, fault.Pointer, fault.Keyword), Sample: sample(value),
	}
	f.Kind, f.Severity = kindOf(fault.Keyword)
	f.Where.Pointer = template(fault.Pointer)
	found, there := amend.At(value, fault.Pointer)
	switch {
	case !there:
		f.Came = "nothing"
	case fault.Keyword == "enum" || fault.Keyword == "const":
		f.Came = word(found)
		if text, is := found.(string); is {
			f.Kind += ":" + shapeUnlessWord(text)
		}
	default:
		f.Came = came(found)
	}
	f.identify()
	if known := o.findings[f.ID]; known != nil && len(known.Overlay) == 0 {
		o.found(f) // no overlay helped the last time
		return
	}
	if !sayable(fault, found) {
		o.found(f)
		return
	}
	its := amend.Fault{Schema: schema, Value: value, Others: o.past.others[schema], Problem: fault}
	if f.Kind == "additional-member" {
		if from, changes := o.bench.Renamed(its); from != "" {
			name := its.Pointer[strings.LastIndex(its.Pointer, "/")+1:]
			f.Kind, f.Severity, f.Allowed, f.Came, f.Overlay = "renamed-member", High, memberName(from), memberName(name), changes
			o.found(f)
			return
		}
	}
	f.Overlay = o.bench.Fix(its)
	o.found(f)
}

// sayable tells whether a schema file may name what a fault is about: a name or a value that looks like that of a
// person has no place in one.
func sayable(fault problem, found any) bool {
	switch fault.Keyword {
	case "additionalProperties", "unevaluatedProperties":
		name := fault.Pointer[strings.LastIndex(fault.Pointer, "/")+1:]
		return memberName(name) == name
	case "enum", "const":
		text, is := found.(string)
		return !is || isWord(text) || text == "0" || text == "1"
	}
	return true
}

func shapeUnlessWord(text string) string {
	if isWord(text) {
		return text
	}
	return shape(text)
}

// kindOf names what is different, by the keyword that refuses it, and how bad that is.
func kindOf(keyword string) (kind string, severity Severity) {
	switch keyword {
	case "additionalProperties", "unevaluatedProperties":
		return "additional-member", Medium
	case "false":
		return "additional-member", High
	case "required":
		return "missing-member", High
	case "enum", "const":
		return "unknown-value", Medium
	case "type":
		return "other-type", High
	case "x-csv":
		return "column-order", Medium
	}
	return keyword, High
}
