package world

import "testing"

// What is computed for a block at once is tested against what is computed for one of its
// members, in worlds whose last block is not full, and in one that nobody has the app in.
func blockWorlds(t *testing.T) map[string]*World {
	t.Helper()
	none := 1.0
	worlds := map[string]*World{"usual": New(5, 3_001), "small": New(9, 70), "large": New(11, 200_000)}
	made, err := NewWith(3, 1_500, Settings{EmailOnly: &none})
	if err != nil {
		t.Fatal(err)
	}
	worlds["nobody has the app"] = made
	return worlds
}

func TestHouseholdsOfABlockAreThoseOfItsProfiles(t *testing.T) {
	for name, w := range blockWorlds(t) {
		for block := range blocksOf(w.profiles) {
			homes := w.ownership.householdsOf(block)
			count := int64(0)
			for profile := block << blockBits; profile < min((block+1)<<blockBits, w.profiles); profile++ {
				first, has := w.ownership.of(profile)
				owned := homes.owned[profile%blockSize]
				if int64(owned.count) != has || has > 0 && homes.first+int64(owned.before) != first {
					t.Fatalf("%s: profile %d has %d installations from %d; its block says %d from %d", name, profile, has, first, owned.count, homes.first+int64(owned.before))
				}
				count += has
			}
			if count != homes.count {
				t.Fatalf("%s: the profiles of block %d have %d installations; the block says %d", name, block, count, homes.count)
			}
		}
	}
}

func TestOwnersOfConsecutiveInstallationsAreThoseOfEach(t *testing.T) {
	for name, w := range blockWorlds(t) {
		all := min(w.Installations(), 5_000)
		for from := int64(0); from < all; from += 37 {
			next := from
			w.ownership.ownersOf(from, min(from+90, all), func(installation, profile int64) {
				if installation != next || profile != w.ownerOf(installation) {
					t.Fatalf("%s: installation %d of profile %d; want %d of profile %d", name, installation, profile, next, w.ownerOf(next))
				}
				next++
			})
			if next != min(from+90, all) {
				t.Fatalf("%s: the owners from %d end at %d", name, from, next)
			}
		}
	}
}

func TestTheUsualStateOfABlockIsThatOfEachMember(t *testing.T) {
	for name, w := range blockWorlds(t) {
		for kind, line := range w.timelines {
			for block := range min(line.blocks.by, 40) {
				// One member of each of two blocks in turn: so that no block is looked at as a whole.
				var alone memberSet
				for bit := range int64(blockSize) {
					alone |= line.usual.kept(block, setOf(bit))
					line.usual.kept(block+16, 1)
				}
				if whole := line.usual.kept(block, wholeBlock); whole != alone {
					t.Fatalf("%s: %v, block %d: %x, and member by member %x", name, kind, block, whole, alone)
				}
			}
		}
	}
}

func TestReachOfABlockIsThatOfItsInstallations(t *testing.T) {
	for name, w := range blockWorlds(t) {
		seen := [3]int{}
		for block := range min(blocksOf(w.profiles), 60) {
			homes := w.ownership.householdsOf(block)
			from := int64(worldStart) + 40*week + block*day
			until := from + 9*day
			reached := weeklyReach{view: &messages{world: w}, block: block, members: wholeBlock, households: &homes}
			certain, possible := reached.between(channelPush, from, until)
			for bit := range int(min(blockSize, w.profiles-block<<blockBits)) {
				every := homes.owned[bit].count > 0
				for nth := range int64(homes.owned[bit].count) {
					at := homes.first + int64(homes.owned[bit].before) + nth
					for _, kind := range channelNeeds[channelPush] {
						every = every && w.timelineOf(kind).holdsThroughout(true, at, from, until)
					}
				}
				switch {
				case certain.has(bit):
					if seen[0]++; !every {
						t.Fatalf("%s: block %d certainly reaches member %d, and does not", name, block, bit)
					}
				case possible.has(bit):
					seen[1]++
				default:
					if seen[2]++; every {
						t.Fatalf("%s: block %d cannot reach member %d, and does", name, block, bit)
					}
				}
			}
		}
		if name != "nobody has the app" && (seen[0] == 0 || seen[1] == 0 || seen[2] == 0) {
			t.Errorf("%s: %v members are reached certainly, possibly and not: the test sees too little", name, seen)
		}
	}
}
