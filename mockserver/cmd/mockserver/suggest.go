package main

// closest returns the known word that a misspelt one is most like, or "" when
// none is near.
func closest(word string, known []string) string {
	best, bestDistance := "", 1+len(word)/3
	for _, candidate := range known {
		if distance := edits(word, candidate); distance <= bestDistance && (best == "" || distance < bestDistance) {
			best, bestDistance = candidate, distance
		}
	}
	return best
}

// edits counts the letters to insert, delete or replace to turn one word into
// another.
func edits(from, to string) int {
	row := make([]int, len(to)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(from) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(to) {
			replaced := diagonal
			if from[i] != to[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(row[j+1]+1, row[j]+1, replaced)
		}
	}
	return row[len(to)]
}
