package conversation

import (
	"strconv"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pattern"
)

// reference is {NAME}, or {day-14} and the like.
var reference = pattern.Of(`\{([a-z][a-z0-9_]*)([+-][0-9]+)?\}`)

// Values are what names stand for. A name without a value stays as it is written.
type Values struct {
	Named map[string]string
	// Now is what {day} and {day-14} are reckoned from: the clock of the service.
	Now time.Time
}

// Text is a text with values in the place of names.
func (v Values) Text(text string) string {
	return reference().ReplaceAllStringFunc(text, func(written string) string {
		parts := reference().FindStringSubmatch(written)
		if parts[1] == "day" && !v.Now.IsZero() {
			days, _ := strconv.Atoi(parts[2])
			return v.Now.UTC().AddDate(0, 0, days).Format(time.DateOnly)
		}
		if value, there := v.Named[parts[1]]; there && parts[2] == "" {
			return value
		}
		return written
	})
}

// JSON is a value with values in the place of names in its texts.
func (v Values) JSON(value any) any {
	switch of := value.(type) {
	case string:
		return v.Text(of)
	case []any:
		made := make([]any, len(of))
		for i, item := range of {
			made[i] = v.JSON(item)
		}
		return made
	case map[string]any:
		made := map[string]any{}
		for name, member := range of {
			made[name] = v.JSON(member)
		}
		return made
	}
	return value
}

// Missing are the names in a text that have no value.
func (v Values) Missing(text string) []string {
	var missing []string
	for _, found := range reference().FindAllString(v.Text(text), -1) {
		missing = append(missing, strings.Trim(found, "{}"))
	}
	return missing
}
