package world

import "sort"

// PeopleBy is how many people are created before an instant, to a day.
func (w *World) PeopleBy(at int64) int64 {
	return int64(sort.Search(int(w.people), func(n int) bool { return w.years.createdAbout(int64(n)) >= at }))
}
