package journal

import (
	"fmt"
	"strconv"
	"strings"
)

// NoRoute is the route of a filter that chooses requests without one.
const NoRoute = "none"

// Filter chooses entries. The zero value chooses all; everything that is set has to be true of an entry.
type Filter struct {
	// Route is the name of a route, such as campaign.events, or [NoRoute].
	Route string
	// Key is an application or project key.
	Key string
	// Status is a status, or its first digit for all statuses of a class; 0 for any.
	Status int
	// Method is an HTTP method, in capital letters.
	Method string
	// Path is a path without its query; with a star at its end, the beginning of one.
	Path string
	// Export is the identifier of an export, Kind the kind of one.
	Export, Kind string
	// Error is the name of an error.
	Error string
	// Since leaves out entries up to this sequence.
	Since uint64
}

// ParseFilter reads a filter from named texts, as they stand in the query of a URL. Names that it does not know are passed over: they may
// mean something to the caller. The error names the parameter, what it is and what it may be.
func ParseFilter(values map[string]string) (Filter, error) {
	filter := Filter{
		Route: values["route"], Key: values["key"], Method: strings.ToUpper(values["method"]), Path: values["path"],
		Export: values["export"], Kind: values["kind"], Error: strings.ToUpper(values["error"]),
	}
	if text := values["status"]; text != "" {
		number, err := strconv.Atoi(strings.TrimSuffix(strings.ToLower(text), "xx"))
		class := len(text) == 3 && strings.EqualFold(text[1:], "xx")
		if err != nil || class && (number < 1 || number > 5) || !class && (number < 100 || number > 599) {
			return Filter{}, fmt.Errorf("status is %q; allowed: a status from 100 to 599, or a class such as 4xx", text)
		}
		filter.Status = number
	}
	if text := values["since"]; text != "" {
		number, err := strconv.ParseUint(text, 10, 63)
		if err != nil {
			return Filter{}, fmt.Errorf("since is %q; allowed: the sequence of an entry, or the next_since of an answer", text)
		}
		filter.Since = number
	}
	return filter, nil
}

// chooses says whether everything that is set is true of an entry.
func (f *Filter) chooses(entry *Entry) bool {
	return entry.Sequence > f.Since &&
		(f.Route == "" || f.Route == entry.Route || f.Route == NoRoute && entry.Route == "") &&
		(f.Key == "" || f.Key == entry.Key) &&
		(f.Status == 0 || f.Status == entry.Status || f.Status == entry.Status/100) &&
		(f.Method == "" || f.Method == entry.Method) &&
		(f.Export == "" || f.Export == entry.Export) &&
		(f.Kind == "" || f.Kind == entry.Kind) &&
		(f.Error == "" || entry.Error != nil && f.Error == entry.Error.Name) &&
		f.choosesPath(entry.Path)
}

func (f *Filter) choosesPath(path string) bool {
	if beginning, found := strings.CutSuffix(f.Path, "*"); found {
		return strings.HasPrefix(path, beginning)
	}
	return f.Path == "" || f.Path == path
}
