//go:build tools

// Package tools holds a module in the graph that gomobile lists and nothing is built of: go.mod then names its version, and a registry
// that lacks the version which golang.org/x/mobile asks for does not stand in the way.
package tools

import _ "golang.org/x/exp/shiny/screen"
