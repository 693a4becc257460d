//go:build !page

package main

import "io/fs"

// webInside is the web page that is part of the program: only releases have one, since it takes npm to build it.
func webInside() fs.FS { return nil }
