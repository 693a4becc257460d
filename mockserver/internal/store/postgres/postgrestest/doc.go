// Package postgrestest starts a real PostgreSQL server for a test or a measurement, in a directory of its own that is gone afterwards.
package postgrestest
