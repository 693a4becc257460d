package settings

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// FuzzSettings: whatever a file holds, it is read or refused.
func FuzzSettings(f *testing.F) {
	for _, seed := range []string{
		"seed: 1", "serve: {seed: 1}", "rate: {a: 1}", "- 1", "a: &a\n  b: *a", "? [x]\n: y", "<<: {seed: 1}", "seed: !!binary x", "{", "\x00",
		"---\n---",
		"seed: *x",
	} {
		f.Add(seed)
	}
	program := &cobra.Command{Use: "program"}
	for _, name := range []string{"serve", "generate"} {
		command := &cobra.Command{Use: name}
		command.Flags().Uint64("seed", 0, "")
		command.Flags().StringSlice("rate", nil, "")
		program.AddCommand(command)
	}
	f.Fuzz(func(t *testing.T, text string) {
		read := file{}
		if err := read.parse("file", []byte(text), program); err != nil {
			if !strings.HasPrefix(err.Error(), ":") {
				t.Errorf("%q: %q", text, err)
			}
			return
		}
		for _, values := range read {
			for name, value := range values {
				texts, err := value[0].values(false)
				if len(value) != 1 || err == nil && len(texts) != 1 || value[0].place == "" {
					t.Errorf("%q: %s is %v", text, name, value)
				}
			}
		}
	})
}
