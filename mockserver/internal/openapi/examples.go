package openapi

import (
	"slices"
	"strings"
)

const csvMedia = "text/csv"

// examples are what was asked and answered when the examples were played, by
// route (or family of refusals), status and media type; 0 is a request.
type examples map[exampleKey]object

type exampleKey struct {
	route  string
	status int
	media  string
}

// add keeps an example under a name. The first of a name stays.
func (e examples) add(route string, status int, media, name, summary string, value any) {
	media = plainMedia(media)
	key := exampleKey{route, status, media}
	kept := e[key]
	if kept.get(name) != nil {
		return
	}
	example := object{}
	if summary != "" {
		example.set("summary", summary)
	}
	example.set("value", value)
	kept.set(name, example)
	e[key] = kept
}

func (e examples) request(route, media string) object { return e[exampleKey{route, 0, media}] }

func (e examples) response(route string, status int, media string) object {
	return e[exampleKey{route, status, media}]
}

func (e examples) refusals(group family, status int, media string) object {
	found := slices.Clone(e[exampleKey{group.name, status, media}])
	found.sort()
	return found
}

// plainMedia is a media type without its parameters.
func plainMedia(media string) string {
	plain, _, _ := strings.Cut(media, ";")
	return strings.TrimSpace(plain)
}
