package actionstest

import (
	"fmt"
	"math/big"

	"github.com/rehearsal-sdk/rehearsal/actions"
)

// equal compares two values as JSON does: numbers by their exact value, whatever their Go type.
func equal(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for name, value := range a {
			if other, ok := b[name]; !ok || !equal(value, other) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !equal(a[i], b[i]) {
				return false
			}
		}
		return true
	}
	if x, ok := exact(a); ok {
		y, ok := exact(b)
		return ok && x.Cmp(y) == 0
	}
	return a == b
}

func exact(value any) (*big.Float, bool) {
	switch v := value.(type) {
	case int64:
		return new(big.Float).SetInt64(v), true
	case uint64:
		return new(big.Float).SetUint64(v), true
	case float64:
		if v == v { // not NaN
			return big.NewFloat(v), true
		}
	}
	return nil, false
}

// partOf says where an answer lacks something of what is expected; "" when it has everything. Arrays have the same length.
func partOf(expected, found any) string {
	switch want := expected.(type) {
	case map[string]any:
		got, ok := found.(map[string]any)
		if !ok {
			return fmt.Sprintf("expected an object, found %v", found)
		}
		for name, value := range want {
			if difference := partOf(value, got[name]); difference != "" {
				return name + ": " + difference
			}
		}
		return ""
	case []any:
		got, ok := found.([]any)
		if !ok || len(got) != len(want) {
			return fmt.Sprintf("expected %v, found %v", want, found)
		}
		for i := range want {
			if difference := partOf(want[i], got[i]); difference != "" {
				return fmt.Sprintf("%d: %s", i, difference)
			}
		}
		return ""
	}
	if !equal(expected, found) {
		return fmt.Sprintf("expected %v, found %v", expected, found)
	}
	return ""
}

// sameEffects says how the effects differ from what is expected: the same number, in the same order, each with every member
// that is expected and exactly that value. An absent source means any.
func sameEffects(expected []any, found []Effect) string {
	for i := range max(len(expected), len(found)) {
		switch {
		case i >= len(found):
			return fmt.Sprintf("effect %d is missing: %v", i, expected[i])
		case i >= len(expected):
			return fmt.Sprintf("effect %d should not be: %s", i, found[i])
		}
		want, ok := expected[i].(map[string]any)
		if !ok {
			return fmt.Sprintf("effect %d in the vector is no object", i)
		}
		for name, value := range want {
			got := found[i][name]
			if name == "source" {
				value, got = sourceForm(value), sourceForm(got)
			}
			if !equal(value, got) {
				return fmt.Sprintf("effect %d: %s: expected %v, found %v in %s", i, name, value, got, found[i])
			}
		}
	}
	return ""
}

// sourceForm gives a source one form: the manual one is "manual", a payload that is null is none.
func sourceForm(source any) any {
	object, ok := source.(map[string]any)
	if !ok {
		return source
	}
	if object["payload"] != nil {
		return map[string]any{"kind": object["kind"], "payload": object["payload"]}
	}
	if object["kind"] == actions.SourceManual {
		return actions.SourceManual
	}
	return map[string]any{"kind": object["kind"]}
}
