package schemas

import "github.com/rehearsal-sdk/rehearsal/schemas/internal/spelling"

// Likely returns the candidate that a misspelt word was probably meant to be: up to three letters, fewer in a
// short word, are inserted, deleted, replaced or swapped with their neighbour, or a long word is cut short; letter
// case does not count. It returns "" when no candidate is near, and when the word is one already. Of candidates
// that are equally near it is the first.
func Likely(word string, candidates []string) string { return spelling.Likely(word, candidates) }
