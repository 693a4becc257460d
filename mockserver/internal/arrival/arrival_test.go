package arrival_test

import (
	"cmp"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/arrival"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

func TestTextsAreReadBack(t *testing.T) {
	for text, want := range map[string]arrival.Arrival{
		"late=0.03,72h0m0s": {Late: arrival.Spread{Share: 0.03, UpTo: 72 * time.Hour}},
		"late=1,1m0s;duplicates=0.003;skew=0.5,12h0m0s;unordered": {
			Late: arrival.Spread{Share: 1, UpTo: time.Minute}, Duplicates: 0.003, Skew: arrival.Spread{Share: 0.5, UpTo: 12 * time.Hour},
			Unordered: true,
		},
	} {
		var found arrival.Arrival
		if err := found.UnmarshalText([]byte(text)); err != nil || found != want || found.String() != text {
			t.Errorf("%s is read as %+v (%s), %v", text, found, found, err)
		}
	}
	for _, wrong := range []string{"", "late", "late=2,1h", "late=0.1", "late=0.1,1s", "late=0.1,700h", "late=NaN,1h", "duplicates=-1",
		"skew=0.1,", "soon", "late=0.1,90.5s"} {
		if err := new(arrival.Arrival).UnmarshalText([]byte(wrong)); err == nil {
			t.Errorf("%q is read", wrong)
		}
	}
	if made, err := arrival.Parse("late:0.1,2h"); err != nil || made.Late != (arrival.Spread{Share: 0.1, UpTo: 2 * time.Hour}) {
		t.Errorf("%+v, %v", made, err)
	}
	if made, err := arrival.Parse("none"); err != nil || !made.IsZero() {
		t.Errorf("%+v, %v", made, err)
	}
	all := arrival.Arrival{Late: arrival.Spread{Share: 0.02, UpTo: 72 * time.Hour}, Duplicates: 0.01,
		Skew: arrival.Spread{Share: 0.5, UpTo: 12 * time.Hour}, Unordered: true}
	for _, text := range []string{"late:0.02,72h;duplicates:0.01;skew:0.5,12h;unordered",
		"unordered; skew=0.5, 12h; duplicates=0.01; late=0.02,72h", all.String()} {
		if made, err := arrival.Parse(text); err != nil || made != all {
			t.Errorf("%s is %+v, %v", text, made, err)
		}
		if words, err := arrival.Words(text); err != nil || len(words) != 4 {
			t.Errorf("%s is %q, %v", text, words, err)
		}
	}
	for _, wrong := range []string{"", "late", "late:", "late:0.1", "None", "duplicates", "duplicates:2", "unordered:1", "late:0.1,2h;",
		"late:0.1,2h;late:0.1,2h", "late:0.1,2h,duplicates:0.1", "none;unordered", "soon:1"} {
		if _, err := arrival.Parse(wrong); err == nil {
			t.Errorf("%q is read", wrong)
		}
	}
}

const begin = 1_773_000_000

// pushes are push messages that are sent and opened, one each ten seconds.
func pushes() (made []arrival.Row) {
	for i := range int64(20_000) {
		for event := range 2 {
			made = append(made, arrival.Row{Person: i % 997, Key: uint64(2*i) + uint64(event), Time: begin + 10*i + 60*int64(event), Event: event})
		}
	}
	return made
}

var journey = []world.Step{{Event: "push_sent", Channel: "push"}, {Event: "push_open", After: "push_sent", Person: true}}

// rowsOf are the rows of a file, each so many times as it comes, in their order, and with what becomes of them.
func rowsOf(files arrival.Files) (rows []arrived, view *arrival.View) {
	files.Journey = journey
	view = files.View()
	for _, row := range pushes() {
		if fate := view.Of(row); row.Time >= files.Reaches() {
			for range fate.Copies {
				rows = append(rows, arrived{row, fate})
			}
		}
	}
	slices.SortStableFunc(rows, func(a, b arrived) int { return cmp.Compare(a.Time+a.fate.Shift, b.Time+b.fate.Shift) })
	return rows, view
}

type arrived struct {
	arrival.Row
	fate arrival.Fate
}

// A file that is asked for later has the rows of the earlier one, in their order, and more; only events of devices are late, never
// longer than was said, and no effect comes before its cause. At the end nothing is missing.
func TestLateRows(t *testing.T) {
	const hour = 3600
	late := arrival.Arrival{Late: arrival.Spread{Share: 0.2, UpTo: 12 * time.Hour}}
	end := int64(begin + 10*20_000)
	var before []arrived
	for i, now := range []int64{end, end + hour, end + 6*hour, end + 13*hour} {
		rows, view := rowsOf(arrival.Files{Arrival: late, Seed: 3, From: begin, To: end, Now: now})
		at := 0
		for _, row := range rows {
			if at < len(before) && row.Key == before[at].Key {
				at++
			}
		}
		if at != len(before) || i > 0 && len(rows) <= len(before) {
			t.Fatalf("at %d there are %d rows, %d of the %d before", now-end, len(rows), at, len(before))
		}
		missing, tardy := 0, 0
		all := pushes()
		for i := range all {
			fate := view.Of(all[i])
			wait := fate.Arrives - all[i].Time
			if wait < 0 || wait > 12*hour || all[i].Event == 0 && wait > 0 || fate.Missing != (fate.Copies == 0) {
				t.Fatalf("%+v: %+v", all[i], fate)
			}
			if wait > 0 {
				tardy++
			}
			if fate.Missing {
				missing++
			}
		}
		if len(rows)+missing != 40_000 || i == 3 && missing > 0 || i == 0 && missing == 0 {
			t.Errorf("at %d: %d rows and %d missing", now-end, len(rows), missing)
		}
		if share := float64(tardy) / 20_000; math.Abs(share-0.2) > 0.03 {
			t.Errorf("%v of the opens are late, want 0.2", share)
		}
		before = rows
	}
}

// Windows that touch have every row, and those that come twice, once more: most in the same file, some in the next.
func TestDuplicates(t *testing.T) {
	files := arrival.Files{Arrival: arrival.Arrival{Duplicates: 0.1}, Seed: 3, From: begin, To: begin + 100_000, Now: begin + 1_000_000}
	first, _ := rowsOf(files)
	files.From, files.To = begin+100_000, begin+200_060
	must.Equal(t, files.Reaches(), begin+100_000-86_400, "the start of the second window")
	second, _ := rowsOf(files)
	count := map[uint64]int{}
	for _, row := range first {
		if row.Time < begin+100_000 {
			count[row.Key]++
		}
	}
	inFirst := len(count)
	crossing := 0
	for _, row := range second {
		if row.Time < begin+100_000 {
			crossing++
		}
		count[row.Key]++
	}
	twice := 0
	for key, n := range count {
		if n > 2 {
			t.Fatalf("%v comes %d times", key, n)
		}
		twice += n - 1
	}
	if len(count) != 40_000 || inFirst < 19_900 || crossing < 10 || math.Abs(float64(twice)/40_000-0.1) > 0.01 {
		t.Errorf("%d rows, %d come twice, %d of them in the next window", len(count), twice, crossing)
	}
	files.Distinct = true
	if distinct, _ := rowsOf(files); len(distinct) != 40_000-inFirst {
		t.Errorf("%d distinct rows", len(distinct))
	}
}

// A person's clock is wrong by the same time in all files, and only dates that devices tell are.
func TestSkewAndOrder(t *testing.T) {
	rows, _ := rowsOf(arrival.Files{Arrival: arrival.Arrival{Skew: arrival.Spread{Share: 0.3, UpTo: time.Hour}, Unordered: true}, Seed: 3,
		From: begin, To: begin + 1_000_000, Now: begin + 1_000_000})
	wrong := map[int64]int64{}
	sorted := slices.IsSortedFunc(rows, func(a, b arrived) int { return cmp.Compare(a.Time, b.Time) })
	for _, row := range rows {
		if row.Event == 0 && row.fate.Skew != 0 || row.fate.Skew < -3600 || row.fate.Skew > 3600 {
			t.Fatalf("%+v", row)
		}
		if known, is := wrong[row.Person]; row.Event == 1 && is && known != row.fate.Skew {
			t.Fatalf("the clock of %d is wrong by %d and by %d", row.Person, known, row.fate.Skew)
		}
		if row.Event == 1 {
			wrong[row.Person] = row.fate.Skew
		}
	}
	people := 0
	for _, skew := range wrong {
		if skew != 0 {
			people++
		}
	}
	if share := float64(people) / float64(len(wrong)); sorted || len(rows) != 40_000 || math.Abs(share-0.3) > 0.06 {
		t.Errorf("%d rows, sorted %v, the clocks of %v are wrong", len(rows), sorted, share)
	}
}
