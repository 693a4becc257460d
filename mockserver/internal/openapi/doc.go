// Package openapi writes the API documents of a server: of everything as OpenAPI
// 3.1, and of the export API alone as OpenAPI 3.0. They are made from the table of
// routes that the server is made from, and from its schema files. Nothing about an endpoint is written down here a second time: a schema
// file that an overlay replaces or adds shows in the document as it does in the server.
//
// The examples are made from those of members in the schema files, and each fits its file.
package openapi
