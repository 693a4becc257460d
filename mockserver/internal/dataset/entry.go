package dataset

import (
	"encoding/binary"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
)

// entry is what one row says of a profile, an installation or an event, or that another row names one.
type entry struct {
	kind                  byte
	when                  moment
	side                  byte  // of an event of two people, and of the installation of another one
	profile, installation int32 // -1: none; a profile has the one that it is there for, if it has no name
	at                    int64 // of loading; of an event when it happened
	id, customID          string
	row                   string // empty: another one names it
}

// moment is the place of an entry among those of a kind and a person: events are in the order of time, and of loading.
type moment struct {
	second int64 // of an installation its number
	number int32
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

// sideAt is where the side is in an entry that is written. What stands before it is in the order of bytes.
const sideAt = 1 + 8 + 4

// append writes the entry without its row.
func (e *entry) append(dst []byte) []byte {
	dst = binary.BigEndian.AppendUint64(append(dst, e.kind), uint64(e.when.second)^1<<63)
	dst = append(binary.BigEndian.AppendUint32(dst, uint32(e.when.number)), e.side)
	dst = binary.AppendVarint(binary.AppendVarint(dst, int64(e.profile)), int64(e.installation))
	if e.kind != ofEvent {
		dst = blocks.AppendText(blocks.AppendText(binary.AppendVarint(dst, e.at), e.id), e.customID)
	}
	return dst
}

func decodeEntry(text string) (e entry) {
	e.kind, e.side = text[0], text[sideAt]
	for _, char := range []byte(text[1:9]) {
		e.when.second = e.when.second<<8 | int64(char)
	}
	for _, char := range []byte(text[9:sideAt]) {
		e.when.number = e.when.number<<8 | int32(char)
	}
	e.when.second ^= -1 << 63
	d := blocks.NewDecoder(text[sideAt+1:])
	e.profile, e.installation = d.Int32(), d.Int32()
	if e.kind != ofEvent {
		e.at, e.id, e.customID = d.Int(), d.Text(), d.Text()
	}
	e.row = d.Rest()
	return e
}
