package schemas

import (
	"strings"

	"github.com/rehearsal-sdk/rehearsal/schemas/internal/spelling"
)

// Likely returns the candidate that a misspelt word was probably meant to be: up to three letters, fewer in a
// short word, are inserted, deleted, replaced or swapped with their neighbour, or a long word is cut short; letter
// case does not count. It returns "" when no candidate is near, and when the word is one already. Of candidates
// that are equally near it is the first.
func Likely(word string, candidates []string) string {
	// Short words are alike too soon.
	best, bestDistance := "", 1+min(3, len(word)/3)
	if len(word) == 0 {
		return ""
	}
	for _, candidate := range candidates {
		a, b := strings.ToLower(word), strings.ToLower(candidate)
		distance := spelling.Distance(a, b)
		if len(a) > 3 && len(b) > 3 && (strings.HasPrefix(a, b) || strings.HasPrefix(b, a)) {
			distance = min(distance, 2)
		}
		if distance < bestDistance {
			best, bestDistance = candidate, distance
		}
	}
	if best == word {
		return ""
	}
	return best
}
