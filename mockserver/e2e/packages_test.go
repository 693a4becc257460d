package e2e_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// readYAML reads the documents of a file in packages/ci.
func readYAML(t *testing.T, name string) (documents []map[string]any) {
	t.Helper()
	file := must.Get(os.Open("../packages/ci/" + name))(t)
	defer file.Close()
	for decoder := yaml.NewDecoder(file); ; {
		var document map[string]any
		if decoder.Decode(&document) != nil {
			break
		}
		documents = append(documents, document)
	}
	if len(documents) == 0 {
		t.Fatalf("%s is empty", name)
	}
	return documents
}

// inside takes a value of a document, by the names and numbers of its members.
func inside[T any](t *testing.T, value any, path ...any) T {
	t.Helper()
	for _, step := range path {
		switch step := step.(type) {
		case string:
			value = value.(map[string]any)[step]
		case int:
			value = value.([]any)[step]
		}
	}
	found, ok := value.(T)
	if !ok {
		t.Fatalf("%v is %v", path, value)
	}
	return found
}

// releases is a site with a release of the program, whose archive is damaged if it should be.
func releases(t *testing.T, damaged bool) string {
	t.Helper()
	content := must.Get(os.ReadFile(program))(t)
	var archive bytes.Buffer
	zipped, _ := gzip.NewWriterLevel(&archive, gzip.BestSpeed)
	packed := tar.NewWriter(zipped)
	must.Do(t, packed.WriteHeader(&tar.Header{Name: "rehearsal", Mode: 0o755, Size: int64(len(content))}))
	packed.Write(content)
	packed.Close()
	zipped.Close()
	name := fmt.Sprintf("rehearsal_1.2.3_%s_%s.tar.gz", runtime.GOOS, runtime.GOARCH)
	sums := fmt.Sprintf("%x  %s\n%x  other.zip\n", sha256.Sum256(archive.Bytes()), name, sha256.Sum256(nil))
	if damaged {
		archive.WriteByte(0)
	}
	site := http.NewServeMux()
	site.HandleFunc("GET /v1.2.3/"+name, func(w http.ResponseWriter, _ *http.Request) { w.Write(archive.Bytes()) })
	site.HandleFunc("GET /v1.2.3/SHA256SUMS", func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte(sums)) })
	s := httptest.NewServer(site)
	t.Cleanup(s.Close)
	return s.URL
}

// TestCI runs what the action and the template run on a machine of a CI host: they start a mock for the steps that follow, and do not
// start what is not what was released.
func TestCI(t *testing.T) {
	for _, tool := range []string{"bash", "curl", "sha256sum"} {
		if _, err := exec.LookPath(tool); err != nil {
			testlevel.Unavailable(t, "the scripts need "+tool)
		}
	}
	action := inside[map[string]any](t, readYAML(t, "action.yml")[0])
	step := inside[map[string]any](t, action, "runs", "steps", 0)
	template := inside[map[string]any](t, readYAML(t, "gitlab.yml")[0], ".rehearsal")
	for _, c := range []struct {
		about, shell, script string
		environment          map[string]any
		set                  map[string]string // by who uses it
		address              string            // where the script leaves the address
	}{
		{
			"GitHub", "bash", inside[string](t, step, "run"), inside[map[string]any](t, step, "env"),
			map[string]string{"VERSION": "1.2.3", "RELEASES": "", "FLAGS": inside[string](t, action, "inputs", "flags", "default")},
			"REHEARSAL_URL=$(sed -n s/^REHEARSAL_URL=//p \"$GITHUB_ENV\")",
		},
		{
			"GitLab", "sh", inside[string](t, template, "before_script", 0), inside[map[string]any](t, template, "variables"),
			map[string]string{"REHEARSAL_VERSION": "1.2.3", "REHEARSAL_RELEASES": "",
				"REHEARSAL_SERVE": inside[string](t, template, "variables", "REHEARSAL_SERVE")}, ":",
		},
	} {
		for _, damaged := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, damaged %t", c.about, damaged), func(t *testing.T) {
				t.Parallel()
				folder := t.TempDir()
				run := exec.CommandContext(t.Context(), c.shell, "-c", c.script+"\n"+c.address+"\necho \"address $REHEARSAL_URL\"")
				run.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + folder, "TMPDIR=" + folder, "RUNNER_TEMP=" + folder}
				for _, file := range []string{"OUTPUT", "ENV", "PATH"} {
					run.Env = append(run.Env, "GITHUB_"+file+"="+filepath.Join(folder, file))
				}
				must.Equal(t, len(c.environment), len(c.set), "the length of the environment %v, set is %v", c.environment, c.set)
				for name, value := range c.set {
					if strings.HasSuffix(name, "RELEASES") {
						value = releases(t, damaged)
					}
					if _, known := c.environment[name]; !known {
						t.Errorf("it knows no %s", name)
					}
					run.Env = append(run.Env, name+"="+value)
				}
				out, err := run.CombinedOutput()
				if damaged {
					must.Hold(t, err != nil && strings.Contains(string(out), "FAILED"), "a damaged archive: %v\n%s", err, out)
					return
				}
				found := regexp.MustCompile(`(?m)^address (http\S+)$`).FindSubmatch(out)
				if err != nil || found == nil {
					t.Fatalf("%v\n%s", err, out)
				}
				stopAtEnd(t, folder)
				address := string(found[1])
				response, err := http.Post(address+"/1.0/anything/export/userbase", "application/json", strings.NewReader(`{"ids":["custom_id"]}`))
				if err != nil {
					t.Fatal(err)
				}
				if response.Body.Close(); response.StatusCode != http.StatusUnauthorized { // no header, but a server that looks for one
					t.Errorf("%s", response.Status)
				}
			})
		}
	}
}

