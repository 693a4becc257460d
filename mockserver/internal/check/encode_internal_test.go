package check

import (
	"bytes"
	"cmp"
	"math/rand/v2"
	"reflect"
	"regexp"
	"testing"
	"time"
)

var likeMoment = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:(?:[.][0-9]{1,9})?(?:Z|[+-][0-9]{2}:[0-9]{2}))?$`)

// FuzzMoment compares with the parser of the standard library.
func FuzzMoment(f *testing.F) {
	for _, seed := range []string{"2026-01-31T08:30:00", "2026-01-31T08:30:00Z", "2026-01-31T08:30:00.25Z", "2026-01-31T08:30:00+02:00", "",
		"2026-13-01T00:00:00",
		"0001-01-01T00:00:00", "9999-12-31T23:59:59", "2026-01-31t08:30:00Z", "2024-02-29T00:00:00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := parseMoment(text)
		want, err := time.Parse(time.RFC3339, text)
		if err != nil {
			want, err = time.Parse("2006-01-02T15:04:05", text)
		}
		if err == nil && likeMoment.MatchString(text) && (!ok || got != momentOf(want)) {
			t.Errorf("%q is %d (%v), want %d", text, got, ok, momentOf(want))
		}
		if ok && got.String() == "" {
			t.Errorf("%q has no text", text)
		}
	})
}

// TestRecordsKeepRows checks that a row comes back as it was kept, and that bytes order as rows do.
func TestRecordsKeepRows(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	make := func() (string, *row) {
		r := &row{class: class(random.IntN(3)), time: moment(random.Int64N(5) - 2)}
		r.place = place{int32(random.IntN(2)), random.Int64N(3), random.Int64N(1 << 40)}
		r.digest = random.Uint64()
		for s := source(1); s < sourceCount; s++ {
			if random.IntN(3) == 0 && s != eventReasons {
				r.set(s, []string{"", "a", "\x00\xff", "much longer than the others"}[random.IntN(4)])
			}
		}
		return []string{"", "a", "b", "ab"}[random.IntN(4)], r
	}
	order := func(k1 string, a *row, k2 string, b *row) int {
		return cmp.Or(cmp.Compare(len(k1), len(k2)), cmp.Compare(k1, k2), cmp.Compare(a.class, b.class), cmp.Compare(a.time, b.time),
			cmp.Compare(a.file, b.file), cmp.Compare(a.place.row, b.place.row))
	}
	for range 5000 {
		k1, a := make()
		k2, b := make()
		all := ^sourceSet(0)
		first, second := appendRow(nil, k1, a, all), appendRow(nil, k2, b, all)
		if want := order(k1, a, k2, b); want != 0 && bytes.Compare(first, second) != want {
			t.Fatalf("%q %+v and %q %+v are in the wrong order", k1, a, k2, b)
		}
		var back row
		readRow(first, &back)
		back.hasTime = false
		a.reasons, back.reasons, a.listed, back.listed, a.subscriptions, back.subscriptions = nil, nil, nil, nil, nil, nil
		if !reflect.DeepEqual(back, *a) {
			t.Fatalf("%+v came back as %+v", *a, back)
		}
		if key := keyOf(first); string(key[1:]) != k1 {
			t.Fatalf("the key %q came back as %q", k1, key)
		}
	}
}
