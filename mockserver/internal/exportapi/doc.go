// Package exportapi answers the endpoints of the export API, and the links to its files, over HTTP.
//
// The order of checks is fixed. Before any handler come the name of the server, the number of connections, the origin of files, the
// origin of a page and the route, see the function Admit in package server. Here follow credentials, plan, forced scenario, malformed
// path, media type, size, JSON syntax, missing members, malformed members, dates and lookback, rate, create. The virtual clock decides
// what is due, what has expired and what lies in the lookback.
package exportapi
