// Package spelling compares words that may be misspelt.
package spelling

// Distance counts the single-byte insertions, deletions, replacements and swaps of neighbours between
// two words. Words longer than 64 bytes are never alike.
func Distance(a, b string) int {
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
