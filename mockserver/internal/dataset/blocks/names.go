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

// keyIn reads the key at the beginning of a text.
func keyIn(text []byte) nameKey {
	return nameKey{binary.BigEndian.Uint64(text), binary.BigEndian.Uint64(text[8:])}
}

const (
	nameBytes   = 16 + 4  // a key, and the number of what it names
	nameBlock   = 800     // names in a block, which fits into a page of 16 kB
	filterBits  = 10      // for each name of a run
	freshNames  = 200_000 // how many are kept in memory
	runsOfAKind = 8       // how many runs of about the same length make a longer one
)

// Index finds the number of a profile or an installation by an identifier.
// Those of the last loads are in memory, all others in sorted runs of blocks,
// which are looked up for many rows together.
type Index struct {
	blocks Store
	seeds  [2]maphash.Seed

	loading map[nameKey]int32 // of a load that may be taken back
	recent  map[nameKey]int32
	runs    []nameRun
	kept    int               // runs before the load
	found   map[nameKey]int32 // in runs, for the rows that are being added
	wanted  []nameKey
	memory  []byte
}

// nameRun is names in order.
type nameRun struct {
	blocks []int64
	first  []nameKey // of each block
	count  int
	filter []uint64
}

// mayHold is false for nearly all names that the run does not hold: most rows
// of a load bring new ones.
func (r *nameRun) mayHold(key nameKey) bool {
	size := uint64(len(r.filter)) * 64
	for i := range filterProbes {
		if bit := filterBit(key, i, size); r.filter[bit/64]>>(bit%64)&1 == 0 {
			return false
		}
	}
	return true
}

// filterProbes is how many bits of the filter stand for a name.
const filterProbes = 4

func filterBit(key nameKey, probe int, size uint64) uint64 {
	bit, _ := bits.Mul64(key.low+uint64(probe)*(key.high|1), size)
	return bit
}

// makeFilter makes the filter for a number of names.
func (r *nameRun) makeFilter(count int) { r.filter = make([]uint64, count*filterBits/64+1) }

