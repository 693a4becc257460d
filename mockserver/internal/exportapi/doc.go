// Package exportapi answers the endpoints of the export API, and the links to
// its files, over HTTP.
//
// The order of checks is fixed: route, credentials, plan, forced scenario,
// media type, size, JSON syntax, missing members, malformed members, dates and
// lookback, rate, create. The virtual clock decides what is due, what has
// expired and what lies in the lookback.
package exportapi
