package rows

import (
	"fmt"
	"hash/fnv"
)

// Shard is one of several pieces in which a file is written, by programs that
// know nothing of each other. Put together in order they are the file.
// See docs/how-to/generate-files.md#in-shards
type Shard struct {
	Number int // from 1
	Of     int // how many there are
}

// Whole is the only shard of one.
var Whole = Shard{Number: 1, Of: 1}

func (s Shard) check() error {
	if s.Of < 1 || s.Number < 1 || s.Number > s.Of {
		return fmt.Errorf("shard %d of %d: the number must be from 1 to the number of shards", s.Number, s.Of)
	}
	return nil
}

// Units are those units of a view that the shard holds: from first up to, not
// including, last.
func (s Shard) Units(of int64) (first, last int64) {
	return cut(of, s.Number-1, s.Of), cut(of, s.Number, s.Of)
}

// cut is where piece number i of n begins. The product of all units and n may
// be too large for a number.
func cut(units int64, i, n int) int64 {
	whole, rest := units/int64(n), units%int64(n)
	return whole*int64(i) + min(rest, int64(i))
}

// Estimate is about how large a shard is.
type Estimate struct {
	Rows, Bytes int64
}

// samples is from how many units the size of a file is estimated.
const samples = 1_024

// Estimate says about how large a shard of the file will be, from the rows of a
// few hundred of its units; of a small file, from all of them, and then it is
// exact. It takes some hundredths of a second, whatever the size.
func (f *File) Estimate(shard Shard) (Estimate, error) {
	if err := shard.check(); err != nil {
		return Estimate{}, err
	}
	units := f.view.Units()
	from, to := shard.Units(units)
	rows, bytes := f.sample(from, to, samples)
	if limit := f.limit(); f.spec.MaxRows != nil {
		before, _ := f.sample(0, from, samples)
		if most := max(float64(limit)-before, 0); rows > most {
			rows, bytes = most, bytes*most/rows
		}
	}
	estimate := Estimate{Rows: int64(rows + 0.5), Bytes: int64(bytes + 0.5)}
	if shard.Number == 1 {
		estimate.Bytes += int64(len(f.plan.header))
		if estimate.Rows > 0 {
			estimate.Bytes -= int64(f.plan.lead())
		}
	}
	if shard.Number == shard.Of {
		estimate.Bytes += int64(len(f.plan.footer))
	}
	return estimate, nil
}

// sample tells from at most count units how many rows a range of units has, and
// how many bytes. Every count-th of the range gives one, at a place in it that
// no rhythm of the data can follow.
func (f *File) sample(from, to int64, count int64) (rows, bytes float64) {
	if to <= from {
		return 0, 0
	}
	memory := f.renderer.pool.GetScratch()
	defer f.renderer.pool.PutScratch(memory)
	text := f.renderer.pool.GetBuffer()
	defer func() { f.renderer.pool.PutBuffer(text) }()
	count = min(count, to-from)
	for i := range int(count) {
		first, last := from+cut(to-from, i, int(count)), from+cut(to-from, i+1, int(count))
		place := int64(0)
		if last > first+1 {
			hash := fnv.New64a()
			_, _ = fmt.Fprint(hash, i)
			place = int64(hash.Sum64() % uint64(last-first))
		}
		memory.Rows = f.view.Append(memory.Rows[:0], first+place)
		text = text[:0]
		for i := range memory.Rows {
			text = f.plan.appendRow(text, &memory.Rows[i], memory)
		}
		weight := float64(last - first)
		rows += weight * float64(len(memory.Rows))
		bytes += weight * float64(len(text))
	}
	return rows, bytes
}
