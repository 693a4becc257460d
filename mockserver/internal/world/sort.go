package world

import (
	"cmp"
	"slices"
)

// indexBits is how many bits of a sort key hold the index of its row.
const indexBits = 20

// sortRows puts the rows of a unit in order of time, and those of one second in
// an order that depends on nothing but themselves. Rows are large, so it is
// small keys that are sorted, and every row moves once.
func sortRows(rows []Row) {
	if len(rows) >= 1<<indexBits {
		slices.SortFunc(rows, func(a, b Row) int { return compareRows(&a, &b) })
		return
	}
	var buffer [512]uint64
	keys, first := buffer[:0], int64(0)
	for i := range rows {
		if i == 0 || rows[i].Time < first {
			first = rows[i].Time
		}
	}
	for i := range rows {
		keys = append(keys, uint64(rows[i].Time-first)<<indexBits|uint64(i))
	}
	slices.Sort(keys)
	for i := range keys {
		keys[i] &= 1<<indexBits - 1
	}
	arrange(rows, keys)
	for begin := 0; begin < len(rows); {
		end := begin + 1
		for end < len(rows) && rows[end].Time == rows[begin].Time {
			end++
		}
		if end > begin+1 {
			slices.SortFunc(rows[begin:end], func(a, b Row) int { return compareRows(&a, &b) })
		}
		begin = end
	}
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
