package httpd

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
)

// Address is the path of a route with its variables and its mandatory query parameters filled in.
func (r *Route) Address(value func(name string) string) string {
	segments := strings.Split(r.Path, "/")
	for i, segment := range segments {
		if name, is := strings.CutPrefix(segment, "{"); is {
			segments[i] = url.PathEscape(value(strings.TrimSuffix(name, "}")))
		}
	}
	query := url.Values{}
	for _, parameter := range r.Query {
		if parameter.Required {
			query.Set(parameter.Name, value(parameter.Name))
		}
	}
	address := strings.Join(segments, "/")
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	return address
}

// otherVersion is a path with the version of an interface in the place of its own
// first segment, where a route has that; empty where none has.
func (s *Server) otherVersion(path string) string {
	_, rest, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	for _, route := range s.routes {
		if whole := "/" + route.Interface.Version + "/" + rest; route.Interface.Version != "" && matches(route.segments, whole) {
			return whole
		}
	}
	return ""
}

// emptyVariable returns the variable of a route with an empty segment in a path; empty where none is the only fault.
func (s *Server) emptyVariable(path string) string {
	sent := strings.Split(path, "/")
	for _, route := range s.routes {
		for i, segment := range route.segments {
			if i > 0 && i < len(sent) && sent[i] == "" && strings.HasPrefix(segment, "{") {
				filled := slices.Clone(sent)
				if filled[i] = segment; matches(route.segments, strings.Join(filled, "/")) {
					return strings.Trim(segment, "{}")
				}
			}
		}
	}
	return ""
}

// wholePath is what a path begins or ends: that of a route without its version, or the few routes below it; empty if it is neither.
func (s *Server) wholePath(path string) string {
	var below []string
	for _, route := range s.routes {
		if version := "/" + route.Interface.Version; route.Interface.Version != "" && matches(route.segments, version+path) {
			return version + path
		}
		if strings.HasPrefix(route.Path, path+"/") && !slices.Contains(below, route.Path) {
			below = append(below, route.Path)
		}
	}
	if len(below) > 3 {
		return ""
	}
	return strings.Join(below, " or ")
}

// lookupMeant is the address that looks an export up, for a request that names an export of an interface on a path where there is no such
// lookup; empty if it names none.
func (s *Server) lookupMeant(r *http.Request, of exports.Interface) string {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return ""
	}
	sent := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	id := ""
	for _, candidate := range append(sent, r.URL.Query().Get("id"), r.URL.Query().Get(of.Identifiers.Created)) {
		if of.Identifiers.IsExport(candidate) {
			id = candidate
		}
	}
	if id == "" {
		return ""
	}
	for _, route := range s.routes {
		if route.Stage != exports.StageStatus || route.Interface.Name != of.Name {
			continue
		}
		template := strings.Split(strings.Trim(route.Path, "/"), "/")
		address := route.Address(func(name string) string {
			for i, segment := range template {
				if name != of.KeyVariable || segment != "{"+name+"}" {
					continue
				}
				if i < len(sent) && sent[i] != id && !slices.Contains(template, sent[i]) {
					return sent[i]
				}
				return segment // nobody was named
			}
			return id
		})
		return strings.ReplaceAll(address, url.PathEscape("{"+of.KeyVariable+"}"), "{"+of.KeyVariable+"}")
	}
	return ""
}
