package blocks

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"sort"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/tempfile"
)

const (
	nameBytes = 16 + 4 // a key, and the number of what it names
	// pageNames is how many names are read to find one, which are at most a page of
	// memory: names are spread evenly over a run, so nearly each is in another page.
	pageNames  = 4096 / nameBytes
	pageBytes  = pageNames * nameBytes
	filterBits = 12 // for each name of a run
)

// nameRun is names in order, in a file.
type nameRun struct {
	file   *tempfile.File
	first  []nameKey // of each page
	count  int
	filter [][lineBytes]byte
	page   []byte
}

// lineBytes is what a processor reads of the memory at once.
const lineBytes = 64

// probes are the bits of the filter that stand for a key, all in one line. The
// lines are in the order of the keys, so keys in order read one after the other.
func (r *nameRun) probes(key nameKey) (line *[lineBytes]byte, bitsOfLine [5]uint16) {
	at, _ := bits.Mul64(key.high, uint64(len(r.filter)))
	for i := range bitsOfLine {
		bitsOfLine[i] = uint16(key.low>>(9*i)) % (8 * lineBytes)
	}
	return &r.filter[at], bitsOfLine
}

func (r *nameRun) note(key nameKey) {
	line, probes := r.probes(key)
	for _, bit := range probes {
		line[bit/8] |= 1 << (bit % 8)
	}
}

// mayHold is false for nearly all names that the run does not hold: most rows
// of a load bring new ones.
func (r *nameRun) mayHold(key nameKey) bool {
	line, probes := r.probes(key)
	for _, bit := range probes {
		if line[bit/8]>>(bit%8)&1 == 0 {
			return false
		}
	}
	return true
}

// find adds to found those of the keys, which are in order, that are in the run.
func (r *nameRun) find(keys []nameKey, found map[nameKey]int32) error {
	open, page := -1, []byte(nil)
	for _, key := range keys {
		if !r.mayHold(key) {
			continue
		}
		at := sort.Search(len(r.first), func(i int) bool { return compareKeys(r.first[i], key) > 0 }) - 1
		if at < 0 {
			continue
		}
		if at != open {
			n, err := r.file.ReadAt(r.page, int64(at)*pageBytes)
			if err != nil && !(errors.Is(err, io.EOF) && at == len(r.first)-1) {
				return fmt.Errorf("the names of a dataset cannot be read: %w", err)
			}
			page, open = r.page[:n], at
		}
		i := sort.Search(len(page)/nameBytes, func(i int) bool { return compareKeys(keyIn(page[i*nameBytes:]), key) >= 0 })
		if name := page[i*nameBytes:]; len(name) > 0 && keyIn(name) == key {
			found[key] = int32(binary.BigEndian.Uint32(name[16:]))
		}
	}
	return nil
}

// keyIn reads the key at the beginning of a text.
func keyIn(text []byte) nameKey {
	return nameKey{binary.BigEndian.Uint64(text), binary.BigEndian.Uint64(text[8:])}
}

// nameWriter writes a run.
type nameWriter struct {
	made *nameRun
	to   *bufio.Writer
	text [nameBytes]byte
}

// newNameWriter begins a run of about a number of names.
func newNameWriter(count int, room Room) (*nameWriter, error) {
	file, err := tempfile.Create("", "mockserver-names-*", room)
	made := &nameRun{file: file, filter: make([][lineBytes]byte, count*filterBits/(8*lineBytes)+1), page: make([]byte, pageBytes)}
	return &nameWriter{made: made, to: bufio.NewWriterSize(file, 64<<10)}, err
}

func (w *nameWriter) add(key nameKey, number uint32) error {
	if w.made.count%pageNames == 0 {
		w.made.first = append(w.made.first, key)
	}
	w.made.count++
	w.made.note(key)
	text := binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(w.text[:0], key.high), key.low)
	_, err := w.to.Write(binary.BigEndian.AppendUint32(text, number))
	return err
}

// end is the run, unless it failed.
func (w *nameWriter) end(err error) (*nameRun, error) {
	if err == nil {
		err = w.to.Flush()
	}
	if err != nil {
		w.made.file.Close()
		return nil, fmt.Errorf("the names of a dataset cannot be kept: %w", err)
	}
	return w.made, nil
}

// mergeRuns makes one run of several.
func mergeRuns(runs []*nameRun, room Room) (*nameRun, error) {
	total := 0
	readers := make([]*nameReader, len(runs))
	for i, run := range runs {
		total += run.count
		readers[i] = &nameReader{from: bufio.NewReaderSize(io.NewSectionReader(run.file, 0, run.file.Size()), 64<<10)}
	}
	writer, err := newNameWriter(total, room)
	for _, reader := range readers {
		err = errors.Join(err, reader.next())
	}
	for err == nil {
		var least *nameReader
		for _, reader := range readers {
			if !reader.ended && (least == nil || compareKeys(reader.key, least.key) < 0) {
				least = reader
			}
		}
		if least == nil {
			break
		}
		if err = writer.add(least.key, least.number); err == nil {
			err = least.next()
		}
	}
	return writer.end(err)
}

// nameReader reads a run from its beginning.
type nameReader struct {
	from   *bufio.Reader
	ended  bool
	key    nameKey
	number uint32
	text   [nameBytes]byte
}

func (r *nameReader) next() error {
	if _, err := io.ReadFull(r.from, r.text[:]); err == io.EOF {
		r.ended = true
		return nil
	} else if err != nil {
		return err
	}
	r.key, r.number = keyIn(r.text[:]), binary.BigEndian.Uint32(r.text[16:])
	return nil
}
