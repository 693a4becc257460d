package exportapi

import (
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Requests that may follow an answer, for the API document.

const (
	inBody  = "$response.body#/"
	asWhole = "as a whole, with its query; credentials are not sent along."
)

// lookedUp is the lookup of an export whose identifier stands in the answer.
func lookedUp(by *httpd.Route, member string) httpd.Next {
	next := httpd.Next{Name: "status", Route: by.Name, Description: "Looks the export up."}
	add := func(name, value string) {
		next.Parameters = append(next.Parameters, httpd.NextParameter{Name: name, Value: value})
	}
	for _, name := range exports.Placeholders(by.Path) {
		if name == by.Interface.KeyVariable {
			add(name, "$request.path."+name)
		} else {
			add(name, inBody+member)
		}
	}
	if parameter := schemas.ParameterOf(by.Query, "export"); parameter != "" {
		add(parameter, inBody+member)
	}
	return next
}

// afterLookup is the endpoint that redirects to the file, or the file itself.
func (a *API) afterLookup(lookup *httpd.Route) []httpd.Next {
	files, address := a.Library.MemberOf(lookup.Response, vocabulary.RecordFiles), a.Library.MemberOf(lookup.Response, vocabulary.RecordLink)
	what := "the file."
	if files != "" {
		what = "the first part of the file; " + files + " lists them all."
	}
	download := a.downloads[lookup.Interface.Name]
	if lookup.Interface.Files.Redirects() {
		next := httpd.Next{Name: "download", Route: download.Name, Description: "Leads to " + what}
		if parameter := schemas.ParameterOf(download.Query, "file"); parameter != "" {
			next.Parameters = []httpd.NextParameter{{Name: parameter,
				Value: inBody + files + "/0/" + a.Library.MemberOf(download.Response, vocabulary.FileID)}}
		}
		return []httpd.Next{next}
	}
	switch {
	case address != "":
	case download != nil:
		address = a.Library.MemberOf(download.Response, vocabulary.FileURL)
	default:
		address = files + "/0"
	}
	return []httpd.Next{{Name: "file", Route: "file", Description: "Downloads " + what + " The address is " + address + " " + asWhole}}
}

// afterList is the lookup of an export of the list, and the next page.
func (a *API) afterList(list *httpd.Route) (next []httpd.Next) {
	member := func(source string) string { return a.Library.MemberOf(list.Response, source) }
	if lookup := a.lookups[list.Interface.Name]; lookup != nil {
		next = append(next, lookedUp(lookup, member(vocabulary.PageRecords)+"/0/"+a.Library.MemberOf(lookup.Response, vocabulary.RecordID)))
	}
	if after := schemas.ParameterOf(list.Query, "after"); after != "" {
		next = append(next, httpd.Next{Name: "next", Route: list.Name,
			Description: "The next page, while " + member(vocabulary.PageHasMore) + " is true.",
			Parameters:  []httpd.NextParameter{{Name: after, Value: inBody + member(vocabulary.PageNext)}}})
	}
	return next
}
