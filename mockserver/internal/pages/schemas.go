package pages

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/schemas"
	"github.com/rehearsal-sdk/rehearsal/schemas/catalog"
)

const (
	schemaIndexPath = "/schemas"
	schemaFolder    = schemaIndexPath + "/"
	schemaBundle    = "/schemas.json"
	// mediaTypeSchema is the media type of a JSON Schema (JSON Schema 2020-12, section 14.1).
	mediaTypeSchema = "application/schema+json"
)

// schemaIndex lists the schema files of the server.
type schemaIndex struct {
	// Digest is that of all files together.
	Digest  string         `json:"digest"`
	Schemas []catalog.File `json:"schemas"`
}

// SchemaRoutes answer the schemas that the server works with, those of an overlay included.
func (p *Pages) SchemaRoutes() []*httpd.Route {
	routes := []*httpd.Route{
		{Name: "schemas", Method: http.MethodGet, Path: schemaIndexPath, Credential: httpd.Public, Handle: p.schemaIndex,
			Description: httpd.Description{Summary: "The schema files of this server, those of an overlay included: path, $id, title, the kind of " +
				"export, digest."},
			Input:  httpd.Input{SlashToo: true},
			Output: httpd.Output{Response: "mock/schema.index.json", Validators: true}},
		{Name: "schemas.bundle", Method: http.MethodGet, Path: schemaBundle, Credential: httpd.Public, Handle: p.schemaBundle,
			Description: httpd.Description{Summary: "All schema files in one: a compound document of JSON Schema 2020-12, with each file under " +
				"$defs by its path."},
			Output: httpd.Output{Validators: true, ResponseMedia: []string{mediaTypeSchema}}},
	}
	for _, path := range schemaPaths(p.Library.Names()) {
		name := "schemas.get"
		if depth := strings.Count(path, "{"); depth != 2 {
			name = fmt.Sprintf("schemas.get.%d", depth)
		}
		routes = append(routes, &httpd.Route{Name: name, Method: http.MethodGet, Path: path, Credential: httpd.Public, Handle: p.schemaFile,
			Description: httpd.Description{Summary: "A schema file, JSON Schema 2020-12. Its $id is the address of this answer, so " +
				"references lead " +
				"on to the others."},
			Output: httpd.Output{Validators: true, ResponseMedia: []string{mediaTypeSchema}}})
	}
	group := httpd.Group{Name: "Schemas",
		Description: "The schema files that the server works with, those of an overlay included. Everybody who reaches the server may read them."}
	return httpd.MockRoutes(group.Of(routes...))
}

// schemaPaths are the templates of the paths of schema files: one for each number of folders, since a placeholder is one segment.
func schemaPaths(names []string) []string {
	var paths []string
	for _, name := range names {
		path := schemaFolder
		for i := range strings.Count(name, "/") {
			path += "{folder" + strings.Repeat("_", i) + "}/"
		}
		paths = append(paths, path+"{schema}")
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// schemaBase is where the schemas of this server are, for a client.
func (p *Pages) schemaBase(r *httpd.Request) string {
	return strings.TrimSuffix(p.baseURL(r), "/") + schemaFolder
}

func (p *Pages) schemaIndex(r *httpd.Request) (httpd.Response, error) {
	files, err := catalog.Files(p.Library, p.schemaBase(r))
	if err != nil {
		return httpd.Response{}, fmt.Errorf("listing the schemas: %w", err)
	}
	return p.documentResponse(r, httpd.JSON(schemaIndex{p.Library.Digest(), files}), httpd.MediaTypeJSON)
}

func (p *Pages) schemaFile(r *httpd.Request) (httpd.Response, error) {
	if r.Malformed != nil {
		return httpd.Response{}, r.Malformed
	}
	name := strings.TrimPrefix(r.URL.Path, schemaFolder)
	source := catalog.Located(p.Library, name, p.schemaBase(r))
	if source == nil {
		names := p.Library.Names()
		hint := "; " + schemaIndexPath + " lists the schemas of this server"
		if likely := schemas.Likely(name, names); likely != "" {
			hint = "; did you mean " + schemaFolder + likely + "?"
		}
		return httpd.Response{}, exports.Refuse(exports.RouteNotFound, "there is no schema %s%s", exports.Shorten(name), hint)
	}
	return p.documentResponse(r, source, mediaTypeSchema)
}

func (p *Pages) schemaBundle(r *httpd.Request) (httpd.Response, error) {
	base := p.schemaBase(r)
	bundle, err := catalog.Bundle(p.Library, strings.TrimSuffix(base, schemaFolder)+schemaBundle, base)
	if err != nil {
		return httpd.Response{}, fmt.Errorf("bundling the schemas: %w", err)
	}
	return p.documentResponse(r, bundle, mediaTypeSchema)
}
