package blocks

import (
	"cmp"
	"encoding/binary"
	"errors"
	"hash/maphash"
	"maps"
	"math/bits"
	"slices"
	"sort"
)

// nameKey stands for an identifier: 128 bits under seeds of this process, so two identifiers share one only in theory, no matter who
// chose them. Two numbers are compared sooner than sixteen bytes.
type nameKey struct{ high, low uint64 }

func compareKeys(a, b nameKey) int {
	return cmp.Or(cmp.Compare(a.high, b.high), cmp.Compare(a.low, b.low))
}

const (
	freshNames  = 200_000 // how many are kept in memory
	fewNames    = 1000    // of a small load
	runsOfAKind = 8       // how many runs of about the same length make a longer one

	nameBytes  = 16 + 4                       // a key, and the number that it stands for
	pageBytes  = 4096 / nameBytes * nameBytes // of a block: names are spread evenly, so nearly each is in another page
	lineBytes  = 64                           // what a processor reads of the memory at once
	filterBits = 12                           // for each name of a run
)

// Index finds the number of a profile or an installation by an identifier. Names of the last loads are in memory, all others in sorted
// runs of blocks, which are looked up for many rows together.
type Index struct {
	blocks Store
	seeds  [2]maphash.Seed

	loading map[nameKey]int32 // of a load that may be taken back
	recent  map[nameKey]int32
	runs    []*run
	kept    int               // runs before the load
	full    error             // why recent names are still in memory
	found   map[nameKey]int32 // in runs, for the rows that are being added
	wanted  []nameKey
	page    []byte
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

// Get is the number of a name; "" has none. Names in runs are known only after Want and LookUp.
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

// Set gives a number to a name, if there is one, that has none.
func (x *Index) Set(space byte, name string, number int32) {
	if name != "" {
		x.loading[x.key(space, name)] = number
	}
}

// Want says that rows to come name something.
func (x *Index) Want(space byte, name string) {
	if len(x.runs) > 0 && name != "" {
		x.wanted = append(x.wanted, x.key(space, name))
	}
}

// LookUp finds what is wanted.
func (x *Index) LookUp() error {
	clear(x.found)
	slices.SortFunc(x.wanted, compareKeys)
	x.wanted = slices.Compact(x.wanted)
	for _, r := range x.runs {
		if err := x.find(r); err != nil {
			return err
		}
	}
	x.wanted = x.wanted[:0]
	return nil
}

// find finds what is wanted of a run.
func (x *Index) find(r *run) (err error) {
	open := -1
	for _, key := range x.wanted {
		if !r.mayHold(key) {
			continue
		}
		at := sort.Search(len(r.first), func(i int) bool { return compareKeys(r.first[i], key) > 0 }) - 1
		if at < 0 {
			continue
		}
		if at != open {
			if x.page, err = x.blocks.Get(r.pages[at], x.page[:0]); err != nil {
				return err
			}
			open = at
		}
		i := sort.Search(len(x.page)/nameBytes, func(i int) bool { return compareKeys(keyIn(x.page[i*nameBytes:]), key) >= 0 })
		if name := x.page[i*nameBytes:]; len(name) > 0 && keyIn(name) == key {
			x.found[key] = int32(binary.BigEndian.Uint32(name[16:]))
		}
	}
	return nil
}

// Begin begins a load. Names of those before go to the disk when they are many; while it has no room, small loads may come.
func (x *Index) Begin() {
	x.kept = 0
	x.full = x.spill(x.recent)
	x.kept = len(x.runs)
}

// Relieve moves names out of the memory when there are many.
func (x *Index) Relieve() error {
	if x.full != nil && len(x.loading) > fewNames {
		return x.full
	}
	return x.spill(x.loading)
}

// Keep ends a load whose names stay.
func (x *Index) Keep() {
	maps.Copy(x.recent, x.loading)
	clear(x.loading)
}

// Undo ends a load whose names go.
func (x *Index) Undo() error {
	clear(x.loading)
	gone := x.runs[x.kept:]
	x.runs = x.runs[:x.kept]
	return x.drop(gone)
}

// Close removes the runs. Nobody asks any more.
func (x *Index) Close() error {
	gone := x.runs
	x.runs = nil
	return x.drop(gone)
}

func (x *Index) drop(runs []*run) error {
	var pages []int64
	for _, r := range runs {
		pages = append(pages, r.pages...)
	}
	return x.blocks.Drop(pages)
}

// spill makes a run of names when they are many, and one run of the last ones when these are many of about the same length. Runs that a
// load may have to take back stay apart from the others.
func (x *Index) spill(names map[nameKey]int32) error {
	if len(names) < freshNames {
		return nil
	}
	w := newWriter(x.blocks, len(names))
	for _, key := range slices.SortedFunc(maps.Keys(names), compareKeys) {
		w.add(key, uint32(names[key]))
	}
	made, err := w.end()
	if err != nil {
		return err
	}
	clear(names)
	x.runs = append(x.runs, made)
	for first := len(x.runs) - runsOfAKind; first >= x.kept; first = len(x.runs) - runsOfAKind {
		last := x.runs[first:]
		if last[0].count > 2*last[runsOfAKind-1].count {
			break
		}
		if made, err = x.merged(last); err != nil {
			return err
		}
		x.runs = append(x.runs[:first:first], made)
		if err = x.drop(last); err != nil {
			return err
		}
	}
	return nil
}

// merged makes one run of several.
func (x *Index) merged(runs []*run) (*run, error) {
	total := 0
	readers := make([]reader, len(runs))
	for i, r := range runs {
		total += r.count
		readers[i] = reader{blocks: x.blocks, pages: r.pages}
	}
	w := newWriter(x.blocks, total)
	for range total {
		var least *reader
		for i := range readers {
			r := &readers[i]
			w.err = cmp.Or(w.err, r.fill())
			if len(r.page) > 0 && (least == nil || compareKeys(keyIn(r.page), keyIn(least.page)) < 0) {
				least = r
			}
		}
		if w.err != nil {
			break
		}
		w.add(keyIn(least.page), binary.BigEndian.Uint32(least.page[16:]))
		least.page = least.page[nameBytes:]
	}
	return w.end()
}

// run is names in order, in blocks.
type run struct {
	pages  []int64
	first  []nameKey // of each page
	count  int
	filter [][lineBytes]byte
}

// probes are the bits of the filter that stand for a key, all in one line. The lines are in the order of the keys, so keys in order read
// one after the other.
func (r *run) probes(key nameKey) (line *[lineBytes]byte, bitsOfLine [5]uint16) {
	at, _ := bits.Mul64(key.high, uint64(len(r.filter)))
	for i := range bitsOfLine {
		bitsOfLine[i] = uint16(key.low>>(9*i)) % (8 * lineBytes)
	}
	return &r.filter[at], bitsOfLine
}

// mayHold is false for nearly all names that the run does not hold: most rows of a load bring new ones.
func (r *run) mayHold(key nameKey) bool {
	line, probes := r.probes(key)
	for _, bit := range probes {
		if line[bit/8]>>(bit%8)&1 == 0 {
			return false
		}
	}
	return true
}

func keyIn(text []byte) nameKey {
	return nameKey{binary.BigEndian.Uint64(text), binary.BigEndian.Uint64(text[8:])}
}

// writer writes a run.
type writer struct {
	blocks Store
	made   *run
	page   []byte
	err    error
}

// newWriter begins a run of a number of names.
func newWriter(blocks Store, count int) *writer {
	return &writer{blocks: blocks, made: &run{filter: make([][lineBytes]byte, count*filterBits/(8*lineBytes)+1)}}
}

func (w *writer) add(key nameKey, number uint32) {
	if len(w.page) == 0 {
		w.made.first = append(w.made.first, key)
	}
	w.made.count++
	line, probes := w.made.probes(key)
	for _, bit := range probes {
		line[bit/8] |= 1 << (bit % 8)
	}
	w.page = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(w.page, key.high), key.low)
	if w.page = binary.BigEndian.AppendUint32(w.page, number); len(w.page) == pageBytes {
		w.flush()
	}
}

func (w *writer) flush() {
	if w.err == nil && len(w.page) > 0 {
		var page int64
		if page, w.err = w.blocks.Add(w.page); w.err == nil {
			w.made.pages = append(w.made.pages, page)
		}
	}
	w.page = w.page[:0]
}

// end is the run, unless that failed.
func (w *writer) end() (*run, error) {
	if w.flush(); w.err != nil {
		return nil, errors.Join(w.err, w.blocks.Drop(w.made.pages))
	}
	return w.made, nil
}

// reader reads a run from its beginning.
type reader struct {
	blocks Store
	pages  []int64
	page   []byte // what is left of one
	memory []byte
}

// fill reads the next page, if there is one, after the last name of one.
func (r *reader) fill() (err error) {
	if len(r.page) > 0 || len(r.pages) == 0 {
		return nil
	}
	r.memory, err = r.blocks.Get(r.pages[0], r.memory[:0])
	r.page, r.pages = r.memory, r.pages[1:]
	return err
}
