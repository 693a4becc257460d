package schemas

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/schemas/internal/jsonpointer"
	"github.com/rehearsal-sdk/rehearsal/schemas/internal/strict"
)

// How values are written in a sentence.

func count(n int, noun string) string {
	switch n {
	case 0:
		return "no " + noun + "s"
	case 1:
		return "1 " + noun
	default:
		return strconv.Itoa(n) + " " + noun + "s"
	}
}

func sizeOf(value any) int {
	switch container := value.(type) {
	case []any:
		return len(container)
	case map[string]any:
		return len(container)
	default:
		return 0
	}
}

// word is an allowed value that is printed without quotes.
type word string

// listValues words the values to choose from: a, b or c.
func listValues(values []any) string {
	words := make([]string, 0, len(values))
	for _, value := range values {
		words = append(words, plain(value))
	}
	switch n := len(words); n {
	case 0:
		return "nothing"
	case 1:
		return words[0]
	case 2:
		return words[0] + " or " + words[1]
	default:
		if _, types := values[0].(word); types {
			return strings.Join(words[:n-1], ", ") + " or " + words[n-1]
		}
		return "one of " + strings.Join(words[:n-1], ", ") + " or " + words[n-1]
	}
}

var simpleWord = regexp.MustCompile(`^[A-Za-z0-9_.$:/-]+$`)

// plain writes a value for a sentence: simple words as they are, other text in quotes.
func plain(value any) string {
	switch v := value.(type) {
	case word:
		return string(v)
	case string:
		if v == "" {
			return `empty ("")`
		}
		if simpleWord.MatchString(v) && len(v) <= shownText {
			return v
		}
	}
	return describe(value)
}

// shownText is how much of a text a message shows, in bytes.
const shownText = strict.ShownText

func short(name string) string { return strict.Short(name) }

// describe writes a value that was found, cut short if it is long.
func describe(value any) string {
	switch v := value.(type) {
	case string:
		if head := jsonpointer.Cut(v, shownText); len(head) < len(v) {
			return fmt.Sprintf("%q and %d more bytes", head, len(v)-len(head))
		}
		return strconv.Quote(v)
	case nil, bool, json.Number, float64, int, int64:
		return describeScalar(v)
	case []any:
		return "an array of " + count(len(v), "item")
	case map[string]any:
		return "an object"
	default:
		return fmt.Sprintf("%v", v)
	}
}

func describeScalar(value any) string {
	if value == nil {
		return "null"
	}
	text := fmt.Sprint(value)
	return short(text)
}

// describeKind words a value whose type is wrong.
func describeKind(value any) string {
	switch v := value.(type) {
	case string:
		return "the string " + describe(v)
	case bool:
		return "the boolean " + describe(v)
	case json.Number, float64, int, int64:
		return "the number " + describe(v)
	default:
		return describe(v)
	}
}

// hint suggests the allowed string that a misspelt one was probably meant to be.
func hint(found any, allowed []any) string {
	text, ok := found.(string)
	if !ok || text == "" {
		return ""
	}
	var candidates []string
	for _, value := range allowed {
		if candidate, ok := value.(string); ok {
			candidates = append(candidates, candidate)
		}
	}
	return DidYouMean(text, candidates)
}
