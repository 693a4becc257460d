package schemas_test

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/rehearsal-sdk/rehearsal/actions"
	"github.com/rehearsal-sdk/rehearsal/actions/actionsjson"
	"github.com/rehearsal-sdk/rehearsal/actions/actionstest"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// argumentsOf gives the schema of the arguments of a built-in with its examples, which are what inputs are made of.
func argumentsOf(t testing.TB, l *schemas.Library, identifier string) (schema string, examples []json.RawMessage, names []string) {
	t.Helper()
	schema = "actions/" + identifier + ".arguments.json"
	if l.Source(schema) == nil {
		t.Fatalf("there is no schema %s, which the built-in %s needs", schema, identifier)
	}
	var file struct {
		Examples   []json.RawMessage
		Properties map[string]any
	}
	if err := json.Unmarshal(l.Source(schema), &file); err != nil {
		t.Fatalf("%s: %v", schema, err)
	}
	if len(file.Examples) == 0 {
		t.Fatalf("%s has no examples of the arguments as a whole", schema)
	}
	return schema, file.Examples, slices.Sorted(maps.Keys(file.Properties))
}

// mutator changes JSON values at random: members lost, added, renamed or replaced, items too many or of another type.
type mutator struct {
	random *rand.Rand
	// names are those of the arguments.
	names []string
}

func (m mutator) pick(values ...any) any { return values[m.random.IntN(len(values))] }

func (m mutator) value(depth int) any {
	if depth > 3 {
		return nil
	}
	return m.pick(nil, true, false, 0, -1, 5, 1.5, "", "a", "add", "remove", "ADD", "service.group", "SERVICE.Group", "SERVİCE.group", "service.Clipboard", "servıce.group", "service.clipboard", "é",
		[]any{}, []any{"a"}, []any{m.value(depth + 1)}, []any{"a", m.value(depth + 1)}, []any{m.value(depth + 1), map[string]any{}},
		map[string]any{}, map[string]any{"t": m.value(depth + 1)})
}

func (m mutator) mutate(value any, depth int) any {
	if m.random.IntN(4) == 0 {
		return m.value(depth)
	}
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			switch m.random.IntN(5) {
			case 0:
				delete(value, name)
			case 1, 2:
				value[name] = m.mutate(member, depth+1)
			}
		}
		if m.random.IntN(3) == 0 {
			value[m.names[m.random.IntN(len(m.names))]] = m.value(depth)
		}
		return value
	case []any:
		for i := range value {
			if m.random.IntN(2) == 0 {
				value[i] = m.mutate(value[i], depth+1)
			}
		}
		for range m.pick(0, 0, 0, 1, 1, 9, 10).(int) {
			value = append(value, m.pick([]any{"own", map[string]any{}}, "tag", m.value(depth+1)))
		}
		return value
	}
	return value
}

// spelled is one of the ways to write an identifier: in any letter case, with the letters of other alphabets that fold to the same,
// and by its neutral name.
func (m mutator) spelled(b actions.Builtin) string {
	identifier := b.Identifier
	if b.Neutral != "" && m.random.IntN(2) == 0 {
		identifier = b.Neutral
	}
	var spelled strings.Builder
	for _, letter := range identifier {
		switch m.random.IntN(6) {
		case 0:
			letter = unicode.ToUpper(letter)
		case 1:
			if other, is := map[rune]rune{'i': '\u0130', 'k': '\u212a'}[letter]; is {
				letter = other
			}
		}
		spelled.WriteRune(letter)
	}
	return spelled.String()
}

// The core has the rules of arguments in code and the schemas have them in files: they must agree on every input.
func TestCoreAndSchemasAgreeOnArguments(t *testing.T) {
	library := library(t)
	for _, builtin := range actions.Builtins() {
		t.Run(builtin.Identifier, func(t *testing.T) {
			t.Parallel()
			schema, examples, names := argumentsOf(t, library, builtin.Identifier)
			random := mutator{rand.New(rand.NewPCG(7, 8)), append(names, "extra", "T")}
			host := actionstest.NewHost(actions.PlatformIOS, "17.0")
			registry := actions.New(actions.Options{Host: host.Capabilities()})
			need(registry.Register("own", func(actions.Invocation) (any, error) { return nil, nil }))(t)
			accepted, refused := 0, 0
			for round := range 4000 {
				var value any
				must(t, json.Unmarshal(examples[round%len(examples)], &value))
				if round >= len(examples) {
					value = random.mutate(value, 0)
				}
				if _, is := value.(map[string]any); !is {
					continue
				}
				text := need(json.Marshal(value))(t)
				decoded := need(schemas.Decode(text))(t)
				arguments := need(actionsjson.DecodeArguments(text))(t)
				invalid := library.Validate(schema, decoded)
				spelled := random.spelled(builtin)
				result := registry.Perform(spelled, arguments)
				call := library.Validate("actions/call.json", map[string]any{"identifier": spelled, "arguments": decoded})
				if (invalid == nil) != (call == nil) {
					t.Fatalf("%s with %s: the schema of the arguments says %v, that of the call %v", spelled, text, invalid, call)
				}
				if (invalid != nil) != (result.Status == actions.StatusInvalidArguments) {
					t.Fatalf("%s with %s: the schema says %v, the core %s %q", spelled, text, invalid, result.Status, result.Message)
				}
				if invalid == nil {
					accepted++
				} else {
					refused++
				}
			}
			if accepted < 100 || refused < 100 && len(names) > 0 {
				t.Errorf("%s: %d accepted and %d refused: the test compares too little", builtin.Identifier, accepted, refused)
			}
		})
	}
}
