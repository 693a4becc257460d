package settings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// The annotations by which flags say what their values may be.
const (
	enumKey    = "enum"
	minimumKey = "minimum"
	maximumKey = "maximum"
)

// OneOf lists all values that a flag may have.
func OneOf(flags *pflag.FlagSet, name string, words ...string) {
	annotate(flags.Lookup(name), enumKey, words...)
}

// Choices returns all values that a flag may have; nil where they are not listed.
func Choices(f *pflag.Flag) []string {
	return slices.DeleteFunc(slices.Clone(f.Annotations[enumKey]), func(word string) bool { return word == "" })
}

// AtLeast sets the lowest number that a flag may be.
func AtLeast(flags *pflag.FlagSet, name string, low int64) {
	annotate(flags.Lookup(name), minimumKey, fmt.Sprint(low))
}

// Between sets the bounds of a number.
func Between(flags *pflag.FlagSet, name string, low, high int64) {
	AtLeast(flags, name, low)
	annotate(flags.Lookup(name), maximumKey, fmt.Sprint(high))
}

// textValue is the value of a flag that a function reads.
type textValue struct {
	text    []string // what was read
	several bool
	set     func(text string) error
}

func (v *textValue) String() string { return strings.Join(v.text, ",") }

// Type names the value where the flag has no text of its own for it.
func (v *textValue) Type() string { return "text" }

func (v *textValue) Set(text string) error {
	if err := v.set(text); err != nil {
		return err
	}
	if !v.several {
		v.text = nil
	}
	v.text = append(v.text, text)
	return nil
}

// List are the items of a list that commas separate.
func List(text string) []string {
	var items []string
	for item := range strings.SplitSeq(text, ",") {
		if item = strings.TrimSpace(item); item != "" {
			items = append(items, item)
		}
	}
	return items
}

// Func adds a flag that a function reads; a later value replaces an earlier one.
func Func(flags *pflag.FlagSet, name, usage string, set func(text string) error) {
	flags.Var(&textValue{set: set}, name, usage)
}

// RepeatedFunc adds a flag that may be given several times, and that a function reads each time.
func RepeatedFunc(flags *pflag.FlagSet, name, usage string, set func(text string) error) {
	flags.Var(&textValue{set: set, several: true}, name, usage)
	annotate(flags.Lookup(name), severalKey, "true")
}
