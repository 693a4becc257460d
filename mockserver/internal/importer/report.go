package importer

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Report returns lines about people who can be recognised in the rows, for those who answer for them.
func (s *Summary) Report() (lines []string) {
	why := map[string][]string{}
	for _, column := range s.Columns {
		for reason := range column.Kept {
			why[reason] = append(why[reason], column.Name)
		}
		if column.Replaced > 0 {
			why[""] = append(why[""], column.Name)
		}
	}
	for _, reason := range slices.Sorted(maps.Keys(why)) {
		names := strings.Join(why[reason], ", ")
		switch reason {
		case "":
			lines = append(lines, fmt.Sprintf("replaced, but for texts that %d people share: %s", LeastPeople, names))
		default:
			lines = append(lines, fmt.Sprintf("kept, %s: %s", reason, names))
		}
	}
	for _, of := range s.Alike {
		lines = append(lines, fmt.Sprintf("by %s: %d of %d people are unique, the smallest group is of %d",
			of.By, of.Unique, of.People, of.Smallest))
	}
	return lines
}

// Unique returns the share of people who are unique by their values and dates, in percent.
func (s *Summary) Unique() float64 {
	for _, of := range s.Alike {
		if of.By == compared[1] && of.People > 0 {
			return 100 * float64(of.Unique) / float64(of.People)
		}
	}
	return 0
}
