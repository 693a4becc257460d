package api

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/gorilla/mux"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// newRouter builds the router from the table.
//
// Paths are taken as they are sent: a doubled or trailing slash is not
// "cleaned" by a redirect, which would turn a POST into a GET, and an encoded
// slash stays inside its segment. Such a path has no route, and the answer
// says which one it resembles.
func (s *Service) newRouter() *mux.Router {
	router := mux.NewRouter().SkipClean(true).UseEncodedPath()
	for _, route := range s.routes {
		methods := []string{route.Method}
		if route.Method == http.MethodGet {
			methods = append(methods, http.MethodHead)
		}
		router.MatcherFunc(fits(route.Path)).Methods(methods...).Handler(s.endpoint(route))
	}
	if s.web != nil {
		router.MatcherFunc(s.isWeb).Methods(http.MethodGet, http.MethodHead).
			Handler(s.endpoint(&Route{Name: "web", Interface: interfaceOwn, Credential: Nobody, handle: s.webFile}))
	}
	router.NotFoundHandler = http.HandlerFunc(s.notFound)
	router.MethodNotAllowedHandler = http.HandlerFunc(s.notFound)
	return router
}

// fits tells whether a path as it was sent has the shape of a template. It
// stands in the place of the router's own templates, whose regular expressions
// would be run twice, to match and for the variables. What a template begins
// and ends with is looked at first: no path fits that does not have it.
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

// dispatch finds the handler of a request, which is always there, and calls it.
// The router's own ServeHTTP would copy the request twice, to put the variables
// of its templates there.
func (s *Service) dispatch(w http.ResponseWriter, r *http.Request) {
	match := mux.RouteMatch{Vars: s.noVariables}
	s.router.Match(r, &match)
	match.Handler.ServeHTTP(w, r)
}

// endpoint adapts a row of the table to net/http.
func (s *Service) endpoint(route *Route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked := &request{}
		s.begin(&asked.exchange, r, route)
		answer, err := s.answerSafely(asked)
		if err != nil {
			answer = s.refusal(&asked.exchange, err)
		}
		s.deliver(w, asked, answer)
	})
}

// notFound answers for every path without a route, and for a route asked with
// another method (export API section 7: ROUTE_NOT_FOUND; nothing there knows a
// status 405). The list of allowed methods is sent where it exists.
func (s *Service) notFound(w http.ResponseWriter, r *http.Request) {
	path := r.URL.EscapedPath()
	refusal := refuse(RouteNotFound, "no route for %s %s", r.Method, shortened(path))
	methods := s.methodsOf(path)
	if len(methods) == 0 && s.isWeb(r, nil) {
		methods = []string{http.MethodGet, http.MethodHead}
	}
	if len(methods) > 0 {
		allowed := strings.Join(methods, ", ")
		refusal = refuse(RouteNotFound, "no route for %s %s; this path answers %s", r.Method, shortened(path), allowed).
			with("Allow", allowed)
	} else if tidy := tidied(path); tidy != path && len(s.methodsOf(tidy)) > 0 {
		refusal.Message += "; did you mean " + shortened(tidy) + "?"
	} else if likely := s.likelyPath(path); likely != "" {
		refusal.Message += "; did you mean " + shortened(likely) + "?"
	} else {
		refusal.Message += "; /docs lists the routes of this server"
	}
	x := &exchange{}
	s.begin(x, r, nil)
	s.send(w, x, s.refusal(x, refusal))
}

// likelyPath is the path that was probably meant: of the routes with as many
// segments, filled with what was sent, the one that differs by a slip.
func (s *Service) likelyPath(path string) string {
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

// methodsOf lists the methods a path answers, sorted.
func (s *Service) methodsOf(path string) []string {
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

// matches tells whether an escaped path has the shape of a template, which is
// given in segments.
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

// tidied guesses the path that was meant: single slashes, none at the end, no
// needless encoding.
func tidied(path string) string {
	segments := strings.FieldsFunc(path, func(char rune) bool { return char == '/' })
	for i, segment := range segments {
		if plain, err := url.PathUnescape(segment); err == nil {
			segments[i] = url.PathEscape(strings.TrimSpace(plain))
		}
	}
	return "/" + strings.Join(segments, "/")
}

// interfaceOf says in which shape a path is refused, with or without a route:
// that of the interface whose version it begins with, or whose file it is.
func (s *Service) interfaceOf(path string) string {
	first := firstSegment(path)
	if first == firstSegment(filesPath) && strings.HasPrefix(path, filesPath+exportPrefix) {
		return interfaceProfiles
	}
	for _, route := range s.routes {
		if route.Interface != interfaceOwn && firstSegment(route.Path) == first {
			return route.Interface
		}
	}
	return interfaceLegacy
}

func firstSegment(path string) string {
	first, _, _ := strings.Cut(strings.TrimLeft(path, "/"), "/")
	return first
}

// shortened keeps a hostile path from filling a message.
func shortened(text string) string {
	const most = 200
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "..."
	}
	return text
}
