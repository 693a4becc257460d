package world

import "testing"

func TestBelowStaysInRangeAndReachesBothEnds(t *testing.T) {
	seen := map[int64]int{}
	for i := range uint64(10_000) {
		value := below(draw(7, i), 10)
		if value < 0 || value > 9 {
			t.Fatalf("below(_, 10) = %d", value)
		}
		seen[value]++
	}
	for value := range int64(10) {
		if seen[value] < 800 || seen[value] > 1200 {
			t.Errorf("value %d came %d times in 10,000, want about 1,000", value, seen[value])
		}
	}
}

func TestChance(t *testing.T) {
	cases := []struct {
		probability float64
		low, high   int
	}{{-1, 0, 0}, {0, 0, 0}, {0.25, 2300, 2700}, {0.999, 9950, 10_000}, {1, 10_000, 10_000}, {2, 10_000, 10_000}}
	for _, c := range cases {
		bound, held := chanceOf(c.probability), 0
		for i := range uint64(10_000) {
			if bound.holds(draw(3, i)) {
				held++
			}
		}
		if held < c.low || held > c.high {
			t.Errorf("chance %g held %d times in 10,000, want %d to %d", c.probability, held, c.low, c.high)
		}
	}
}

func TestPermutationIsABijectionWithAnInverse(t *testing.T) {
	for _, n := range []int64{1, 2, 3, 7, 8, 9, 100, 1000, 4097} {
		for key := range uint64(5) {
			p := newPermutation(key, n)
			seen := make([]bool, n)
			fixed := int64(0)
			for i := range n {
				value := p.at(i)
				if value < 0 || value >= n || seen[value] {
					t.Fatalf("n=%d key=%d: at(%d) = %d is out of range or a repeat", n, key, i, value)
				}
				seen[value] = true
				if back := p.indexOf(value); back != i {
					t.Fatalf("n=%d key=%d: indexOf(at(%d)) = %d", n, key, i, back)
				}
				if value == i {
					fixed++
				}
			}
			if n >= 100 && fixed > n/10 {
				t.Errorf("n=%d key=%d: %d fixed points: not shuffled", n, key, fixed)
			}
		}
	}
}

func TestKeysDiffer(t *testing.T) {
	seen := map[uint64]string{}
	for seed := range uint64(20) {
		for _, name := range []string{"", "a", "b", "ab", "ba", "email", "phone"} {
			key := keyOf(seed, name)
			if other, found := seen[key]; found {
				t.Errorf("keyOf(%d, %q) equals the key of %s", seed, name, other)
			}
			seen[key] = name
		}
	}
}

func TestFloorDivide(t *testing.T) {
	for _, c := range [][3]int64{{7, 3, 2}, {6, 3, 2}, {0, 3, 0}, {-1, 3, -1}, {-3, 3, -1}, {-4, 3, -2}} {
		if got := floorDivide(c[0], c[1]); got != c[2] {
			t.Errorf("floorDivide(%d, %d) = %d, want %d", c[0], c[1], got, c[2])
		}
	}
}
