package schemas

import "strings"

// Likely returns the candidate that a misspelt word was probably meant to be: up to three letters, fewer in a short word, are inserted,
// deleted, replaced or swapped with their neighbour, or a long word is cut short; letter case does not count. It returns "" when no
// candidate is near, and when the word is one already. Of candidates that are equally near it is the first.
func Likely(word string, candidates []string) string {
	// Short words are alike too soon.
	best, bestDistance := "", 1+min(3, len(word)/3)
	if len(word) == 0 {
		return ""
	}
	for _, candidate := range candidates {
		a, b := strings.ToLower(word), strings.ToLower(candidate)
		distance := wordDistance(a, b)
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

// wordDistance counts the single-byte insertions, deletions, replacements and swaps of neighbours between
// two words. Words longer than 64 bytes are never alike.
func wordDistance(a, b string) int {
	const longest = 64
	if len(a) > longest || len(b) > longest {
		return 2 * longest
	}
	var before, last, row [longest + 1]int
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j+1]+1, row[j]+1, last[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}

// DidYouMean closes a message with a suggestion, as of [Likely]; it is "" without one.
func DidYouMean(word string, candidates []string) string {
	if likely := Likely(word, candidates); likely != "" {
		return "; did you mean " + likely + "?"
	}
	return ""
}
