package scenarios_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/scenarios"
)

// FuzzKept makes changes one after another, some of them behind the back of the one that keeps the texts, and holds what it writes
// to what a marshaller does.
func FuzzKept(f *testing.F) {
	f.Add([]byte{0, 0, 0, 1, 0, 2, 0, 3, 0, 0, 4, 1, 0})
	f.Add([]byte{0, 5, 0, 5, 2, 2, 2, 0})
	f.Add([]byte{0, 6, 5, 0, 6, 4, 6, 3, 5})
	f.Fuzz(func(t *testing.T, steps []byte) {
		var (
			kept   scenarios.Kept
			stored []byte
		)
		for i, step := range steps[:min(len(steps), 60)] {
			if step%7 == 6 { // everything was reset
				stored = nil
			}
			set, err := kept.Parse(stored)
			if err != nil {
				t.Fatal(err)
			}
			switch step % 7 {
			case 0, 5:
				rule := scenarios.Rule{Times: int(step) % 3, Scenario: scenario(t, fmt.Sprintf("rows=%d", 1+i)), Match: scenarios.Match{Target: "a<b"}}
				set, _, err = set.Add(rule)
			case 1:
				if len(set.Rules) > 0 {
					set = set.Use(set.Rules[i%len(set.Rules)].ID)
				}
			case 2:
				set, _ = set.Without(func(rule scenarios.Rule) bool { return rule.Times == int(step)%3 })
			case 3, 6: // nothing changes
			case 4: // another server has changed it
				if set, _, err = set.Add(scenarios.Rule{Times: 7, Scenario: scenario(t, "rows=2")}); err != nil {
					t.Fatal(err)
				}
				if stored, err = json.Marshal(set); err == nil {
					continue
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			got, err := kept.Append(set)
			if err != nil {
				t.Fatal(err)
			}
			want, err := json.Marshal(set)
			if err != nil || !bytes.Equal(got, want) {
				t.Fatalf("step %d: %s, want %s (%v)", i, got, want, err)
			}
			stored = bytes.Clone(got)
			if read, err := scenarios.Parse(stored); err != nil || len(read.Rules) != len(set.Rules) || read.Added != set.Added {
				t.Fatalf("read again: %+v, %v", read, err)
			}
			if again, err := kept.Parse(stored); err != nil || !reflect.DeepEqual(again, set) {
				t.Fatalf("kept: %+v, want %+v (%v)", again, set, err)
			}
		}
	})
}
