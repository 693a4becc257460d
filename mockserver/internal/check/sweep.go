package check

import (
	"bytes"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check/rules"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/extsort"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
)

// sweeper looks at all rows about one entity after another.
type sweeper interface {
	// begin announces the next thing, by its key.
	begin(key string)
	// row is given its rows: those of snapshots, then events in order of time, then rows without a time. A
	// repeated event, which another file has as well, comes with repeat.
	row(r *row, repeat bool)
	// end says that there are no more rows about it.
	end()
}

// sweep runs through all sorted rows.
func (e *engine) sweep(sorted *extsort.Sorter, over sweeper) error {
	var (
		key    []byte
		open   bool
		r      row
		second rowsAtInstant
		count  int
	)
	second.engine = e
	finish := func() {
		if open {
			second.flush()
			over.end()
		}
	}
	err := sorted.Each(func(record []byte) error {
		if count++; count%1024 == 0 && e.ctx.Err() != nil {
			return e.ctx.Err()
		}
		if next := keyOf(record); !open || !bytes.Equal(next, key) {
			finish()
			key, open = append(key[:0], next...), true
			_, n := uvarint(string(key))
			second.identified = sorted == e.profiles || sorted == e.installations && key[n] == 'i'
			over.begin(string(key[n:]))
		}
		readRow(record, &r)
		over.row(&r, second.add(&r))
		return e.stopped
	})
	if err == nil {
		finish()
		err = e.stopped
	}
	return err
}

// rowsAtInstant holds the rows of one entity that have one class and one time, to find duplicates.
type rowsAtInstant struct {
	engine     *engine
	identified bool // the key names one installation or profile
	class      class
	time       moment
	seen       []seenRow
}

// seenRow is a row of the instant.
type seenRow struct {
	digest uint64
	kind   string
	place
}

// maxSeen bounds how many rows of one instant are compared.
const maxSeen = 1024

// add notes a row, and reports whether another file has the same.
func (i *rowsAtInstant) add(r *row) (repeat bool) {
	if r.class != i.class || r.time != i.time {
		i.flush()
		i.class, i.time = r.class, r.time
	}
	f := i.engine.files[r.file]
	digest := r.digest
	if r.class != eventRow {
		digest = 0
	}
	if r.class == untimedRow {
		sum := newDigest(r)
		digest = uint64(sum)
	}
	for _, other := range i.seen {
		if other.digest != digest || i.engine.files[other.file].export.View != f.export.View {
			continue
		}
		if of := i.engine.files[other.file]; other.file != r.file && !of.continues(f) {
			repeat = repeat || r.class == eventRow && of.streamName() == f.streamName()
		} else if i.identified && i.tellsTwice(f, r) {
			told := "the file tells the same a second time"
			if other.file != r.file {
				told = "the export tells the same a second time, in another part"
			}
			i.engine.assert(rules.Duplicates, false, r.place, &other.place, "%s", told)
		}
	}
	if i.identified && i.tellsTwice(f, r) {
		i.engine.tallies[rules.Duplicates].checked++
	}
	if len(i.seen) < maxSeen {
		i.seen = append(i.seen, seenRow{digest, r.kind(), r.place})
	}
	return repeat
}

// newDigest distinguishes rows without a time.
func newDigest(r *row) (sum digest) {
	for _, s := range []source{eventType, customID, advertisingID, profileID} {
		sum.add(byte(s), r.values[s])
	}
	return sum
}

// tellsTwice says whether two rows of the file that look the same are one too many. Two installations of
// a profile may be sent the same push message at once.
func (i *rowsAtInstant) tellsTwice(f *file, r *row) bool {
	switch f.export.View {
	case vocabulary.ViewProfileMessages:
		plan := i.engine.journeys[f.export.Kind]
		step := plan.step(r.values[eventType])
		return r.values[sentID] != "" && step >= 0 && plan.channel[step] != "push"
	case vocabulary.ViewProfiles:
		return r.known.has(profileID) && !r.known.has(installationID)
	}
	return true
}

// flush compares the files that share the instant, and forgets it.
func (i *rowsAtInstant) flush() {
	if i.class == eventRow && len(i.seen) > 0 {
		i.engine.compareFiles(i.time, i.seen)
	}
	i.seen = i.seen[:0]
}
