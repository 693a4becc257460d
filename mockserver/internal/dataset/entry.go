package dataset

import (
	"encoding/binary"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
)

// entry is what one row says of a profile, an installation or an event, or that another row names one.
type entry struct {
	kind                  byte
	side                  byte  // of an event of two people, and of the installation of another one
	profile, installation int32 // -1: none; a profile has the one that it is there for, if it has no name
	at                    int64 // of loading; of an event when it happened
	id, customID          string
	row                   string // empty: another one names it
}

// What entries are about, in the order in which they stand with a person.
const (
	ofProfile byte = iota
	ofInstallation
	ofEvent
)

// The sides of an event whose installation belongs to somebody else than it names.
const (
	ofBoth byte = iota
	ofPersonAlone
	ofDeviceAlone
)

// append writes the entry without its row.
func (e *entry) append(dst []byte) []byte {
	dst = binary.AppendVarint(binary.AppendVarint(append(dst, e.kind, e.side), int64(e.profile)), int64(e.installation))
	if dst = binary.AppendVarint(dst, e.at); e.kind != ofEvent {
		dst = blocks.AppendText(blocks.AppendText(dst, e.id), e.customID)
	}
	return append(dst, e.row...)
}

func decodeEntry(d *blocks.Decoder) entry {
	e := entry{kind: d.Byte(), side: d.Byte(), profile: d.Int32(), installation: d.Int32(), at: d.Int()}
	if e.kind != ofEvent {
		e.id, e.customID = d.Text(), d.Text()
	}
	e.row = d.Rest()
	return e
}

// moment is when an event happened, and which of those of one second it is, in the order of loading.
type moment struct {
	second int64
	number int32
}

// momentBytes is the length of a moment, and placeBytes what stands before an entry that is sorted: its kind and a moment.
const momentBytes, placeBytes = 12, 1 + momentBytes

// appendMoment writes a moment so that the order of bytes is that of time.
func appendMoment(dst []byte, m moment) []byte {
	return appendNumber(binary.BigEndian.AppendUint64(dst, uint64(m.second)^1<<63), m.number)
}

func momentIn(text []byte) moment {
	return moment{int64(binary.BigEndian.Uint64(text) ^ 1<<63), numberOf(text[8:])}
}

// entryIn is the entry in what stream.of returns.
func entryIn(text []byte) entry {
	d := blocks.NewDecoder(string(text[placeBytes:]))
	return decodeEntry(&d)
}
