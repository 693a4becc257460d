package har

import (
	"net/http"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/recording/recorder"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// removed stands where a credential was.
const removed = "credential-removed-from-recording"

// Import records exchanges as if they had passed the proxy: what is a credential, what leads where and what is replaced by
// pseudonyms is decided in one place. It returns how many requests had lost their credential before.
func Import(exchanges []*drift.Exchange, observer *drift.Observer, into *recorder.Recorder) (lost int) {
	observer.OnObserved(into.Add)
	for _, x := range exchanges {
		if restore(observer.Bench().Library(), x) {
			lost++
		}
		observer.Observe(x)
	}
	return lost
}

// restore names the credential of a request that names its project and was let in without one: browsers leave
// Authorization out of what they save. A replay compares which credentials there are, not what they say.
func restore(library *schemas.Library, x *drift.Exchange) bool {
	if x.Status == 0 || x.Status == http.StatusUnauthorized || x.Status == http.StatusForbidden {
		return false
	}
	header := http.Header(x.Sent.Header)
	for _, its := range exports.DialectOf(library) {
		names := its.Headers
		if names.Project == "" || names.Credential == "" || header.Get(names.Project) == "" || header.Get(names.Credential) != "" {
			continue
		}
		value := removed
		if names.Scheme != "" {
			value = names.Scheme + " " + removed
		}
		header.Set(names.Credential, value)
		return true
	}
	return false
}
