package blocks

import (
	"cmp"
	"hash/maphash"
	"maps"
	"slices"
)

// nameKey stands for an identifier: 128 bits under seeds of this process, so
// two identifiers share one only in theory, no matter who chose them. Two numbers are
// compared sooner than sixteen bytes.
type nameKey struct{ high, low uint64 }

func compareKeys(a, b nameKey) int {
	if a.high != b.high {
		return cmp.Compare(a.high, b.high)
	}
	return cmp.Compare(a.low, b.low)
}

const (
	freshNames  = 200_000 // how many are kept in memory
	runsOfAKind = 8       // how many runs of about the same length make a longer one
)

// Index finds the number of a profile or an installation by an identifier.
// Those of the last loads are in memory, all others in sorted runs on disk, which
// are looked up for many rows together.
type Index struct {
	blocks Store // what the runs share the room of
	seeds  [2]maphash.Seed

	loading map[nameKey]int32 // of a load that may be taken back
	recent  map[nameKey]int32
	runs    []*nameRun
	kept    int               // runs before the load
	found   map[nameKey]int32 // in runs, for the rows that are being added
	wanted  []nameKey
}

// NewIndex makes an empty index.
func NewIndex(blocks Store) *Index {
	return &Index{
		blocks: blocks, seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
		loading: map[nameKey]int32{}, recent: map[nameKey]int32{}, found: map[nameKey]int32{},
	}
}

func (x *Index) key(space byte, name string) nameKey {
	const spaceAt = 56 // in the first byte of a key that is written
	return nameKey{maphash.String(x.seeds[0], name)&^(3<<spaceAt) | uint64(space)<<spaceAt, maphash.String(x.seeds[1], name)}
}

// Get is what a name stands for; "" stands for nothing. Names in runs are known only after Want and
// LookUp.
func (x *Index) Get(space byte, name string) (number int32, known bool) {
	if name == "" {
		return 0, false
	}
	key := x.key(space, name)
	for _, names := range [...]map[nameKey]int32{x.loading, x.recent, x.found} {
		if number, known = names[key]; known {
			return number, true
		}
	}
	return 0, false
}

// Set gives a name, if there is one, to something, unless it is taken.
func (x *Index) Set(space byte, name string, number int32) {
	if _, known := x.Get(space, name); !known && name != "" {
		x.loading[x.key(space, name)] = number
	}
}

// InMemory reports whether all names are in memory: then Want and LookUp are not
// needed.
func (x *Index) InMemory() bool { return len(x.runs) == 0 }

// Want says that rows to come name something.
func (x *Index) Want(space byte, name string) {
	if len(x.runs) > 0 && name != "" {
		x.wanted = append(x.wanted, x.key(space, name))
	}
}

// LookUp finds what is wanted, see Want.
func (x *Index) LookUp() error {
	clear(x.found)
	slices.SortFunc(x.wanted, compareKeys)
	x.wanted = slices.Compact(x.wanted)
	for _, run := range x.runs {
		if err := run.find(x.wanted, x.found); err != nil {
			return err
		}
	}
	x.wanted = x.wanted[:0]
	return nil
}

// Close removes the runs. Nobody asks any more.
func (x *Index) Close() {
	for _, run := range x.runs {
		run.file.Close()
	}
	x.runs = nil
}

// Begin begins a load.
func (x *Index) Begin() { x.kept = len(x.runs) }

// Relieve moves names out of the memory when there are many.
func (x *Index) Relieve() error {
	if len(x.loading) < freshNames {
		return nil
	}
	if err := x.addRun(x.loading); err != nil {
		return err
	}
	clear(x.loading)
	return nil
}

// Keep ends a load whose names stay.
func (x *Index) Keep() error {
	maps.Copy(x.recent, x.loading)
	clear(x.loading)
	x.kept = 0
	if len(x.recent) < freshNames {
		return nil
	}
	if err := x.addRun(x.recent); err != nil {
		return err
	}
	clear(x.recent)
	return nil
}

// Undo ends a load whose names go.
func (x *Index) Undo() {
	clear(x.loading)
	for _, run := range x.runs[x.kept:] {
		run.file.Close()
	}
	x.runs = x.runs[:x.kept]
}

func (x *Index) addRun(names map[nameKey]int32) error {
	keys := slices.SortedFunc(maps.Keys(names), compareKeys)
	writer, err := newNameWriter(len(keys), x.blocks.Room())
	for i := 0; err == nil && i < len(keys); i++ {
		err = writer.add(keys[i], uint32(names[keys[i]]))
	}
	made, err := writer.end(err)
	if err != nil {
		return err
	}
	x.runs = append(x.runs, made)
	return x.merge()
}

// merge makes one run of the last ones when they are many of about the same
// length. Runs that a load may have to take back stay apart from the others.
func (x *Index) merge() error {
	for first := len(x.runs) - runsOfAKind; first >= x.kept; first = len(x.runs) - runsOfAKind {
		last := x.runs[first:]
		if last[0].count > 2*last[runsOfAKind-1].count {
			return nil
		}
		made, err := mergeRuns(last, x.blocks.Room())
		if err != nil {
			return err
		}
		for _, run := range last {
			run.file.Close()
		}
		x.runs = append(x.runs[:first:first], made)
	}
	return nil
}
