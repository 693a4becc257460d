package settings

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/pflag"
)

// What flags say of their values in words of JSON Schema, each an annotation.
const (
	enumKey    = "enum"
	minimumKey = "minimum"
	maximumKey = "maximum"
	patternKey = "pattern"
)

// Patterns of texts.
const (
	wholePattern    = "^[0-9]+$"
	durationPattern = "^([-+]?(0|(([0-9]+[.]?[0-9]*|[.][0-9]+)(ns|us|\u00b5s|\u03bcs|ms|s|m|h))+))$"

	// DatePattern is that of dates that a request has, and of none.
	DatePattern = "^(now|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}.*)?$"
	// InstantPattern is that of RFC 3339.
	InstantPattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{1,2}:[0-9]{2}:[0-9]{2}([.,][0-9]+)?(Z|[-+][0-9]{2}:[0-9]{2})$"
	// SizePattern is that of bytes, with a unit or without.
	SizePattern = "^[0-9]+(KiB|MiB|GiB|TiB)?$"
)

// OneOf notes all values that a flag may have, for the schema of the file of --config.
func OneOf(flags *pflag.FlagSet, name string, words ...string) {
	annotate(flags.Lookup(name), enumKey, words...)
}

// Choices returns all values that a flag may have; nil where they are not listed.
func Choices(f *pflag.Flag) []string {
	return slices.DeleteFunc(slices.Clone(f.Annotations[enumKey]), func(word string) bool { return word == "" })
}

// Matching notes what the text of a flag looks like.
func Matching(flags *pflag.FlagSet, name, pattern string) {
	annotate(flags.Lookup(name), patternKey, pattern)
}

// AtLeast notes the lowest number that a flag may be.
func AtLeast(flags *pflag.FlagSet, name string, low int64) {
	annotate(flags.Lookup(name), minimumKey, fmt.Sprint(low))
}

// Between notes the bounds of a number.
func Between(flags *pflag.FlagSet, name string, low, high int64) {
	AtLeast(flags, name, low)
	annotate(flags.Lookup(name), maximumKey, fmt.Sprint(high))
}

// Whole notes the bounds of a whole number that a function reads.
func Whole(flags *pflag.FlagSet, name string, low, high int64) {
	Between(flags, name, low, high)
	Matching(flags, name, wholePattern)
}

// allow adds to a schema what a flag says of its values.
func allow(property object, f *pflag.Flag) {
	if words, there := f.Annotations[enumKey]; there {
		delete(property, "$ref")
		property["enum"] = words
	}
	number, text := object{}, object{}
	for _, key := range []string{minimumKey, maximumKey} {
		if bound := f.Annotations[key]; len(bound) > 0 {
			number[key] = json.Number(bound[0])
		}
	}
	if f.Value.Type() == "duration" {
		text[patternKey] = durationPattern
	} else if pattern := f.Annotations[patternKey]; len(pattern) > 0 {
		text[patternKey] = pattern[0]
	}
	if property["type"] != nil || len(number)+len(text) == 0 {
		maps.Copy(property, number)
		maps.Copy(property, text)
		return
	}
	// Strict validators want keywords beside the type that they are about.
	delete(property, "$ref")
	text["type"], number["type"] = "string", "number"
	property["anyOf"] = []object{text, number}
}
