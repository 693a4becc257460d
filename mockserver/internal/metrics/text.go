package metrics

import (
	"bytes"
	"math"
	"strconv"
	"strings"
)

// ContentType is the media type of what a [Writer] writes.
const ContentType = "text/plain; version=0.0.4; charset=utf-8"

// Writer writes metrics as text. See docs/decisions/server.md#why-no-prometheus-library
type Writer struct {
	buffer bytes.Buffer
}

// Label is a name and its value.
type Label struct {
	Name, Value string
}

var (
	helpEscapes  = strings.NewReplacer(`\`, `\\`, "\n", `\n`)
	labelEscapes = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)
)

// Family begins a metric: its samples have to follow. The kind is counter, gauge or histogram.
func (w *Writer) Family(name, kind, help string) {
	w.buffer.WriteString("# HELP " + name + " " + helpEscapes.Replace(help) + "\n# TYPE " + name + " " + kind + "\n")
}

// Sample writes one value.
func (w *Writer) Sample(name string, value float64, labels ...Label) {
	w.buffer.WriteString(name)
	for i, label := range labels {
		separator := ","
		if i == 0 {
			separator = "{"
		}
		w.buffer.WriteString(separator + label.Name + `="` + labelEscapes.Replace(strings.ToValidUTF8(label.Value, "\uFFFD")) + `"`)
	}
	if len(labels) > 0 {
		w.buffer.WriteByte('}')
	}
	w.buffer.WriteString(" " + number(value) + "\n")
}

// Value writes a metric that is one number.
func (w *Writer) Value(name, kind, help string, value float64) {
	w.Family(name, kind, help)
	w.Sample(name, value)
}

// Bytes is what was written.
func (w *Writer) Bytes() []byte { return w.buffer.Bytes() }

func number(value float64) string {
	switch {
	case math.IsInf(value, 1):
		return "+Inf"
	case math.IsInf(value, -1):
		return "-Inf"
	}
	return strconv.FormatFloat(value, 'g', -1, 64)
}
