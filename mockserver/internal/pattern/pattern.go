// Package pattern compiles regular expressions when they are first used: a program that starts needs none of them yet.
package pattern

import (
	"regexp"
	"sync"
)

// Of is a regular expression in the syntax of package regexp. What it returns panics when the expression is none.
func Of(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