func (r *nameRun) noteInFilter(key nameKey) {
	size := uint64(len(r.filter)) * 64
	for i := range filterProbes {
		bit := filterBit(key, i, size)
		r.filter[bit/64] |= 1 << (bit % 64)
	}
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

// Get is what a name stands for. Names in runs are known only after Want and
// LookUp.
func (x *Index) Get(space byte, name string) (number int32, known bool) {
	key := x.key(space, name)
	for _, names := range []map[nameKey]int32{x.loading, x.recent, x.found} {
		if number, known = names[key]; known {
			return number, true
		}
	}
	return 0, false
}

// Set gives a name to something, unless it is taken.
func (x *Index) Set(space byte, name string, number int32) {
	if _, known := x.Get(space, name); !known {
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
	for i := range x.runs {
		if err := x.lookUpIn(&x.runs[i]); err != nil {
			return err
		}
	}
	x.wanted = x.wanted[:0]
	return nil
}

func (x *Index) lookUpIn(r *nameRun) error {
	open, text := -1, []byte(nil)
	for _, key := range x.wanted {
		if !r.mayHold(key) {
			continue
		}
		block := sort.Search(len(r.first), func(i int) bool { return compareKeys(r.first[i], key) > 0 }) - 1
		if block < 0 {
			continue
		}
		if block != open {
			var err error
			if text, err = x.blocks.Get(r.blocks[block], x.memory[:0]); err != nil {
				return err
			}
			x.memory, open = text, block
		}
		at := sort.Search(len(text)/nameBytes, func(i int) bool { return compareKeys(keyIn(text[i*nameBytes:]), key) >= 0 })
		if place := at * nameBytes; place < len(text) && keyIn(text[place:]) == key {
			x.found[key] = int32(binary.BigEndian.Uint32(text[place+16:]))
		}
	}
	return nil
}

// Stored are the blocks of the runs.
func (x *Index) Stored() (numbers []int64) {
	for _, run := range x.runs {
		numbers = append(numbers, run.blocks...)
	}
	return numbers
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
func (x *Index) Undo() error {
	clear(x.loading)
	var gone []int64
	for _, run := range x.runs[x.kept:] {
		gone = append(gone, run.blocks...)
	}
	x.runs = x.runs[:x.kept]
	return x.blocks.Drop(gone)
}

func (x *Index) addRun(names map[nameKey]int32) error {
	keys := make([]nameKey, 0, len(names))
	for key := range names {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, compareKeys)
	writer := nameWriter{blocks: x.blocks}
	writer.made.makeFilter(len(keys))
	for _, key := range keys {
		if err := writer.add(key, uint32(names[key])); err != nil {
			return writer.giveUp(err)
		}
	}
	made, err := writer.end()
	if err != nil {
		return writer.giveUp(err)
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
		made, err := x.merged(last)
		if err != nil {
			return err
		}
		var gone []int64
		for _, run := range last {
			gone = append(gone, run.blocks...)
		}
		x.runs = append(x.runs[:first:first], made)
		if err := x.blocks.Drop(gone); err != nil {
			return err
		}
	}
	return nil
}

func (x *Index) merged(runs []nameRun) (nameRun, error) {
	writer := nameWriter{blocks: x.blocks}
	total := 0
	for i := range runs {
		total += runs[i].count
	}
	writer.made.makeFilter(total)
	readers := make([]nameReader, len(runs))
	for i := range runs {
		readers[i] = nameReader{blocks: x.blocks, run: &runs[i]}
		if err := readers[i].fill(); err != nil {
			return nameRun{}, err
		}
	}
	for {
		least := -1
		for i := range readers {
			if len(readers[i].text) > 0 && (least < 0 || compareKeys(readers[i].first, readers[least].first) < 0) {
				least = i
			}
		}
		if least < 0 {
			made, err := writer.end()
			if err != nil {
				return nameRun{}, writer.giveUp(err)
			}
			return made, nil
		}
		from := &readers[least]
		if err := writer.add(from.first, binary.BigEndian.Uint32(from.text[16:])); err != nil {
			return nameRun{}, writer.giveUp(err)
		}
		from.text = from.text[nameBytes:]
		if err := from.fill(); err != nil {
			return nameRun{}, writer.giveUp(err)
		}
	}
}

// nameWriter writes a run.
type nameWriter struct {
	blocks Store
	text   []byte
	made   nameRun
}

func (w *nameWriter) add(key nameKey, number uint32) error {
	if len(w.text) == 0 {
		w.made.first = append(w.made.first, key)
	}
	w.text = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(w.text, key.high), key.low)
	w.text = binary.BigEndian.AppendUint32(w.text, number)
	w.made.noteInFilter(key)
	w.made.count++
	if len(w.text) < nameBlock*nameBytes {
		return nil
	}
	return w.flush()
}

func (w *nameWriter) flush() error {
	if len(w.text) == 0 {
		return nil
	}
	number, err := w.blocks.Add(w.text)
	if err != nil {
		return err
	}
	w.made.blocks, w.text = append(w.made.blocks, number), w.text[:0]
	return nil
}

// giveUp takes back what was written before an error.
func (w *nameWriter) giveUp(err error) error { return errors.Join(err, w.blocks.Drop(w.made.blocks)) }

func (w *nameWriter) end() (nameRun, error) {
	err := w.flush()
	return w.made, err
}

// nameReader reads a run from its beginning.
type nameReader struct {
	blocks       Store
	run          *nameRun
	next         int
	text, memory []byte
	first        nameKey // in the text
}

// fill reads the next block when there is nothing left of the last, and the
// first key.
func (r *nameReader) fill() (err error) {
	if len(r.text) == 0 && r.next < len(r.run.blocks) {
		if r.memory, err = r.blocks.Get(r.run.blocks[r.next], r.memory[:0]); err != nil {
			return err
		}
		r.text, r.next = r.memory, r.next+1
	}
	if len(r.text) > 0 {
		r.first = keyIn(r.text)
	}
	return nil
}
