package sqlite

import (
	"bytes"
	"compress/gzip"
	"context"
	"database/sql"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

//go:generate go test -run ^TestEmpty$ . -update

var update = flag.Bool("update", false, "write migrations/empty.db.gz anew")

// TestEmpty: a file that was put there is one that the migrations make.
func TestEmpty(t *testing.T) {
	migrated, put := filepath.Join(t.TempDir(), "migrated.db"), filepath.Join(t.TempDir(), "put.db")
	if err := os.WriteFile(migrated, nil, 0o600); err != nil { // SQLite makes it of a file without bytes
		t.Fatal(err)
	}
	s, err := Open(t.Context(), migrated)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if *update {
		writeEmptied(t, migrated)
		return
	}
	putEmpty(put)
	if got, want := whatIsIn(t, put), whatIsIn(t, migrated); !slices.Equal(got, want) {
		t.Errorf("migrations/empty.db.gz is stale: run make generate. It has\n%s\nand the migrations make\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if information, err := os.Stat(put); err != nil || information.Mode() != fileMode {
		t.Errorf("%v, mode %v", err, information.Mode())
	}
	if entries, err := os.ReadDir(filepath.Dir(put)); err != nil || slices.ContainsFunc(entries, func(e os.DirEntry) bool { return strings.HasSuffix(e.Name(), "-new") }) {
		t.Errorf("%v: %v", err, entries)
	}
}

// TestEmptyIsNotPutOver: what is there already, be it a file without bytes or a link that leads nowhere, is not replaced.
func TestEmptyIsNotPutOver(t *testing.T) {
	there := filepath.Join(t.TempDir(), "there.db")
	if err := os.WriteFile(there, []byte("kept"), 0o600); err != nil {
		t.Fatal(err)
	}
	putEmpty(there)
	if got, err := os.ReadFile(there); err != nil || string(got) != "kept" {
		t.Errorf("%q, %v", got, err)
	}
	link := filepath.Join(t.TempDir(), "link.db")
	if err := os.Symlink(filepath.Join(t.TempDir(), "nowhere.db"), link); err != nil {
		t.Skipf("this system has no symbolic links here: %v", err)
	}
	putEmpty(link)
	if information, err := os.Lstat(link); err != nil || information.Mode()&os.ModeSymlink == 0 {
		t.Errorf("%v, mode %v", err, information.Mode())
	}
}

// whatIsIn lists everything that a file says of itself, and how many rows its tables have.
func whatIsIn(t *testing.T, path string) (list []string) {
	pool, err := connect(path, "&_query_only=1", 1)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	read := func(query string) {
		rows, err := pool.QueryContext(context.Background(), query)
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		defer rows.Close()
		for rows.Next() {
			var text sql.NullString
			if err := rows.Scan(&text); err != nil {
				t.Fatalf("%s: %v", query, err)
			}
			list = append(list, query+": "+text.String)
		}
		if err := rows.Err(); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
	}
	for _, pragma := range []string{"application_id", "user_version", "journal_mode", "page_size", "page_count", "auto_vacuum", "encoding", "freelist_count", "integrity_check"} {
		read("PRAGMA " + pragma)
	}
	read("SELECT name || coalesce(sql, '') || rootpage FROM sqlite_schema ORDER BY name")
	for _, table := range []string{"exports", "buckets", "settings", "data", "layouts"} {
		read("SELECT count(*) FROM " + table)
	}
	return list
}

func writeEmptied(t *testing.T, from string) {
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	writer, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err == nil {
		_, err = writer.Write(data)
	}
	if err == nil {
		err = writer.Close()
	}
	if err == nil {
		err = os.WriteFile("migrations/empty.db.gz", packed.Bytes(), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}
