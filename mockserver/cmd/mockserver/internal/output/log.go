package output

import (
	"io"
	"log/slog"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/report"
)

// Log writes a log in the format text or json.
func Log(out io.Writer, format string, least slog.Level) *slog.Logger {
	options := &slog.HandlerOptions{Level: least}
	if format == "json" {
		return slog.New(slog.NewJSONHandler(report.SafeJSON{Writer: out}, options))
	}
	return slog.New(slog.NewTextHandler(out, options))
}
