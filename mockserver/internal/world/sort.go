package world

import (
	"cmp"
	"math/bits"
	"slices"
)

// indexBits is how many bits of a sort key hold the index of its row.
const indexBits = 20

// Keys are distributed over up to 1<<bucketBits buckets; one with more than
// maxBucketKeys is sorted by comparisons. Up to stackKeys keys are sorted
// on the stack, and up to fewKeys without buckets.
const (
	bucketBits    = 10
	maxBucketKeys = 64
	fewKeys       = 12
	stackKeys     = 1_024
)

// sortRows puts the rows of a unit in order of time, and those of one second
// in an order that depends on nothing but themselves. Rows are large, so small
// keys are sorted, and every row is moved once.
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
	case len(rows) > stackKeys:
		buffer := make([]uint64, 2*len(rows))
		sortBy(rows, buffer[:0:len(rows)], buffer[len(rows):], first, room)
	case len(rows) > stackKeys/8:
		var buffer, spare [stackKeys]uint64
		sortBy(rows, buffer[:0], spare[:len(rows)], first, room)
	default:
		var buffer, spare [stackKeys / 8]uint64
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
	permuteRows(rows, keys)
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

// sortKeys sorts keys by one pass of bucket sort on their highest bits and an
// insertion sort for the few that are still out of order. It returns one of
// the two slices.
func sortKeys(keys, spare []uint64) []uint64 {
	if len(keys) <= fewKeys {
		sortNear(keys)
		return keys
	}
	var (
		all   [1<<bucketBits + 1]int32
		width = min(bits.Len(uint(len(keys))), bucketBits)
		ends  = all[:1<<width+1]
		shift = 64 - width
	)
	for _, key := range keys {
		ends[key>>shift+1]++
	}
	sum, most := int32(0), int32(0)
	for i, count := range ends {
		most = max(most, count)
		sum += count
		ends[i] = sum
	}
	for _, key := range keys {
		place := &ends[key>>shift]
		spare[*place] = key
		*place++
	}
	begin := int32(0)
	for _, end := range ends { // each is where its bucket ends by now
		if most <= maxBucketKeys {
			break
		}
		if end > begin+maxBucketKeys {
			slices.Sort(spare[begin:end])
		}
		begin = end
	}
	sortNear(spare)
	return spare
}

// sortNear sorts keys that are few, or mostly in order.
func sortNear(keys []uint64) {
	for i := 1; i < len(keys); i++ {
		key, at := keys[i], i
		for ; at > 0 && keys[at-1] > key; at-- {
			keys[at] = keys[at-1]
		}
		keys[at] = key
	}
}

// permuteRows moves the row order[i] to index i, for all i, and overwrites
// order.
func permuteRows(rows []Row, order []uint64) {
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
	case a.changed != b.changed:
		return cmp.Compare(a.changed, b.changed)
	case a.Profile != b.Profile:
		return cmp.Compare(a.Profile, b.Profile)
	}
	return cmp.Compare(a.Installation, b.Installation)
}
