package schemas

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/schemas/internal/jsonpointer"
)

// What one keyword says of another, or of another file, is checked here, once everything is compiled.

// checkExport checks what x-export says of other files and of its own schema.
func (l *Library) checkExport(export Export) error {
	for _, other := range []struct{ member, file string }{
		{"request", export.Request}, {"response", export.Response}, {"error", export.Error},
	} {
		if other.file != "" && l.Schema(other.file) == nil {
			return &FileError{export.Output, "/x-export/" + other.member, "there is no schema file " + other.file + DidYouMean(other.file, l.names)}
		}
	}
	if at, message := checkMessages(export); message != "" {
		return &FileError{export.Output, "/x-export/" + at, message}
	}
	root := l.Schema(export.Output)
	keywords := KeywordsOf(root)
	switch {
	case export.Format == "csv" && keywords.CSV == nil:
		return &FileError{export.Output, "/x-csv", "is missing: a CSV export needs the order of its columns"}
	case export.Format == "json" && root.Items2020 == nil:
		return &FileError{export.Output, "/items", "is missing: a JSON export is an array of items"}
	}
	return nil
}

// Views whose rows are about messages, and those of them whose path names a campaign or a group.
var (
	messageViews  = []string{"installation-messages", "installation-recipients", "profile-messages"}
	targetedViews = messageViews[:2]
)

// checkMessages checks target and stream, which say which messages rows are about.
func checkMessages(export Export) (at, message string) {
	for _, member := range []struct {
		name, value string
		views       []string
		example     string
	}{
		{"target", export.Target, targetedViews, `"campaign" or "group", which the path names after the application key`},
		{"stream", export.Stream, messageViews, `a name such as "campaign", the same in every export of the same messages`},
	} {
		switch meaningful := slices.Contains(member.views, export.View); {
		case meaningful && member.value == "":
			return member.name, "is missing: write " + member.example
		case !meaningful && member.value != "":
			return member.name, "has no meaning for the view " + export.View + ": leave it out; it is for " + strings.Join(member.views, ", ")
		}
	}
	return "", ""
}

// checkUnique refuses two exports or endpoints of one name.
func (l *Library) checkUnique() error {
	kinds := map[string]string{}
	for _, export := range l.exports {
		if other, taken := kinds[export.Kind]; taken {
			return &FileError{export.Output, "/x-export/kind", export.Kind + " is already the kind of " + other}
		}
		kinds[export.Kind] = export.Output
	}
	names := map[string]string{}
	for _, endpoint := range l.endpoints {
		if other, taken := names[endpoint.Name]; taken {
			return &FileError{endpoint.Response, "/x-endpoints", endpoint.Name + " is already an endpoint of " + other}
		}
		names[endpoint.Name] = endpoint.Response
	}
	return nil
}

// checkPlaces checks the keywords of every schema object.
func (l *Library) checkPlaces() error {
	places := l.shelf.Places()
	for _, place := range slices.Sorted(maps.Keys(places)) {
		s := places[place]
		file, pointer, _ := strings.Cut(place, "#")
		keywords := KeywordsOf(s)
		for _, check := range []func(*jsonschema.Schema, Keywords) (string, string){checkColumns, checkJourney, checkWeights, checkValues,
			checkStates} {
			if at, message := check(s, keywords); message != "" {
				return &FileError{file, pointer + at, message}
			}
		}
	}
	return nil
}

func checkColumns(s *jsonschema.Schema, keywords Keywords) (at, message string) {
	if keywords.CSV == nil {
		return "", ""
	}
	for i, column := range keywords.CSV.Columns {
		if s.Properties[column] == nil {
			known := slices.Sorted(maps.Keys(s.Properties))
			return fmt.Sprintf("/x-csv/columns/%d", i), "there is no property " + column + orElse(DidYouMean(column, known),
				": add it under properties")
		}
	}
	for i, column := range s.Required {
		if s.Properties[column] == nil {
			known := slices.Sorted(maps.Keys(s.Properties))
			return fmt.Sprintf("/required/%d", i), column + " is no property" + orElse(DidYouMean(column, known), ": add it under properties")
		}
	}
	return "", ""
}

