package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
)

// watcher reloads a server when its files change.
type watcher struct {
	terminal
	flags  serveFlags
	server *mockserver.Server
	seen   string // fingerprint of the files that were read
}

// start looks at the files with every tick, until stop has returned.
func (w *watcher) start(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended, ticks := make(chan struct{}), w.ticks()
	go func() {
		defer close(ended)
		for changed := false; ; {
			select {
			case <-ctx.Done():
				return
			case <-ticks:
			}
			switch now := fingerprint(w.flags.watched); {
			case now != w.seen:
				w.seen, changed = now, true // somebody may still be writing
			case changed:
				changed = false
				w.reload(ctx)
			}
		}
	}()
	return func() { cancel(); <-ended }
}

// reload reads the command line with all of its files again.
func (w *watcher) reload(ctx context.Context) {
	f := w.flags
	err := w.server.Reload(func() (mockserver.Options, error) {
		read := false
		if err := w.flags.again(ctx, func(again serveFlags) { f, read = again, true }); err != nil || !read {
			return mockserver.Options{}, err
		}
		f.Logger, f.Version, f.ControlToken, f.FilesURL = w.flags.Logger, w.flags.Version, w.flags.ControlToken, w.flags.FilesURL
		return f.open()
	})
	if err != nil {
		w.flags.Logger.Error("the changed files are wrong, and what was read before stays in force", "error", f.explain(err))
		return
	}
	if !slices.Equal(w.flags.watched, f.watched) {
		w.flags.watched, w.seen = f.watched, fingerprint(f.watched)
	}
	w.flags.Logger.Info("the changed files are in force")
}

// fingerprint tells files apart by their names, sizes and times.
func fingerprint(paths []string) string {
	var text strings.Builder
	for _, path := range paths {
		if target, err := filepath.EvalSymlinks(path); err == nil {
			path = target
		}
		_ = filepath.WalkDir(path, func(name string, _ fs.DirEntry, err error) error {
			if err == nil {
				var information fs.FileInfo
				if information, err = os.Stat(name); err == nil && !information.IsDir() {
					fmt.Fprintln(&text, name, information.Size(), information.ModTime().Format(time.RFC3339Nano))
				}
			}
			if err != nil {
				fmt.Fprintln(&text, name, err)
			}
			return nil
		})
	}
	return text.String()
}

// checkWatched refuses what cannot be read twice.
func checkWatched(paths []string) error {
	for _, path := range paths {
		if information, err := os.Stat(path); err == nil && !information.IsDir() && !information.Mode().IsRegular() {
			return usage.Errorf("--watch: %s cannot be read again; name a file", path)
		}
	}
	return nil
}
