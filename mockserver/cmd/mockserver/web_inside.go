//go:build page

package main

import (
	"embed"
	"io/fs"
)

// page is the built web page, with the documents: the build of a release lays
// them over the folder of this package, in which they are never kept.
//
//go:embed all:page
var page embed.FS

// webInside is the web page that is part of the program.
func webInside() fs.FS {
	root, err := fs.Sub(page, "page")
	if err != nil {
		panic(err) // "page" is a valid path
	}
	return root
}
