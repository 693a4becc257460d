package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/bolt"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/storetest"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestStateCheck: the file of a state is checked to its last value, and what is whole is saved.
func TestStateCheck(t *testing.T) {
	path, saved := filepath.Join(t.TempDir(), "state.db"), filepath.Join(t.TempDir(), "saved.db")
	kept := must.Get(bolt.Open(t.Context(), path))(t)
	for _, id := range []string{"first", "second", "third"} {
		record := storetest.Record(id, "live_demo", "legacy")
		record.File.DataGeneration = 0
		storetest.Insert(t, kept, record)
	}
	must.Do(t, kept.SetSetting(t.Context(), "clock", []byte("{}")))
	invoke(t, "", "state", "check", path).is(t, exitUnread, "", "in use by another server")
	must.Do(t, kept.Close())
	const whole = "0 faults; 3 exports, 1 settings and 0 generations of the dataset are whole\n"
	if got := invoke(t, "", "state", "check", path); got.code != exitOK || got.out != whole {
		t.Errorf("of a file that is whole: %d %s%s", got.code, got.out, got.err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	var out, errors bytes.Buffer
	code := run(ended, []string{"state", "check", path}, terminal{out: &out, err: &errors, environment: func(string) string { return "" }})
	if code != exitUnread || !strings.Contains(errors.String(), "the check was not finished") || strings.Contains(out.String(), "whole") {
		t.Errorf("of one that was interrupted: %d %s%s", code, &out, &errors)
	}

	text := must.Get(os.ReadFile(path))(t)
	at := bytes.Index(text, []byte("rsecond"))
	for ; at >= 0 && bytes.IndexByte(text[at:at+40], '{') < 0; at += 7 + max(bytes.Index(text[at+7:], []byte("rsecond")), 0) {
	}
	text[at+60] ^= 4
	must.Do(t, os.WriteFile(path, text, 0o600))
	const rest = `: the value of "rsecond" has changed since it was written` +
		"\n1 fault; 2 exports, 1 settings and 0 generations of the dataset are whole\n"
	if got := invoke(t, "", "state", "check", "--save", saved, path); got.code != exitFailed || got.out != path+rest {
		t.Errorf("of a damaged file: %d %s%s", got.code, got.out, got.err)
	}
	if got := invoke(t, "", "state", "check", saved); got.code != exitOK || !strings.HasPrefix(got.out, "0 faults; 2 exports, 1 settings") {
		t.Errorf("of what was saved: %d %s%s", got.code, got.out, got.err)
	}
	invoke(t, "", "state", "check", "--save", saved, path).is(t, exitUsage, "", "name a new file")
	cutOff := false
	for pages := int64(len(text)/4096) - 1; pages > 0; pages-- {
		must.Do(t, os.Truncate(path, pages*4096))
		got := invoke(t, "", "state", "check", path)
		if said := got.out + got.err; got.code == exitOK || strings.Contains(said, "runtime error") {
			t.Errorf("of a file that was cut to %d pages: %d %s", pages, got.code, said)
		}
		cutOff = cutOff || strings.Contains(got.out+got.err, "the file is cut off or damaged")
	}
	if !cutOff {
		t.Error("of a file that was cut: no fault says so")
	}
}
