package store_test

import (
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

func TestSnakeCase(t *testing.T) {
	for old, want := range map[string]string{
		`{"fullAt":"2026-03-15T12:12:00Z"}`:                                  `{"full_at":"2026-03-15T12:12:00Z"}`,
		`{"id":"aB","createdAt":"cD","polls":1}`:                             `{"created_at":"cD","id":"aB","polls":1}`,
		`{"request":{"filterBy":{"aB":1}},"errorMessage":"eM"}`:              `{"error_message":"eM","request":{"filterBy":{"aB":1}}}`,
		`{"file":{"apiKey":"k","seed":18446744073709551615}}`:                `{"file":{"api_key":"k","seed":18446744073709551615}}`,
		`{"file":{"attributes":["aB"],"faults":{"byteOrderMark":true}}}`:     `{"file":{"attributes":["aB"],"faults":{"byte_order_mark":true}}}`,
		`{"file":{"settings":{"smsOptIn":0.5,"rates":{"aB":0.10}}}}`:         `{"file":{"settings":{"rates":{"aB":0.10},"sms-opt-in":0.5}}}`,
		`{"created_at":"x","file":{"world_version":2,"settings":{"sms":1}}}`: `{"created_at":"x","file":{"settings":{"sms":1},"world_version":2}}`,
	} {
		if got, err := store.SnakeCase([]byte(old)); err != nil || string(got) != want {
			t.Errorf("%s becomes %s, %v; want %s", old, got, err, want)
		}
	}
	for _, damaged := range []string{``, `{`, `[]`, `{"file":5}`} {
		if got, err := store.SnakeCase([]byte(damaged)); err == nil {
			t.Errorf("%s becomes %s", damaged, got)
		}
	}
}
