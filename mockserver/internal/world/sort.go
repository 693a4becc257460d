package world

import (
	"cmp"
	"math/bits"
	"slices"
)

// indexBits is how many bits of a sort key hold the index of its row.
const indexBits = 20

// Keys are sorted in so many places. More keys than sortedAtOnce do not stand
// on the stack.
const (
	placeBits    = 9
	crowd        = 64
	sortedAtOnce = 1_024
)

// sortRows puts the rows of a unit in order of time, and those of one second in
// an order that depends on nothing but themselves. Rows are large, so it is
// small keys that are sorted, and every row moves once.
func sortRows(rows []Row) {
	if len(rows) < 2 {
		return
	}
	first, last := rows[0].Time, rows[0].Time
	for i := range rows {
		first, last = min(first, rows[i].Time), max(last, rows[i].Time)
	}
	room := bits.Len64(uint64(last - first))
	switch {
	case len(rows) >= 1<<indexBits || room > 64-indexBits:
		slices.SortFunc(rows, func(a, b Row) int { return compareRows(&a, &b) })
	case len(rows) > sortedAtOnce:
		buffer := make([]uint64, 2*len(rows))
		sortBy(rows, buffer[:0:len(rows)], buffer[len(rows):], first, room)
	case len(rows) > sortedAtOnce/8:
		var buffer, spare [sortedAtOnce]uint64
		sortBy(rows, buffer[:0], spare[:len(rows)], first, room)
	default:
		var buffer, spare [sortedAtOnce / 8]uint64
		sortBy(rows, buffer[:0], spare[:len(rows)], first, room)
	}
}

// sortBy sorts rows by keys: the time, as much of the message as there is room
// for, and the index of the row.
func sortBy(rows []Row, keys, spare []uint64, first int64, room int) {
	for i := range rows {
		key := uint64(rows[i].Time-first)<<(64-room) | rows[i].Message>>room
		keys = append(keys, key&^(1<<indexBits-1)|uint64(i))
	}
	keys = sortKeys(keys, spare)
	ties := 0 // rows that the keys do not tell apart from the one before
	for i := range keys {
		if i > 0 && keys[i]>>indexBits == keys[i-1]>>indexBits {
			ties++
		}
	}
	for i := range keys {
		keys[i] &= 1<<indexBits - 1
	}
	arrange(rows, keys)
	for begin := 0; begin < len(rows) && ties > 0; {
		end := begin + 1
		for end < len(rows) && rows[end].Time == rows[begin].Time && rows[end].Message>>(room+indexBits) == rows[begin].Message>>(room+indexBits) {
			end++
		}
		if end > begin+1 {
			slices.SortFunc(rows[begin:end], func(a, b Row) int { return compareRows(&a, &b) })
		}
		begin = end
	}
}

// sortKeys sorts keys: into places by their highest bits first, then each past
// the few that stand wrong. Where many have the same place, it sorts them as
// any others. It returns one of the two slices.
func sortKeys(keys, spare []uint64) []uint64 {
	const places = 1 << placeBits
	var ends [places + 1]int32
	for _, key := range keys {
		ends[key>>(64-placeBits)+1]++
	}
	for i := range places {
		if ends[i+1] > crowd {
			slices.Sort(keys)
			return keys
		}
		ends[i+1] += ends[i]
	}
	for _, key := range keys {
		place := &ends[key>>(64-placeBits)]
		spare[*place] = key
		*place++
	}
	for i := 1; i < len(spare); i++ {
		key, at := spare[i], i
		for ; at > 0 && spare[at-1] > key; at-- {
			spare[at] = spare[at-1]
		}
		spare[at] = key
	}
	return spare
}

// arrange puts at every place the row that order names, and spends order.
func arrange(rows []Row, order []uint64) {
	for start := range order {
		if order[start] == uint64(start) {
			continue
		}
		held := rows[start]
		for at := start; ; {
			next := int(order[at])
			order[at] = uint64(at)
			if next == start {
				rows[at] = held
				break
			}
			rows[at] = rows[next]
			at = next
		}
	}
}

func compareRows(a, b *Row) int {
	switch {
	case a.Time != b.Time:
		return cmp.Compare(a.Time, b.Time)
	case a.Message != b.Message:
		return cmp.Compare(a.Message, b.Message)
	case a.Event != b.Event:
		return cmp.Compare(a.Event, b.Event)
	case a.after != b.after:
		return cmp.Compare(a.after, b.after)
	case a.Profile != b.Profile:
		return cmp.Compare(a.Profile, b.Profile)
	}
	return cmp.Compare(a.Installation, b.Installation)
}
