package dataset_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/memory"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestBatchesThatReferToNothing: what a batch says of where its rows are is refused if it cannot be, by a store and by a snapshot alike.
func TestBatchesThatReferToNothing(t *testing.T) {
	const rows = `{"at":1,"events":[{"install_id":"a","type":"visit"}]}`
	const part = `{"part":true,"events":[{"install_id":"a","type":"visit"}]}`
	for name, of := range map[string]struct {
		batches []string
		want    string // in the error
	}{
		"two people in one row": {[]string{`{"at":1,"profiles":[{"profile_id":"p","custom_id":"c"},{"profile_id":"q","custom_id":"d"}]}`,
			`{"at":1,"events":[{"profile_id":"p","custom_id":"d","type":"visit"}]}`}, `profile_id "p" and custom_id "d" are two profiles`},

		"again is itself": {[]string{`{"reset":true,"again":1,"at":1}`},
			"generation 1 of the dataset cannot be read: again: 1 is not an earlier generation"},
		"again is later": {[]string{rows, `{"reset":true,"again":3,"at":1}`, rows},
			"again: 3 is not an earlier generation, which has a number from 1 and below 2"},
		"again is negative":       {[]string{rows, `{"reset":true,"again":-7,"at":1}`}, "again: -7"},
		"two that repeat another": {[]string{`{"again":2,"at":1}`, `{"again":1,"at":1}`}, "generation 1 of"},
		"again repeats a repeated": {[]string{rows, `{"reset":true,"again":1,"at":1}`, `{"reset":true,"again":2,"at":1}`},
			"generation 3 of the dataset cannot be read: again: generation 2, which it repeats, repeats another one, 1"},

		"a negative part": {[]string{`{"at":1,"parts":[-3]}`},
			"generation 1 of the dataset cannot be read: parts: the generation at 0, -3,"},
		"the part 0":       {[]string{`{"at":1,"parts":[0]}`}, "at 0, 0,"},
		"itself as a part": {[]string{part, `{"at":1,"parts":[1,2]}`}, "generation 2, at 1, is not an earlier one that is a part"},
		"a later part":     {[]string{part, `{"at":1,"parts":[3]}`, part}, "generation 3, at 0,"},
		"a part twice":     {[]string{part, `{"at":1,"parts":[1,1]}`}, "the generation at 1, 1, does not come after the one before it, 1"},
		"parts out of order": {[]string{part, part, `{"at":1,"parts":[2,1]}`},
			"the generation at 1, 1, does not come after the one before it, 2"},
		"a batch that is no part": {[]string{rows, `{"at":1,"parts":[1]}`}, "generation 1, at 0,"},
		"a part of two batches": {[]string{part, `{"at":1,"parts":[1]}`, `{"at":1,"parts":[1]}`},
			"generation 3 of the dataset cannot be read: parts: generation 1, at 0,"},
	} {
		t.Run(name, func(t *testing.T) {
			kept := memory.New()
			var texts [][]byte
			for i, batch := range of.batches {
				texts = append(texts, []byte(batch))
				must.Do(t, kept.AppendData(t.Context(), 0, int64(i)+1, []byte(batch)))
			}
			_, opened := dataset.Open(context.Background(), kept, nil)
			for from, err := range map[string]error{"a store": opened, "a snapshot": dataset.BatchesOf(texts...).Check(t.Context())} {
				if from == "a store" && name == "two people in one row" {
					continue // its rows were accepted before
				}
				if err == nil || !strings.Contains(err.Error(), of.want) {
					t.Errorf("%s: got %v, want %q", from, err, of.want)
				}
			}
		})
	}
}

// TestKeysThatLeaveNothing: there may be a new key for every test, so one that was emptied, or never had rows, costs nothing: here, after
// a restart, and where its rows were only read.
func TestKeysThatLeaveNothing(t *testing.T) {
	shared := memory.New()
	here, other := open(t, shared), open(t, shared)
	for key, text := range map[string]string{"refused": `{"type":"visit","install_id":"a","profile_id":"profile_p","custom_id":"c"}` + "\n" +
		`{"type":"visit","install_id":"a","profile_id":"profile_q","custom_id":"c"}`} {
		if _, err := here.Of(key).Load(t.Context(), read(t, input.Events, text), noon); err == nil {
			t.Errorf("%s is loaded", key)
		}
	}
	for i := range 3 {
		mine := here.Of("mine")
		for range 2 {
			must.Get(mine.Load(t.Context(), read(t, input.Events, fmt.Sprintf(visit, i)), noon))(t)
		}
		must.Do(t, mine.Empty(t.Context()))
	}
	must.Get(other.Of("mine").Current(t.Context()))(t)
	for name, log := range map[string]*dataset.Log{"here": here, "where it was read": other, "after a restart": open(t, shared)} {
		if keys, generations := log.Kept(); keys != 0 || generations != 0 {
			t.Errorf("%s: %d keys and %d of their generations are kept", name, keys, generations)
		}
		for generation := range int64(10) {
			must.Equal(t, must.Get(log.At(t.Context(), generation))(t).Events(), 0, "%s: generation %d shows", name, generation)
		}
	}
}
