package learn

import (
	"fmt"
	"testing"
)

// TestWeights: what is in cells that too few people share is divided evenly among these if enough people share it in sum, and else
// nobody is at these times.
func TestWeights(t *testing.T) {
	const least, many = 20, 1_000
	for name, c := range map[string]struct {
		few    map[int][]int64 // by cell, who is in it once, beside the many in the first two
		least  int64
		wanted string
	}{
		"nobody at night":             {nil, least, "[100 100 0 0 0 0]"},
		"10 and 10 others":            {map[int][]int64{2: people(1, 10), 3: people(11, 20)}, least, "[100 100 1 1 1 1]"},
		"10 and 9 others":             {map[int][]int64{2: people(1, 10), 3: people(11, 19)}, least, "[100 100 0 0 0 0]"},
		"19 and the same again":       {map[int][]int64{2: people(1, 19), 3: people(1, 19), 4: people(1, 19)}, least, "[100 100 0 0 0 0]"},
		"19 and another":              {map[int][]int64{2: people(1, 19), 5: people(20, 20)}, least, "[100 100 1 1 1 1]"},
		"19 four times":               {map[int][]int64{2: people(1, 19), 3: people(20, 38), 4: people(39, 57), 5: people(58, 76)}, least, "[100 100 3 3 3 3]"},
		"which of them does not show": {map[int][]int64{4: people(1, 19), 2: people(20, 38), 5: people(39, 57), 3: people(58, 76)}, least, "[100 100 3 3 3 3]"},
		"one that enough share":       {map[int][]int64{2: people(1, 20), 3: people(1, 19)}, least, "[100 100 3 0 0 0]"},
		"more than are listed":        {map[int][]int64{2: people(1, 60), 3: people(61, 110)}, mostListed + 2, "[100 100 0 0 0 0]"},
		"as many as are listed":       {map[int][]int64{2: people(1, 51), 3: people(52, 101)}, mostListed + 1, "[100 100 4 4 4 4]"},
	} {
		counted := newTimes(6, c.least)
		for person := int64(1); person <= many; person++ {
			for range 1 + person%2 { // one who comes twice is one
				for cell := range 6 {
					switch of := c.few[cell]; {
					case cell < 2 && person%2 == 1:
						counted.add(cell, person)
					case len(of) > 0 && of[0] <= person && person <= of[len(of)-1]:
						counted.add(cell, person)
					}
				}
			}
		}
		if got := fmt.Sprint(weightsOf(&counted, c.least)); got != c.wanted {
			t.Errorf("%s: got %s, want %s", name, got, c.wanted)
		}
	}
}

// people are those of the numbers from one to another.
func people(from, to int64) (list []int64) {
	for ; from <= to; from++ {
		list = append(list, from)
	}
	return list
}
