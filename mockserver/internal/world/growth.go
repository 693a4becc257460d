package world

import "sort"

const (
	yearsBefore = 5         // in which those were created who are there when the world begins
	yearsToSize = 4         // after which a population would have its size if nothing slowed it
	year        = 364 * day // 52 weeks
)

// joined are the people who are created in a year, in the order of their numbers.
type joined struct{ start, first, count int64 }

type years []joined

// growthOf is when people are created. The population grows by the same share every year, and by half of those who are still
// to come when that is less: so it never passes its size, and never runs dry.
func growthOf(people int64, growth float64) (made years) {
	factor := 1 + growth
	began := float64(people)
	for range yearsToSize {
		began /= factor
	}
	before := max(int64(began), min(people, 1))
	first, start := int64(0), int64(begins-yearsBefore*year)
	add := func(count int64) {
		made = append(made, joined{start, first, count})
		first, start = first+count, start+year
	}
	for left := int64(yearsBefore); left > 0; left-- {
		add((before - first) / left)
	}
	for first < people {
		add(max(min(int64(float64(first)*growth), (people-first+1)/2), 1))
	}
	return made
}

// joining are the parts of the people of a year who are created by the end of each twelfth of it: most are in the last weeks.
var joining = [13]int64{0, 5760, 10677, 15898, 20979, 26130, 30743, 35449, 40296, 45657, 51675, 58535, 65536}

const parts = 1 << 16

// joinsAt is how far into a year a part of its people is created, to a day.
func joinsAt(part int64) int64 {
	month := 0
	for joining[month+1] <= part {
		month++
	}
	return (int64(month)*year + (part-joining[month])*year/(joining[month+1]-joining[month])) / (12 * day) * day
}

func (y years) createdAbout(person int64) int64 {
	at := 0
	for at+1 < len(y) && y[at+1].first <= person {
		at++
	}
	of := &y[at]
	return of.start + joinsAt((person-of.first)*parts/of.count)
}

// PeopleBy returns the number of people who are created before an instant, to a day.
func (w *World) PeopleBy(at int64) int64 {
	return int64(sort.Search(int(w.people), func(person int) bool { return w.years.createdAbout(int64(person)) >= at }))
}
