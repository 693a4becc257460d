package world

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func TestThingsOfAWeekAreWhereTheyAreCounted(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, r := range []*intensity{weeklyIntensity, newBurstIntensity(6), newBurstIntensity(40)} {
		length := r.length() * bucket
		for range 3_000 {
			count := 1 + random.Int64N(1<<uint(1+random.IntN(40)))
			number := random.Int64N(count)
			second := r.secondOf(number, count)
			if second < 0 || second >= length || r.countBefore(second, count) > number || r.countBefore(second+1, count) <= number {
				t.Fatalf("number %d of %d is at second %d, which has %d to %d", number, count, second, r.countBefore(second, count), r.countBefore(second+1, count))
			}
		}
		if r.countBefore(0, 1000) != 0 || r.countBefore(length, 1000) != 1000 || r.countBefore(length+9, 1000) != 1000 {
			t.Error("the ends of the time are not the ends of the things")
		}
	}
}

func TestSpreadThingsAreInOrderAndCounted(t *testing.T) {
	for seed := range uint64(20) {
		s := newSpread(keyOf(seed, "test"), 1_700_000_000/week*week, 2, 1+int64(seed*seed*7))
		before := int64(0)
		for number := range s.count {
			at := s.at(number)
			if at < before || at < s.start || at >= s.start+s.weeks*week {
				t.Fatalf("thing %d of %d is at %d, after one at %d", number, s.count, at-s.start, before-s.start)
			}
			if low, high := s.before(at), s.before(at+1); low > number || high <= number {
				t.Fatalf("thing %d of %d is at %d, and %d to %d are counted there", number, s.count, at-s.start, low, high)
			}
			for _, span := range [][2]int64{{at, at + 1}, {at - 900, at}, {at - 7, at + 900}, {s.start - 9, at}, {at, at + 3*week}} {
				number, behind, begin, end := s.around(span[0], span[1])
				var found []int64
				for ; number < behind; number++ {
					if weight := s.weightOf(number); weight >= begin && weight < end {
						found = append(found, number)
					}
				}
				low, high := s.before(span[0]), s.before(span[1])
				if int64(len(found)) != max(high-low, 0) || len(found) > 0 && (found[0] != low || found[len(found)-1] != high-1) {
					t.Fatalf("things %v are in %d to %d, and %d to %d are counted there", found, span[0]-s.start, span[1]-s.start, low, high)
				}
			}
			before = at
		}
	}
}

func TestArrivals(t *testing.T) {
	for seed := range uint64(4) {
		for _, growth := range []float64{0, 0.01, 0.25, 1} {
			for _, profiles := range []int64{0, 1, 2, 9, 1_000, 20_000} {
				a := newArrivals(keyOf(seed, "created"), profiles, growth)
				before := int64(0)
				for profile := range profiles {
					at := a.at(profile)
					if at < before || a.before(at) > profile || a.before(at+1) <= profile {
						t.Fatalf("profile %d of %d comes at %d; %d come before", profile, profiles, at, a.before(at))
					}
					before = at
				}
				if a.before(worldStart-300*week) != 0 || a.before(worldStart+1_000*52*week) != profiles {
					t.Errorf("%d profiles, growth %v: not all come within the life of the world", profiles, growth)
				}
			}
		}
	}
}

// TestGrowth: a population grows by the share that was asked for as long as there are
// people to come, more of whom come in December than in August.
func TestGrowth(t *testing.T) {
	const profiles = 1_000_000
	at := func(date string) int64 {
		when, err := time.Parse(time.DateOnly, date)
		if err != nil {
			t.Fatal(err)
		}
		return when.Unix()
	}
	for _, growth := range []float64{0, 0.1, 0.25, 0.5} {
		a := newArrivals(keyOf(1, "created"), profiles, growth)
		first, second := a.before(at("2024-01-01")), a.before(at("2024-12-30"))
		if got := float64(second-first) / float64(first); got < growth-0.01 || got > growth+0.01 {
			t.Errorf("a growth of %v is one of %v in the first year", growth, got)
		}
		august, december := a.before(at("2025-08-25"))-a.before(at("2025-07-28")), a.before(at("2025-12-15"))-a.before(at("2025-11-17"))
		if growth > 0 && december*10 < august*13 {
			t.Errorf("growth %v: %d join in August, %d before Christmas", growth, august, december)
		}
	}
	if a := newArrivals(1, profiles, 0.25); a.before(at("2026-11-23")) < profiles*7/10 || a.before(at("2026-11-23")) > profiles*85/100 {
		t.Errorf("%d of a million people are there in November 2026", a.before(at("2026-11-23")))
	}
}

func TestHouseholdsAreABijection(t *testing.T) {
	for seed := range uint64(8) {
		for _, none := range []float64{0, 0.05, 0.125, 0.5, 0.93, 1} {
			for _, profiles := range []int64{0, 1, 7, 8, 1_003} {
				h := newInstallationIndex(keyOf(seed, "households"), profiles, none)
				owners, without := map[int64]int64{}, 0
				for profile := range profiles {
					first, count := h.of(profile)
					if count == 0 {
						without++
					}
					for installation := first; installation < first+count; installation++ {
						if _, twice := owners[installation]; twice {
							t.Fatalf("installation %d has two owners", installation)
						}
						owners[installation] = profile
						if got := h.ownerOf(installation); got != profile {
							t.Fatalf("installation %d of %d belongs to %d", installation, profile, got)
						}
						if installation >= h.before(profile+1) {
							t.Fatalf("installation %d of profile %d is not among the first %d", installation, profile, h.before(profile+1))
						}
					}
				}
				if int64(len(owners)) != h.before(profiles) {
					t.Errorf("%d installations, %d have owners", h.before(profiles), len(owners))
				}
				if share := float64(without) / float64(max(profiles, 1)); profiles > 1_000 && (share < none-0.01 || share > none+0.01) {
					t.Errorf("%v of the profiles have no installation, want %v", share, none)
				}
			}
		}
	}
}

func TestStepsAreTracedBackToTheirSlot(t *testing.T) {
	j, err := newJourney(segmentQuery.Journey, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, length := range slotLengths {
		s := j.schedule(length)
		for i := range j.steps {
			for tempo := range delayClasses {
				for sent := int64(-40); sent < 4_000; sent += 7 {
					slot := s.slotOf(i, tempo, sent)
					if s.sentIn(i, tempo, slot) != sent {
						t.Fatalf("step %d of slot %d is in %d, which is that of %d", i, sent, slot, s.sentIn(i, tempo, slot))
					}
					if parent := j.steps[i].parent; parent >= 0 && slot < s.slotOf(parent, tempo, sent) || slot-sent > slices.Max(s.furthest) {
						t.Fatalf("step %d of slot %d is in %d", i, sent, slot)
					}
				}
			}
		}
	}
}

func TestRatesKeepTheirMean(t *testing.T) {
	for _, rate := range []float64{0, 0.001, 0.08, 0.34, 0.5, 0.9, 1} {
		sum := 0.0
		g := activityRateOf(rate)
		for level := range levels {
			part := 0.0
			for bit, set := range g.parts {
				part += float64(set>>level&1) / float64(uint(2)<<bit)
			}
			sum += part * float64(g.top) / (1 << 63) / 2
		}
		if mean := sum / levels; mean < rate-0.001 || mean > rate+0.001 {
			t.Errorf("a rate of %v has a mean of %v", rate, mean)
		}
	}
}
