package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// broken are, by how rows may be asked to arrive, the rules that hold of files on time and not of these.
var broken = map[string][]string{
	"late":       {Tiling},
	"duplicates": {Duplicates, Tiling, Window, TimeOrder, Floor, Lookback, Projection},
	"skew": {TimeOrder, Window, Future, Creation, Journey, Starts, Tiling, Floor, Lookback, Latest, Unsubscribed, Installation, Contact, Ended,
		Projection, Sendings, Exclusion},
	"unordered": {TimeOrder},
}

// ArrivalError is a word that says nothing of how rows arrive.
type ArrivalError struct{ Word string }

// Error names the words that do.
func (e *ArrivalError) Error() string {
	return fmt.Sprintf("%q is not known; use %s", e.Word, strings.Join(slices.Sorted(maps.Keys(broken)), ", "))
}

// BrokenBy gives the rules that files break, without being wrong, which were asked
// to arrive late, with duplicates, with skew or unordered: the words by rule.
func BrokenBy(words []string) (map[string]string, error) {
	made := map[string]string{}
	for _, word := range words {
		rules, known := broken[word]
		if !known {
			return nil, &ArrivalError{word}
		}
		for _, rule := range rules {
			made[rule] = strings.TrimPrefix(made[rule]+" and "+word, " and ")
		}
	}
	return made, nil
}
