package secret_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/secret"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestNothingPrintsASecret tries the ways in which values get into texts by accident.
func TestNothingPrintsASecret(t *testing.T) {
	of := struct {
		Token secret.Text
		List  []secret.Text
		ByKey map[string]secret.Text
	}{"s3cret", []secret.Text{"s3cret"}, map[string]secret.Text{"a": "s3cret"}}
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("text", "token", of.Token, "all", of)
	slog.New(slog.NewJSONHandler(&log, nil)).Info("json", "token", of.Token, "all", of)
	encoded := must.Get(json.Marshal(of))(t)
	all := fmt.Sprint(of, of.Token) + fmt.Sprintf("%v %+v %#v %s %q %x %d", of, of, of, of.Token, of.Token, of.Token, of.Token) + log.String() + string(encoded)
	if strings.Contains(all, "s3cret") || strings.Contains(all, fmt.Sprintf("%x", "s3cret")) || !strings.Contains(all, secret.Hidden) {
		t.Errorf("a secret is printed: %s", all)
	}
	if of.Token.Reveal() != "s3cret" || secret.Text("").String() != "" {
		t.Error("a secret is lost, or an empty one is hidden")
	}
}
