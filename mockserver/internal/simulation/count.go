package simulation

// PeopleBy is how many people are created before an instant, to a day.
func (w *World) PeopleBy(at int64) int64 {
	low, high := int64(0), w.people
	for low < high {
		if middle := (low + high) / 2; w.years.createdAbout(middle) < at {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}