// stopAtEnd ends the server whose ready file is somewhere in a folder.
func stopAtEnd(t *testing.T, folder string) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(folder, "*", "ready.json"))
	if err != nil || len(found) != 1 {
		t.Fatalf("%v %v", found, err)
	}
	text, err := os.ReadFile(found[0])
	var ready struct{ Process int }
	if err == nil {
		err = json.Unmarshal(text, &ready)
	}
	if err != nil || ready.Process == 0 {
		t.Fatalf("%s: %v", text, err)
	}
	t.Cleanup(func() {
		syscall.Kill(ready.Process, syscall.SIGTERM)
	})
}

// TestManifests runs the program as the files for Compose and Kubernetes run it, but for where it listens, and asks what their health
// checks ask. No container engine and no cluster has a part in it.
func TestManifests(t *testing.T) {
	for _, name := range []string{"compose.yaml", "compose.replicas.yaml", "kubernetes.yaml"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			environment, probes := map[string]string{}, []string{"/_mock/ready"}
			var arguments []any
			if documents := readYAML(t, name); name == "kubernetes.yaml" {
				container := inside[map[string]any](t, documents[1], "spec", "template", "spec", "containers", 0)
				arguments = inside[[]any](t, container, "args")
				for _, each := range inside[[]any](t, container, "env") {
					value, _ := each.(map[string]any)["value"].(string)
					environment[inside[string](t, each, "name")] = value
				}
				secret := inside[map[string]any](t, documents[0], "stringData")
				reference := inside[string](t, container, "env", 2, "valueFrom", "secretKeyRef", "key")
				environment["REHEARSAL_CONTROL_TOKEN"] = inside[string](t, secret, reference)
				probes = []string{inside[string](t, container, "readinessProbe", "httpGet", "path"),
					inside[string](t, container, "livenessProbe", "httpGet", "path")}
			} else {
				mock := inside[map[string]any](t, documents[0], "services", "mock")
				arguments = inside[[]any](t, mock, "command")
				for variable, value := range inside[map[string]any](t, mock, "environment") {
					environment[variable] = value.(string)
				}
				check := inside[[]any](t, mock, "healthcheck", "test")
				must.Equal(t, fmt.Sprint(check), "[CMD /rehearsal health]", "the health check")
			}
			if arguments[0] != "serve" {
				t.Fatalf("it runs %v", arguments)
			}
			known := must.Get(os.ReadFile("../../docs/reference/commands.md"))(t)
			flags := []string{}
			for variable, value := range environment {
				flag := "--" + strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(variable, "REHEARSAL_")), "_", "-")
				if !bytes.Contains(known, []byte("| `"+flag+"` |")) {
					t.Fatalf("%s sets no flag", variable)
				}
				if strings.HasPrefix(value, "postgres:") {
					value = "memory"
				}
				if variable != "REHEARSAL_ADDR" {
					flags = append(flags, flag, value)
				}
			}
			for _, argument := range arguments[1:] {
				flags = append(flags, argument.(string))
			}
			s := start(t, flags...)
			for _, probe := range probes {
				response, err := http.Get(s.base + probe) // without the token
				if err != nil {
					t.Fatal(err)
				}
				if response.Body.Close(); response.StatusCode != http.StatusOK {
					t.Errorf("%s: %s", probe, response.Status)
				}
			}
			if out, err := exec.CommandContext(t.Context(), program, "health", "--addr",
				strings.TrimPrefix(s.base, "http://")).CombinedOutput(); err != nil {
				t.Errorf("health: %v: %s", err, out)
			}
		})
	}
}
