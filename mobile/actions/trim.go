package actions

import (
	"unicode/utf8"

	core "github.com/rehearsal-sdk/rehearsal/actions"
)

const (
	// maxMessage is how many bytes of JSON a message to a playground may have, and maxLevels how deep it may be.
	maxMessage, maxLevels = 65_536, 12
	leftOut               = "…"
)

// trimmer copies values as far as bytes of JSON are left. What it leaves out costs no time, however large it is.
type trimmer struct {
	left int
	cut  int
}

// value copies a value that is at a level of a message.
func (t *trimmer) value(value any, level int) any {
	t.left -= 24 // of the longest number; a comma
	switch v := value.(type) {
	case string:
		return t.text(v)
	case map[string]any:
		return t.object(v, level)
	case core.Arguments:
		return t.object(v, level)
	case []any:
		if level > maxLevels {
			t.cut++
			return leftOut
		}
		list := make([]any, 0, min(len(v), 64))
		for i, item := range v {
			if t.left <= 0 {
				t.cut += len(v) - i
				break
			}
			list = append(list, t.value(item, level+1))
		}
		return list
	}
	return value
}

func (t *trimmer) object(values map[string]any, level int) any {
	if level > maxLevels {
		t.cut++
		return leftOut
	}
	object := map[string]any{}
	for key, item := range values {
		if t.left <= 0 {
			t.cut += len(values) - len(object)
			break
		}
		object[t.text(key)] = t.value(item, level+1)
	}
	return object
}

// text cuts a text where the bytes end. A byte takes six where it is escaped.
func (t *trimmer) text(text string) string {
	for i := range len(text) {
		if t.left <= 0 {
			t.cut++
			for ; i > 0 && !utf8.RuneStart(text[i]); i-- {
			}
			return text[:i] + leftOut
		}
		if c := text[i]; c < ' ' || c == '"' || c == '\\' || c >= 0x7f {
			t.left -= 5
		}
		t.left--
	}
	return text
}

// result gives what AppendResult of actionsjson writes, as a value.
func (t *trimmer) result(result core.Result, level int) map[string]any {
	object := map[string]any{"status": string(result.Status)}
	if result.Message != "" {
		object["message"] = t.text(valid(result.Message))
	}
	if result.Value != nil {
		object["value"] = t.value(result.Value, level+1)
	}
	if result.Items != nil {
		items := make([]any, len(result.Items))
		for i, item := range result.Items {
			items[i] = t.result(item, level+2)
		}
		object["items"] = items
	}
	return object
}
