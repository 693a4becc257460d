// Package openapi writes the API document of a server: OpenAPI 3.1, made from
// the table of routes that the server is made from, and from its schema files.
// Nothing about an endpoint is written down here a second time: a schema file
// that an overlay replaces or adds shows in the document as it does in the
// server.
//
// The examples are not made up either. Build starts a second server in memory,
// on a clock that stands still, plays a client to it and writes down what was
// asked and answered (rehearse.go). The same schemas and the same population
// give the same bytes.
//
// The readable page is made from the finished document alone (page.go): it can
// show nothing that the document does not say.
package openapi
