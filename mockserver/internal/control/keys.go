package control

import (
	"context"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// mostKeysNamed is how many keys a refusal names.
const mostKeysNamed = 10

// ownKey is the key that the query names, or empty; it refuses one with which no export can be made. Advice says what to do instead.
func (a *API) ownKey(r *httpd.Request, advice string) (string, error) {
	key, given := r.Query["key"]
	if given && !a.Keys.Owns(key) {
		return "", a.unknownKey(key, advice)
	}
	return key, nil
}

// seenKey is the key that the query names, or empty. One with which no export can be made may still have been sent, and be asked for; one
// that nobody has ever sent is a slip, and a test that expects nothing of it would hold because of that.
func (a *API) seenKey(r *httpd.Request) (string, error) {
	key, given := r.Query["key"]
	if !given || a.Keys.Owns(key) || a.Watched.Journal.Count(journal.Filter{Key: key}) > 0 {
		return key, nil
	}
	if kept, err := a.keptOf(r.Context(), key); err != nil || kept {
		return key, err
	}
	return "", a.unknownKey(key, "no request with it is in the journal either; correct it, or leave it out for all keys")
}

// keptOf tells whether the state has something of a key, as it may when the server was started with other credentials before.
func (a *API) keptOf(ctx context.Context, key string) (bool, error) {
	for _, rule := range a.Live.Scenarios().Rules {
		if rule.Match.Key == key {
			return true, nil
		}
	}
	records, _, err := a.Live.ListPage(ctx, store.ListOptions{Owner: key, Limit: 1})
	return len(records) > 0, err
}

func (a *API) unknownKey(key, advice string) error {
	known := a.Keys.Owners()
	allowed := namedKeys(known)
	if a.Keys.Any {
		allowed = "it accepts any that can be a segment of a path"
	}
	return exports.RefuseMember("/key", "key",
		"the query parameter key is %q, which is no application key and no project key of this server (%s)%s; %s",
		exports.Shorten(key), allowed, schemas.DidYouMean(key, known), advice)
}

// namedKeys lists keys, as many as can be read.
func namedKeys(keys []string) string {
	named := make([]string, 0, mostKeysNamed)
	for _, key := range keys[:min(len(keys), mostKeysNamed)] {
		named = append(named, exports.Shorten(key))
	}
	text := "it has " + strings.Join(named, ", ")
	if len(keys) > mostKeysNamed {
		text += " and others"
	}
	return text
}
