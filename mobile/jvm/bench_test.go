//go:build proof

package jvm_test

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mobile/internal/proof"
)

// BenchmarkPerform measures performs from Java; the numbers are medians of rounds that take turns.
func BenchmarkPerform(b *testing.B) {
	bridge := proof.NewBridge(b, "jvm", proof.Facade, proof.Trouble)
	dir := b.TempDir()
	proof.Compile(b, dir, []string{bridge.Classes}, proof.Sources(b, "bench", ".java"))
	headers := filepath.Join(proof.JavaHome(b), "include")
	bare := filepath.Join(dir, "libbare.so")
	proof.Run(b, proof.Command{Name: "gcc", Arguments: []string{"-O2", "-shared", "-fPIC", "-I" + headers,
		"-I" + filepath.Join(headers, "linux"),
		filepath.Join("bench", "bare.c"), "-o", bare}})
	for b.Loop() {
		b.Log(proof.Run(b, bridge.Java(nil, []string{dir, proof.ContextStub(b)}, "io.github.rehearsalsdk.proof.Numbers", bare)))
	}
}

// BenchmarkMemory measures what a million performs add to the memory of a process, with the JVM's own settings and with a small heap.
func BenchmarkMemory(b *testing.B) {
	bridge := proof.NewBridge(b, "jvm", proof.Facade, proof.Trouble)
	dir := b.TempDir()
	proof.Compile(b, dir, []string{bridge.Classes}, proof.Sources(b, "bench", ".java"))
	for b.Loop() {
		for _, flags := range [][]string{nil, {"-Xmx64m"}} {
			b.Log(proof.Run(b, bridge.Java(flags, []string{dir, proof.ContextStub(b)}, "io.github.rehearsalsdk.proof.Resident")))
		}
	}
}

// BenchmarkSize weighs the stripped library against one with a single empty function.
func BenchmarkSize(b *testing.B) {
	for b.Loop() {
		floor, floorZipped := weigh(b, proof.NewBridge(b, "floor", "./mobile/jvm/floor"))
		own, ownZipped := weigh(b, proof.NewBridge(b, "product", proof.Facade))
		b.Logf("stripped library: %.2f MB (%.2f MB zipped), with one empty function %.2f MB (%.2f MB): %.2fx (%.2fx), aim: at most 1.50x",
			own, ownZipped, floor, floorZipped, own/floor, ownZipped/floorZipped)
		b.ReportMetric(own/floor, "x-floor")
	}
}

func weigh(b *testing.B, bridge proof.Bridge) (size, zipped float64) {
	b.Helper()
	data := proof.Get(os.ReadFile(filepath.Join(bridge.Library, "libgojni.so")))(b)
	var out bytes.Buffer
	writer, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err == nil {
		_, err = writer.Write(data)
	}
	if err == nil {
		err = writer.Close()
	}
	if err != nil {
		b.Fatal(err)
	}
	return float64(len(data)) / 1e6, float64(out.Len()) / 1e6
}
