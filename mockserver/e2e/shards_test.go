package e2e_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestShardsManifest runs the pieces of the job in kubernetes-shards.yaml as a cluster does, each with its index, but for a smaller
// population: joined, they are the file.
func TestShardsManifest(t *testing.T) {
	t.Parallel()
	job := readYAML(t, "kubernetes-shards.yaml")[0]
	if mode := inside[string](t, job, "spec", "completionMode"); mode != "Indexed" {
		t.Fatalf("the job is %s", mode)
	}
	container := inside[map[string]any](t, job, "spec", "template", "spec", "containers", 0)
	directory := t.TempDir()
	run := func(index int, drop ...string) {
		t.Helper()
		var words []string
		for _, each := range inside[[]any](t, container, "args") {
			word := strings.ReplaceAll(each.(string), "$(JOB_COMPLETION_INDEX)", fmt.Sprint(index))
			word = strings.Replace(word, "/files/", directory+"/", 1)
			if word == "100000000" {
				word = "20000"
			}
			words = append(words, word)
		}
		if len(drop) > 0 {
			for i, word := range words {
				if word == "--shard" {
					words = append(words[:i:i], words[i+2:]...)
					break
				}
			}
			words[len(words)-1] = drop[0]
		}
		if out, err := exec.CommandContext(t.Context(), program, words...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v: %s", words, err, out)
		}
	}
	merge := []string{"merge"}
	for index := range inside[int](t, job, "spec", "completions") {
		run(index)
		merge = append(merge, filepath.Join(directory, fmt.Sprintf("userbase-%d.csv", index)))
	}
	joined, err := exec.CommandContext(t.Context(), program, merge...).Output()
	if err != nil {
		t.Fatalf("%v: %v", merge, err)
	}
	whole := filepath.Join(directory, "whole.csv")
	run(0, whole)
	want, err := os.ReadFile(whole)
	if err != nil || len(want) < 100_000 {
		t.Fatalf("the file has %d bytes: %v", len(want), err)
	}
	if !bytes.Equal(joined, want) {
		t.Errorf("the shards give %d bytes, the file has %d", len(joined), len(want))
	}
}
