// Package openapi writes the API documents of a server, of everything and of the
// export API alone, as OpenAPI 3.1 and 3.0. They are made from the table of routes
// that the server is made from, and from its schema files.
// Nothing about an endpoint is written down here a second time: a schema file
// that an overlay replaces or adds shows in the document as it does in the
// server.
//
// The examples of answers are not made up either: examples.json holds what a
// server answered, which the command recorder writes down when the sources are
// generated (make generate). A server with other schemas shows those that still
// fit, and makes others from the examples in the schema files.
package openapi
