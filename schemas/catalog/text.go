package catalog

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Text says in a line how the value changed, with as much of it as a line holds.
func (d Difference) Text() string {
	switch {
	case d.Pointer == "": // a whole file is not shown
		return string(d.Change)
	case d.Before == nil:
		return "added " + short(string(d.After))
	case d.After == nil:
		return "removed " + short(string(d.Before))
	}
	if text := listChange(d.Before, d.After); text != "" {
		return text
	}
	old, now := around(string(d.Before), string(d.After))
	return "changed from " + old + " to " + now
}

// listChange says which items a list has no more, and which it has besides; "": the values are no lists.
func listChange(before, after json.RawMessage) string {
	var old, now []json.RawMessage
	if json.Unmarshal(before, &old) != nil || json.Unmarshal(after, &now) != nil || old == nil || now == nil {
		return ""
	}
	gone, stayed := without(old, now)
	added, kept := without(now, old)
	var parts []string
	if len(added) > 0 {
		parts = append(parts, "added "+items(added))
	}
	if len(gone) > 0 {
		parts = append(parts, "removed "+items(gone))
	}
	if !slices.Equal(stayed, kept) {
		parts = append(parts, "others are in another order")
	}
	return strings.Join(parts, "; ")
}

// without divides the items of a list into those that another list does not have, as often as they come, and the others.
func without(list, other []json.RawMessage) (missing, common []string) {
	there := map[string]int{}
	for _, item := range other {
		there[string(item)]++
	}
	for _, item := range list {
		if there[string(item)]--; there[string(item)] < 0 {
			missing = append(missing, string(item))
		} else {
			common = append(common, string(item))
		}
	}
	return missing, common
}

func items(list []string) string {
	const most = 10
	var texts []string
	for _, item := range list[:min(len(list), most)] {
		texts = append(texts, short(item))
	}
	text := strings.Join(texts, ", ")
	if more := len(list) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// longest is how many characters of a value are shown, and context how many of them before the first that differs.
const (
	longest = 100
	context = 20
)

// around cuts two texts so that the first difference between them is seen.
func around(before, after string) (string, string) {
	old, now := []rune(before), []rune(after)
	if len(old) <= longest && len(now) <= longest {
		return before, after
	}
	same := 0
	for same < min(len(old), len(now)) && old[same] == now[same] {
		same++
	}
	from := max(0, same-context)
	return cut(old, from), cut(now, from)
}

// cut is what can be shown of a text from a character on.
func cut(text []rune, from int) string {
	begin := ""
	if from > 0 {
		begin = "…"
	}
	if text = text[from:]; len(text) > longest {
		return begin + string(text[:longest-1]) + "…"
	}
	return begin + string(text)
}

// short is the beginning of a text.
func short(text string) string { return cut([]rune(text), 0) }
