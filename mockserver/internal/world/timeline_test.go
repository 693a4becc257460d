package world

import "testing"

var always = sameFacts(func(_ int64, members memberSet) memberSet { return members })

func TestTimelineChangesAgreeWithTheStateBeforeAndAfter(t *testing.T) {
	for seed := range uint64(5) {
		line := newTimeline(keyOf(seed, "test"), 500, 0.1, sameFacts(func(_ int64, members memberSet) memberSet { return members & 0x9249249249249249 }), always)
		start := int64(1_700_000_000)
		previous, count := int64(0), 0
		line.changes(wantedChanges{below: line.entities}, start, start+3*passLength, func(c change) {
			count++
			if c.at < previous {
				t.Fatalf("change at %d comes after one at %d", c.at, previous)
			}
			previous = c.at
			if got := line.at(c.entity, c.at); got != c.state {
				t.Fatalf("state of %d at its change = %v, want %v", c.entity, got, c.state)
			}
			if got := line.at(c.entity, c.at-1); got == c.state {
				t.Fatalf("state of %d does not change at %d", c.entity, c.at)
			}
			if got := line.nextChange(c.entity, c.at-1, c.at+10); got != c.at {
				t.Fatalf("nextChange = %d, want %d", got, c.at)
			}
		})
		if want := 3 * 2 * 50; count < want*8/10 || count > want*12/10 { // the last block is not full
			t.Errorf("seed %d: %d changes in three passes, want about %d", seed, count, want)
		}
	}
}

func TestTimelineWindowsTile(t *testing.T) {
	line := newTimeline(keyOf(1, "test"), 300, 0.2, always, always)
	start, end := int64(1_700_000_123), int64(1_700_000_123+2*passLength)
	whole := []change{}
	line.changes(wantedChanges{below: line.entities}, start, end, func(c change) { whole = append(whole, c) })
	parts := []change{}
	for at := start; at < end; at += 50_000 {
		line.changes(wantedChanges{below: line.entities}, at, min(at+50_000, end), func(c change) { parts = append(parts, c) })
	}
	if len(whole) == 0 || len(whole) != len(parts) {
		t.Fatalf("%d changes as a whole, %d in parts", len(whole), len(parts))
	}
	for i := range whole {
		if whole[i] != parts[i] {
			t.Fatalf("change %d differs: %v and %v", i, whole[i], parts[i])
		}
	}
}

func TestTimelineOfNothing(t *testing.T) {
	line := newTimeline(1, 0, 0.5, always, always)
	line.changes(wantedChanges{below: line.entities}, 0, passLength, func(c change) { t.Errorf("change %v in an empty timeline", c) })
}
