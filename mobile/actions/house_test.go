package actions_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mobile/internal/proof"
)

// sources parses the files of the package.
func sources(t *testing.T) []*ast.File {
	t.Helper()
	names := proof.Get(filepath.Glob("*.go"))(t)
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file := proof.Get(parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments))(t)
		files = append(files, file)
	}
	return files
}

// eachExported visits everything that apps see, with its comment.
func eachExported(t *testing.T, visit func(name string, doc string, function *ast.FuncDecl)) {
	t.Helper()
	for _, file := range sources(t) {
		for _, declaration := range file.Decls {
			switch d := declaration.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() && (d.Recv == nil || exportedReceiver(d)) {
					visit(d.Name.Name, d.Doc.Text(), d)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					eachInSpec(d, spec, visit)
				}
			}
		}
	}
}

func eachInSpec(d *ast.GenDecl, spec ast.Spec, visit func(string, string, *ast.FuncDecl)) {
	switch s := spec.(type) {
	case *ast.TypeSpec:
		if s.Name.IsExported() {
			visit(s.Name.Name, s.Doc.Text()+d.Doc.Text(), nil)
		}
	case *ast.ValueSpec:
		for _, name := range s.Names {
			if name.IsExported() {
				visit(name.Name, s.Doc.Text()+d.Doc.Text(), nil)
			}
		}
	}
}

func exportedReceiver(d *ast.FuncDecl) bool {
	receiver := d.Recv.List[0].Type
	if pointer, ok := receiver.(*ast.StarExpr); ok {
		receiver = pointer.X
	}
	name, ok := receiver.(*ast.Ident)
	return ok && name.IsExported()
}

func TestEverythingIsDocumented(t *testing.T) {
	eachExported(t, func(name, doc string, function *ast.FuncDecl) {
		if doc == "" || function != nil && !strings.HasPrefix(doc, name+" ") {
			t.Errorf("%s has no comment that begins with its name", name)
		}
	})
}

// TestNothingPanics looks at every exported function: a panic that leaves it ends the app, so each begins with what holds it.
func TestNothingPanics(t *testing.T) {
	eachExported(t, func(name, _ string, function *ast.FuncDecl) {
		if function == nil || name == "NewOptions" || name == "NewArguments" || name == "NewArgumentList" {
			return // no code that could panic
		}
		if deferred, ok := function.Body.List[0].(*ast.DeferStmt); ok {
			if holder, ok := deferred.Call.Fun.(*ast.Ident); ok && (holder.Name == "contain" || holder.Name == "containAs" ||
				holder.Name == "rescue") {
				return
			}
		}
		t.Errorf("%s does not begin with a deferred contain, containAs or rescue", name)
	})
}

// TestNoVariables: there is no state but that of objects, and an exported variable would be a door that anybody may write through.
func TestNoVariables(t *testing.T) {
	for _, file := range sources(t) {
		for _, declaration := range file.Decls {
			switch d := declaration.(type) {
			case *ast.FuncDecl:
				proof.Hold(t, d.Recv != nil || d.Name.Name != "init", "there is an init function")
			case *ast.GenDecl:
				if d.Tok == token.VAR {
					t.Errorf("there is a package variable %s", d.Specs[0].(*ast.ValueSpec).Names[0])
				}
			}
		}
	}
}
