package httpd

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/gorilla/mux"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// newRouter builds the router from the table.
//
// Paths are taken as they are sent: a doubled or trailing slash is not "cleaned" by a redirect, which would turn a POST into a GET, and
// an encoded slash stays inside its segment. Such a path has no route, and the answer says which one it resembles. See
// docs/decisions/server.md#why-gorillamux
func (s *Server) newRouter() *mux.Router {
	router := mux.NewRouter().SkipClean(true).UseEncodedPath()
	for _, route := range s.routes {
		methods := []string{route.Method}
		if route.Method == http.MethodGet {
			methods = append(methods, http.MethodHead)
		}
		router.MatcherFunc(fits(route.Path)).Methods(methods...).Handler(s.endpoint(route))
		if route.SlashToo {
			router.MatcherFunc(fits(route.Path + "/")).Methods(methods...).Handler(s.endpoint(route))
		}
	}
	if s.files.Route != nil {
		router.MatcherFunc(func(r *http.Request, _ *mux.RouteMatch) bool { return s.files.Has(r) }).
			Methods(http.MethodGet, http.MethodHead).Handler(s.endpoint(s.files.Route))
	}
	router.NotFoundHandler = http.HandlerFunc(s.notFound)
	router.MethodNotAllowedHandler = http.HandlerFunc(s.notFound)
	return router
}

// fits tells whether a path as it was sent has the shape of a template. It stands in the place of the router's own templates, whose
// regular expressions would be run twice, to match and for the variables. What a template begins and ends with is looked at first: no
// path fits that does not have it.
func fits(template string) mux.MatcherFunc {
	begin, end := template, ""
	if first := strings.IndexByte(template, '{'); first >= 0 {
		begin, end = template[:first], template[strings.LastIndexByte(template, '}')+1:]
	}
	wanted := strings.Split(template, "/")
	return func(r *http.Request, _ *mux.RouteMatch) bool {
		return strings.HasPrefix(r.URL.Path, begin) && strings.HasSuffix(r.URL.Path, end) && matches(wanted, r.URL.EscapedPath())
	}
}

// dispatch finds the handler of a request, which is always there, and calls it. The router's own ServeHTTP would copy the request twice,
// to put the variables of its templates there.
func (s *Server) dispatch(w http.ResponseWriter, r *http.Request) {
	match := mux.RouteMatch{Vars: map[string]string{}}
	s.router.Match(r, &match)
	match.Handler.ServeHTTP(w, r)
}

// endpoint adapts a row of the table to net/http.
func (s *Server) endpoint(route *Route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		request := &Request{}
		s.begin(request, r, route)
		request.Variables, request.Malformed = decodedVariables(route.segments, request.trace.path)
		answer, err := s.answerSafely(request)
		if err != nil {
			answer = s.refusal(request, err)
		}
		s.deliver(w, request, answer)
	})
}

// notFound answers for every path without a route, and for a route asked with another method (export API section 7: ROUTE_NOT_FOUND;
// nothing there knows a status 405). The list of allowed methods is sent where it exists.
func (s *Server) notFound(w http.ResponseWriter, r *http.Request) {
	path := r.URL.EscapedPath()
	refusal := exports.Refuse(exports.RouteNotFound, "no route for %s %s", r.Method, exports.Shorten(path))
	request := &Request{}
	s.begin(request, r, nil)
	s.noteUnrouted(request, path)
	if s.Admit != nil {
		if err := s.Admit(r, nil); err != nil {
			s.send(w, request, s.refusal(request, err))
			return
		}
	}
	methods := s.methodsOf(path)
	if len(methods) == 0 && s.files.Route != nil && s.files.Has(r) {
		methods = []string{http.MethodGet, http.MethodHead}
	}
	if lookup := s.lookupMeant(r, s.interfaceBelow(path)); lookup != "" {
		refusal.Message += "; an export is looked up with GET " + lookup
	}
	if len(methods) > 0 {
		allowed := strings.Join(methods, ", ")
		refusal.Message += "; this path answers " + allowed
		s.send(w, request, s.refusal(request, WithHeader(refusal, "Allow", allowed)))
		return
	}
	if name := s.emptyVariable(path); name != "" {
		refusal.Message += "; " + name + " in the path is empty"
	} else if tidy := tidied(path); tidy != path && len(s.methodsOf(tidy)) > 0 {
		refusal.Message += "; did you mean " + exports.Shorten(tidy) + "?"
	} else if whole := s.wholePath(path); whole != "" {
		refusal.Message += "; did you mean " + exports.Shorten(whole) + "?"
	} else if likely := s.likelyPath(path); likely != "" {
		refusal.Message += "; did you mean " + exports.Shorten(likely) + "?"
	} else {
		refusal.Message += "; /docs lists the routes of this server"
	}
	s.send(w, request, s.refusal(request, refusal))
}

