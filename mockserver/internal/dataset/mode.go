package dataset

import "fmt"

// Mode says what is shown beside the dataset.
type Mode string

const (
	// Mixed shows the dataset among the synthetic rows. It is the default.
	Mixed Mode = "mixed"
	// Only shows the dataset and nothing else.
	Only Mode = "only"
)

// ParseMode reads a mode; the empty text is Mixed.
func ParseMode(text string) (Mode, error) {
	switch Mode(text) {
	case "", Mixed:
		return Mixed, nil
	case Only:
		return Only, nil
	}
	return "", fmt.Errorf("data mode %q is not known; use mixed (the dataset among the synthetic rows) or only (the dataset alone)", text)
}
