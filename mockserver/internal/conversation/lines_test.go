package conversation_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/conversation"
)

// lines say what a step sends, with names in the place of values.
func lines(c *conversation.Conversation, s *conversation.Step) (made []string) {
	if s.Wait > 0 {
		made = append(made, fmt.Sprintf("wait %v", time.Duration(s.Wait)))
	}
	if s.Request == nil {
		return made
	}
	often := ""
	if s.Times > 1 {
		often = fmt.Sprintf(", %d times", s.Times)
	}
	if s.Poll != nil {
		often = fmt.Sprintf(", every %v, at most %d times", time.Duration(s.Poll.Every), s.Poll.Most)
	}
	made = append(made, fmt.Sprintf("%s %s%s%s", s.Request.Verb(), s.Request.Path, s.Request.URL, often))
	headers := map[string]*string{}
	if s.Request.Path != "" {
		maps.Copy(headers, c.Headers)
	}
	maps.Copy(headers, s.Request.Headers)
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		if value := headers[name]; value != nil {
			made = append(made, fmt.Sprintf("    %s: %s", name, *value))
		}
	}
	switch {
	case s.Request.Body != nil:
		made = append(made, "    "+*s.Request.Body)
	case s.Request.JSON != nil:
		if text, err := json.Marshal(s.Request.JSON); err == nil {
			made = append(made, "    "+string(text))
		}
	}
	return made
}
