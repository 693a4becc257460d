package learn

import "math"

// cells count things in a fixed list of cells, and how many people each is shared by.
type cells struct {
	counts, people []int64
	last           []int64 // who was counted last in each
	contributing   int64
	latest         int64
	who            [][]int64 // in each, if it is shared by at most so many people as are listed
	listed         int64
}

func newCells(count int) cells {
	return cells{counts: make([]int64, count), people: make([]int64, count), last: make([]int64, count), who: make([][]int64, count)}
}

// newTimes are cells of hours or weekdays, of which is known who is in those that fewer than so many people share.
func newTimes(count int, least int64) cells {
	made := newCells(count)
	made.listed = min(least-1, mostListed)
	return made
}

// mostListed is of how many people it is known at most that they are in a cell: there are cells for each orchestration.
const mostListed = 100

// add counts one thing of a person, who has a number from 1.
func (c *cells) add(cell int, person int64) {
	c.counts[cell]++
	if c.last[cell] != person {
		c.last[cell] = person
		if c.people[cell]++; c.people[cell] <= c.listed {
			c.who[cell] = append(c.who[cell], person)
		}
	}
	if c.latest != person {
		c.latest = person
		c.contributing++
	}
}

// covered is which part of the things are in cells that at least so many people share.
func (c *cells) covered(least int64) float64 {
	some := 0.0
	for i, count := range c.counts {
		if c.people[i] >= least {
			some += float64(count)
		}
	}
	return some / c.all()
}

// shares are those of the cells that at least so many people share; the others are empty.
func (c *cells) shares(least int64) []float64 {
	made, all := make([]float64, len(c.counts)), 0.0
	for i, count := range c.counts {
		if c.people[i] >= least {
			made[i] = float64(count)
			all += made[i]
		}
	}
	for i := range made {
		if all > 0 {
			made[i] /= all
		}
	}
	return made
}

// spread are the shares of the cells, with what is in those that too few people share divided evenly among these, if enough share it
// in sum; otherwise they are empty. Which of them has how much of it is not told.
func (c *cells) spread(least int64) []float64 {
	made, all, few, in := make([]float64, len(c.counts)), c.all(), 0.0, map[int64]bool{}
	var thin []int
	for i, count := range c.counts {
		if c.people[i] >= least {
			made[i] = float64(count) / all
			continue
		}
		thin, few = append(thin, i), few+float64(count)/all
		for _, person := range c.who[i] {
			in[person] = true
		}
	}
	if c.listed < least-1 || int64(len(in)) < least {
		return c.shares(least)
	}
	for _, i := range thin {
		made[i] = few / float64(len(thin))
	}
	return made
}

// A duration falls into one of these cells: the first is up to a second, and eight of them are an octave.
const (
	octave        = 8
	octaves       = 25 // up to half a year
	durationCells = (octaves-1)*octave + 1
)

func cellOfDuration(seconds int64) int {
	if seconds <= 1 {
		return 0
	}
	return min(int(math.Log2(float64(seconds))*octave)+1, durationCells-1)
}

// endOf is the longest duration of a cell, in seconds.
func endOf(cell int) float64 { return math.Exp2(float64(cell) / octave) }

// quantile is a duration that a part of those in the cells does not pass.
func (c *cells) quantile(part float64) float64 {
	all, before := int64(0), 0.0
	for _, count := range c.counts {
		all += count
	}
	wanted := part * float64(all)
	for cell, count := range c.counts {
		if after := before + float64(count); count > 0 && after >= wanted {
			begin := 0.0
			if cell > 0 {
				begin = endOf(cell - 1)
			}
			return begin + (endOf(cell)-begin)*(wanted-before)/float64(count)
		}
		before += float64(count)
	}
	return 0
}
