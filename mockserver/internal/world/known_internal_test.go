package world

import (
	"testing"
	"time"
)

// What a block or a row keeps is tested against what is found for one entity anew.

func TestTimesOfInstallationsOfABlockAreThoseOfEach(t *testing.T) {
	for name, w := range blockWorlds(t) {
		for _, step := range []int64{1, 67} { // one block after the other, and blocks by chance
			for profile := int64(0); profile < w.profiles; profile += step {
				first, count := w.installationsOf(profile)
				for installation := first; installation < first+count; installation++ {
					if got, want := w.installedAt(installation, profile), w.installedBy(installation, profile); got != want {
						t.Fatalf("%s: installation %d of profile %d was made at %d; its block says %d", name, installation, profile, want, got)
					}
				}
				at := worldStart + profile%700*day
				var got, want []int64
				w.installed(profile, at, func(installation int64) { got = append(got, installation) })
				for installation := first; installation < first+count; installation++ {
					if w.isInstalledBy(installation, profile, at) {
						want = append(want, installation)
					}
				}
				if len(got) != len(want) || len(got) > 0 && got[0] != want[0] {
					t.Fatalf("%s: profile %d has the installations %v at %d; its block says %v", name, profile, want, at, got)
				}
				alone := w.installTimesOf(profile>>blockBits, setOf(profile))
				for nth := range count {
					if at := alone.at(first + nth - alone.first); at != w.installedBy(first+nth, profile) {
						t.Fatalf("%s: installation %d, looked at alone, was made at %d", name, first+nth, at)
					}
				}
			}
		}
	}
}

func TestStatesOfABlockAreThoseOfEachMember(t *testing.T) {
	for name, w := range blockWorlds(t) {
		for kind, line := range w.timelines {
			away := 0
			for instant := int64(worldStart + 3*day); instant < worldStart+passLength; instant += 5*day + 7 {
				for entity := range min(line.entities, 4_000) {
					got, want := line.snapshotAt(entity, instant), line.at(entity, instant)
					if got != want {
						t.Fatalf("%s: %v of %d is %v at %d; its block says %v", name, kind, entity, want, instant, got)
					}
					if want != line.usually(entity) {
						away++
					}
				}
			}
			if name == "large" && away == 0 {
				t.Errorf("%v is as usual for everybody: the test sees nothing", kind)
			}
		}
	}
}

// A filter finds the same whether it keeps what it found or not.
func TestFiltersDrawWhatTheyKeep(t *testing.T) {
	for name, w := range blockWorlds(t) {
		for kind, line := range w.timelines {
			for block := range min(line.blocks.by, 40) {
				for _, facts := range []memberFacts{line.usual, line.moves.memberFacts} {
					there := firstMembers(line.entities - block<<blockBits)
					whole, alone := facts.kept(block, there), memberSet(0)
					for rest := there; rest != 0; {
						alone |= facts.drawn(block, setOf(int64(rest.pop())))
					}
					if whole != alone {
						t.Fatalf("%s: %v, block %d: kept %x, drawn %x", name, kind, block, whole, alone)
					}
				}
			}
		}
	}
}

// What a row of a change knows from the beginning is what its facts would find.
func TestARowOfAChangeKnowsItsStates(t *testing.T) {
	for name, w := range blockWorlds(t) {
		now := time.Unix(worldStart+300*day, 0)
		for _, legacy := range []bool{true, false} {
			kinds := installationChanges
			if !legacy {
				kinds, _ = changesOfChannels(nil)
			}
			view, known := w.changesView(spanOf(Query{From: now.Add(-20 * 24 * time.Hour), To: now, Now: now}), kinds, legacy), 0
			for unit := range min(view.Units(), 300) {
				for _, row := range view.Append(nil, unit) {
					for kind := range changeKinds {
						if row.cache.knownStates>>kind&1 == 0 {
							continue
						}
						entity := row.Profile
						if changeTypes[kind].installation {
							entity = row.Installation
						}
						fresh := row
						fresh.cache = rowCache{}
						if got := row.cache.states>>kind&1 == 1; got != w.state(kind, entity, &fresh) {
							t.Fatalf("%s: a row of %v at %d knows %v as %v", name, row.changed-1, row.Time, kind, got)
						}
						known++
					}
				}
			}
			if known == 0 && name == "large" {
				t.Error("no row knows anything: the test sees nothing")
			}
		}
	}
}

func TestEffectsOfAWeekAreThoseOfEachOrchestration(t *testing.T) {
	w := New(4, 5_000)
	testing := 0
	for inWeek := int64(worldStart / week); inWeek < worldStart/week+2*designWeeks; inWeek++ {
		list := w.effectsIn(&weekPlan{week: inWeek})
		for i := range list {
			e, got := &w.orchestrations.effects[i], &list[i]
			winning, losing, both := e.in(inWeek)
			if got.winning != winning || got.losing != losing || got.testing != both {
				t.Fatalf("orchestration %d in week %d: %+v, want %d, %d, %v", i, inWeek, *got, winning, losing, both)
			}
			if !both {
				continue
			}
			testing++
			for block := range int64(20) {
				won := e.secondVariant(inWeek, block)
				if e.winner(inWeek) == 0 {
					won = ^won
				}
				if got.won(block) != won {
					t.Fatalf("orchestration %d in week %d: %x of block %d get the variant that wins, want %x", i, inWeek, got.won(block), block, won)
				}
			}
		}
	}
	if testing == 0 {
		t.Error("no orchestration goes out in two variants: the test sees nothing")
	}
}