// noteUnrouted notes what the path tells of a request that no route fits.
func (s *Server) noteUnrouted(r *Request, path string) {
	below := s.interfaceBelow(path)
	if below.Name == "" {
		below = s.interfaceBelow(s.otherVersion(path))
	}
	r.Entry.Interface = below.Name
	for _, route := range s.routes {
		switch {
		case route.Stage == exports.StageFile && matches(route.segments, path):
			r.Entry.Stage = string(exports.StageFile)
			r.Variables, _ = decodedVariables(route.segments, path)
		case r.Variables == nil && below.KeyVariable != "" && route.Interface.Name == below.Name &&
			slices.Contains(route.segments, "{"+below.KeyVariable+"}"):
			r.Variables, _ = decodedVariables(route.segments, path)
		}
	}
	if s.files.Unrouted != nil {
		s.files.Unrouted(r)
	}
}

// likelyPath is the path that was probably meant: of the routes with as many
// segments, filled with what was sent, the one that differs by a slip.
func (s *Server) likelyPath(path string) string {
	sent := strings.Split(path, "/")
	var candidates []string
	for _, route := range s.routes {
		segments := strings.Split(route.Path, "/")
		if len(segments) != len(sent) {
			continue
		}
		for i, segment := range segments {
			if strings.HasPrefix(segment, "{") {
				segments[i] = sent[i]
			}
		}
		candidates = append(candidates, strings.Join(segments, "/"))
	}
	return schemas.Likely(path, candidates)
}

// methodsOf lists the methods a path answers, sorted. See docs/explanation/specification.md#why-is-a-wrong-method-a-404
func (s *Server) methodsOf(path string) []string {
	var methods []string
	for _, route := range s.routes {
		if matches(route.segments, path) {
			methods = append(methods, route.Method)
			if route.Method == http.MethodGet {
				methods = append(methods, http.MethodHead)
			}
		}
	}
	slices.Sort(methods)
	return slices.Compact(methods)
}

// matches tells whether an escaped path has the shape of a template, which is given in segments.
func matches(wanted []string, path string) bool {
	for i, segment := range wanted {
		sent, rest, more := strings.Cut(path, "/")
		if more != (i < len(wanted)-1) {
			return false
		}
		if placeholder := strings.HasPrefix(segment, "{"); placeholder && sent == "" || !placeholder && segment != sent {
			return false
		}
		path = rest
	}
	return true
}

// tidied guesses the path that was meant: single slashes, none at the end, no needless encoding.
func tidied(path string) string {
	segments := strings.FieldsFunc(path, func(char rune) bool { return char == '/' })
	for i, segment := range segments {
		if plain, err := url.PathUnescape(segment); err == nil {
			segments[i] = url.PathEscape(strings.TrimSpace(plain))
		}
	}
	return "/" + strings.Join(segments, "/")
}

// interfaceBelow is the interface whose paths begin as a path does that has no route; the zero value if there is none.
func (s *Server) interfaceBelow(path string) exports.Interface {
	first := firstSegment(path)
	for _, route := range s.routes {
		if route.Interface.Name != "" && firstSegment(route.Path) == first {
			return route.Interface
		}
	}
	return exports.Interface{}
}

// interfaceFor says in which shape a request is refused: that of its route, or
// of one that has its path, or of the interface that has paths like it.
func (s *Server) interfaceFor(r *Request) exports.Interface {
	if r.Route != nil {
		return r.Route.InterfaceFor(r.Variables)
	}
	path := r.URL.EscapedPath()
	for _, route := range s.routes {
		if matches(route.segments, path) {
			variables, _ := decodedVariables(route.segments, path)
			return route.InterfaceFor(variables)
		}
	}
	if known := s.interfaceBelow(path); known.Name != "" {
		return known
	}
	return *s.own
}

func firstSegment(path string) string {
	first, _, _ := strings.Cut(strings.TrimLeft(path, "/"), "/")
	return first
}
