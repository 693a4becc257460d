package drift

import (
	"encoding/json"
	"net/url"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pattern"
)

// Observed is an exchange, while its bodies are there, together with what was found out about it.
type Observed struct {
	Exchange *Exchange
	// Entry is what the journal says of it. A request that the schema files do not know has no stage.
	Entry *journal.Entry
	// Redactor knows its credentials, and Key is the application or project key that it named: the entry has labels in their places.
	Redactor journal.Redactor
	Key      string
	// Hop counts the redirects before a file. File tells that the answer is one, if it is good: of a link, or of an endpoint.
	Hop      int
	File     bool
	observer *Observer
}

var linkText = pattern.Of(`"https?:(?:\\?/){2}(?:[^"\\]|\\.)*"`)

// ReplaceLinks puts other addresses in the place of the links in a JSON text.
func ReplaceLinks(text []byte, led func(link string) string) []byte {
	return linkText().ReplaceAllFunc(text, func(quoted []byte) []byte {
		var link string
		if json.Unmarshal(quoted, &link) == nil {
			if to := led(link); to != link {
				return append(append([]byte{'"'}, to...), '"')
			}
		}
		return quoted
	})
}

// OnObserved calls a function after each exchange, one after another. Call it before the first one.
func (o *Observer) OnObserved(call func(*Observed)) { o.observed = call }

// OnFound calls a function after each finding that is new. Call it before the first exchange.
func (o *Observer) OnFound(call func()) { o.fresh = call }

// Leads tells what a link in the answer leads to: to a part of the file of an export behind so many redirects, to an endpoint of
// the service (then the export is empty), or to neither, as far as was seen.
func (x *Observed) Leads(address *url.URL) (export string, part, hop int, known bool) {
	o := x.observer
	path := address.EscapedPath()
	if found, _ := match(routesOf(o.bench.Library()), "GET", path); found != nil && address.Scheme+"://"+address.Host == x.Exchange.To.Origin {
		return "", 0, 0, true
	}
	to, known := o.past.links[address.Scheme+"://"+address.Host+path]
	if !known {
		return "", 0, 0, false
	}
	return to.export.id, to.part, to.hop, true
}
