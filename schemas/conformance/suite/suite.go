// Package suite names where the public JSON Schema test suite comes from: a module that carries a copy of it among its tests. It is
// a module of its own, because nothing but a test reads it.
package suite

import _ "github.com/google/jsonschema-go/jsonschema" // kept in go.mod, and so in the module cache
