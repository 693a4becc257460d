package compare

import "time"

// Transcript is what is known of one conversation with one service. It shows nothing that was said, so it may be kept.
type Transcript struct {
	Conversation string `json:"conversation"`
	// Digest is that of the file of the conversation, Service where it was had.
	Digest  string    `json:"digest"`
	Service string    `json:"service"`
	Time    time.Time `json:"time"`
	Steps   []*Said   `json:"steps"`
	// Skipped says why there was no conversation, or not all of it; Broken what went wrong with it.
	Skipped string `json:"skipped,omitempty"`
	Broken  string `json:"broken,omitempty"`
}

// Said is one step.
type Said struct {
	Name  string `json:"name"`
	Where string `json:"where"`
	Facts facts  `json:"facts"`
	// Unmet says what was expected and is not so.
	Unmet []string `json:"unmet,omitempty"`
}

// step finds one by its name.
func (t *Transcript) step(name string) *Said {
	if t == nil {
		return nil
	}
	for _, each := range t.Steps {
		if each.Name == name {
			return each
		}
	}
	return nil
}

// whole tells whether a conversation came to its end.
func (t *Transcript) whole() bool { return t != nil && t.Skipped == "" && t.Broken == "" }