// orElse is a suggestion, or other words where there is none.
func orElse(suggestion, words string) string {
	if suggestion == "" {
		return words
	}
	return suggestion
}

func checkJourney(s *jsonschema.Schema, keywords Keywords) (at, message string) {
	for i, event := range keywords.Unasked {
		if !slices.Contains(s.Enum, any(event)) {
			return fmt.Sprintf("/x-unasked/%d", i), event + " is not in the enum"
		}
	}
	var before []string
	for i, step := range keywords.Journey {
		place := fmt.Sprintf("/x-journey/%d", i)
		if len(s.Enum) > 0 && !slices.Contains(s.Enum, any(step.Event)) {
			return place + "/event", step.Event + " is not in the enum"
		}
		if slices.Contains(before, step.Event) {
			return place + "/event", step.Event + " comes twice"
		}
		if step.Burst && step.After != "" {
			return place + "/burst", step.Event + " follows " + step.After + ": only a first step goes out in bursts"
		}
		for _, name := range append([]string{step.After}, step.Unless...) {
			if name != "" && !slices.Contains(before, name) {
				if slices.ContainsFunc(keywords.Journey, func(s Step) bool { return s.Event == name }) {
					return place, "the step " + name + " must come before " + step.Event
				}
				return place, "the step " + name + " must come before " + step.Event + ", and there is none" + DidYouMean(name, before)
			}
		}
		before = append(before, step.Event)
	}
	if len(keywords.Journey) > 0 && keywords.Journey[0].After != "" {
		return "/x-journey/0/after", "the first step begins the message: it follows nothing"
	}
	return "", ""
}

func checkWeights(s *jsonschema.Schema, keywords Keywords) (at, message string) {
	if keywords.Values.Weights == nil {
		return "", ""
	}
	sum := 0.0
	for _, value := range slices.Sorted(maps.Keys(keywords.Values.Weights)) {
		sum += keywords.Values.Weights[value]
		boolean := value == "true" || value == "false"
		if slices.Contains(s.Enum, any(value)) || boolean && slices.Contains(s.Types, "boolean") {
			continue
		}
		return "/x-weights/" + jsonpointer.Escape(value), value + " is not a value of this property" + weighed(s)
	}
	if sum == 0 {
		return "/x-weights", "at least one weight must be above 0"
	}
	return "", ""
}

func checkStates(s *jsonschema.Schema, keywords Keywords) (at, message string) {
	if keywords.States && len(s.Enum) == 0 {
		return "/x-states", "stands beside no enum: write the states there, and they are replaced where an interface has others"
	}
	return "", ""
}

// weighed says which values can have weights.
func weighed(s *jsonschema.Schema) string {
	if len(s.Enum) == 0 {
		return ": weights are for the values of an enum; write one beside them"
	}
	return ": weights are for " + listValues(s.Enum)
}

func checkValues(s *jsonschema.Schema, keywords Keywords) (at, message string) {
	bounded := "/x-earliest"
	if keywords.Values.Earliest.IsZero() {
		bounded = "/x-latest"
	}
	bounds := !keywords.Values.Earliest.IsZero() || !keywords.Values.Latest.IsZero()
	sized := s.Ref != nil || s.AllOf != nil || s.AnyOf != nil || s.OneOf != nil || s.Pattern != nil || s.Format == "date" ||
		s.Format == "date-time"
	switch {
	case bounds && keywords.Source != "":
		return bounded, "says nothing of a value of the world: leave it or x-source out"
	case bounds && !sized:
		return bounded, "is for dates: write the format date or date-time, a pattern of dates, or a $ref to one in common/dates.json beside it"
	case keywords.Values.Unique && keywords.Source != "":
		return "/x-unique", "says nothing of a value of the world: leave it or x-source out"
	}
	if !keywords.Values.Earliest.IsZero() && !keywords.Values.Latest.IsZero() && keywords.Values.Latest.Before(keywords.Values.Earliest) {
		return "/x-latest", "is before x-earliest"
	}
	return "", ""
}
