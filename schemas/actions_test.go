package schemas_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"github.com/rehearsal-sdk/rehearsal/actions"
	"github.com/rehearsal-sdk/rehearsal/actions/actionsjson"
	"github.com/rehearsal-sdk/rehearsal/actions/actionstest"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// builtIns are honest arguments of every built-in action (actions module, section 2).
var builtIns = map[string][]string{
	"service.dismiss":                   {`{}`},
	"service.deeplink":                  {`{"l":"https://example.com/offers","li":true}`, `{"l":"shop://basket"}`},
	"service.ios_request_notifications": {`{}`},
	"service.ios_redirect_settings":     {`{}`},
	"service.ios_smart_reoptin":         {`{}`},
	"service.user.tag":                  {`{"a":"add","c":"interests","t":"sports"}`, `{"a":"remove","c":"interests","t":"sports"}`},
	"service.user.event":                {`{"e":"read","l":"x","t":["a","b"],"a":{"n":1}}`, `{"e":"read"}`},
	"service.group":                     {`{"actions":[["service.clipboard",{"t":"x"}],["own",{}]]}`, `{"actions":[]}`},
	"service.ios_tracking_consent":      {`{}`},
	"service.clipboard":                 {`{"t":"WELCOME10"}`, `{"t":""}`},
	"service.rating":                    {`{}`},
}

// mutator changes JSON values at random: members lost, added, renamed or replaced, items too many or of another type.
type mutator struct{ random *rand.Rand }

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
			value[m.pick("a", "c", "e", "l", "li", "t", "actions", "extra", "T").(string)] = m.value(depth)
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
func (m mutator) spelled(identifier string) string {
	if m.random.IntN(2) == 0 {
		identifier = strings.Replace(identifier, ".ios_", ".", 1)
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
	random := mutator{rand.New(rand.NewPCG(7, 8))}
	for identifier, honest := range builtIns {
		schema := "actions/" + identifier + ".arguments.json"
		host := actionstest.NewHost(actions.PlatformIOS, "17.0")
		registry := actions.New(actions.Options{Host: host.Capabilities()})
		if _, err := registry.Register("own", func(actions.Invocation) (any, error) { return nil, nil }); err != nil {
			t.Fatal(err)
		}
		accepted, refused := 0, 0
		for round := range 4000 {
			var value any
			if err := json.Unmarshal([]byte(honest[round%len(honest)]), &value); err != nil {
				t.Fatal(err)
			}
			if round >= len(honest) {
				value = random.mutate(value, 0)
			}
			if _, is := value.(map[string]any); !is {
				continue
			}
			text, err := json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			decoded, err := schemas.Decode(text)
			if err != nil {
				t.Fatal(err)
			}
			arguments, err := actionsjson.DecodeArguments(text)
			if err != nil {
				t.Fatal(err)
			}
			invalid := library.Validate(schema, decoded)
			spelled := random.spelled(identifier)
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
		if accepted < 100 || refused < 100 && honest[0] != `{}` {
			t.Errorf("%s: %d accepted and %d refused: the test compares too little", identifier, accepted, refused)
		}
	}
}
