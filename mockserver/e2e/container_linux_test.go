package e2e_test

import (
	"debug/elf"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// image is what the last stage of the Containerfile makes.
type image struct {
	environment               []string
	copies                    [][2]string // from the stage before, to
	user, group               uint32
	owned                     []string // directories of the user
	directory                 string
	entrypoint, command, asks []string
}

// readImage reads the Containerfile, in which no instruction is more than this reads.
func readImage(t *testing.T) (made image) {
	t.Helper()
	text := must.Get(os.ReadFile("../../Containerfile"))(t)
	_, stage, found := strings.Cut(string(text), "\nFROM scratch\n")
	if !found {
		t.Fatal("the last stage of the Containerfile is not made from scratch")
	}
	list := func(text string) (words []string) {
		if err := json.Unmarshal([]byte(text), &words); err != nil {
			t.Fatalf("%s: only a list begins a program where there is no shell: %v", text, err)
		}
		return words
	}
	for line := range strings.Lines(stage) {
		instruction, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		words := strings.Fields(rest)
		switch instruction {
		case "", "#", "VOLUME", "EXPOSE":
		case "ENV":
			made.environment = append(made.environment, words...)
		case "COPY":
			to := words[len(words)-1]
			made.copies = append(made.copies, [2]string{words[len(words)-2], to})
			if strings.Contains(rest, "--chown=") {
				made.owned = append(made.owned, to)
			}
		case "USER":
			user, group, _ := strings.Cut(rest, ":")
			for text, into := range map[string]*uint32{user: &made.user, group: &made.group} {
				number, err := strconv.ParseUint(text, 10, 32)
				if err != nil || number == 0 {
					t.Fatalf("USER %s: a number that is not root is needed where there are no names", rest)
				}
				*into = uint32(number)
			}
		case "WORKDIR":
			made.directory = rest
		case "HEALTHCHECK":
			_, command, _ := strings.Cut(rest, "CMD ")
			made.asks = list(command)
		case "ENTRYPOINT":
			made.entrypoint = list(rest)
		case "CMD":
			made.command = list(rest)
		default:
			t.Fatalf("what does %s do in the last stage?", instruction)
		}
	}
	return made
}

// TestComposeFilesAskAsTheImageDoes: an application starts when the health check of the file says so, which runs in the image.
func TestComposeFilesAskAsTheImageDoes(t *testing.T) {
	asks := strings.Join(readImage(t).asks, ", ")
	files, err := filepath.Glob("../packages/ci/compose*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("%q, %v", files, err)
	}
	for _, file := range files {
		text := must.Get(os.ReadFile(file))(t)
		must.Hold(t, strings.Contains(string(text), "[CMD, "+asks), "%s asks in another way than the image, with %s", file, asks)
	}
}

// TestContainer runs the program as the image would: in a root directory with what the Containerfile copies there and nothing
// else, as its user, with its variables. What no test here can do is build the image: its base images are not to be had.
func TestContainer(t *testing.T) {
	made := readImage(t)
	if os.Geteuid() != 0 {
		testlevel.Unavailable(t, "a root directory of its own needs root")
	}
	binary := must.Get(elf.Open(program))(t)
	libraries, err := binary.ImportedLibraries()
	binary.Close()
	if err != nil || len(libraries) > 0 {
		t.Fatalf("the program is not static: it needs %v, %v", libraries, err)
	}
	root := made.unpack(t)
	contained := func(port string, words ...string) *exec.Cmd {
		command := exec.Command(words[0], words[1:]...)
		command.Env = append([]string{"REHEARSAL_PORT=" + port, "REHEARSAL_CONTROL_TOKEN=secret", "REHEARSAL_PROFILES=50"}, made.environment...)
		command.Dir = made.directory
		command.SysProcAttr = &syscall.SysProcAttr{Chroot: root, Credential: &syscall.Credential{Uid: made.user, Gid: made.group}}
		return command
	}
	// A free port, as that of the image may be taken on this machine.
	s := launchCommand(t, contained("0", append(made.entrypoint, made.command...)...))
	s.await(t)
	port := s.base[strings.LastIndexByte(s.base, ':')+1:]
	s.base = "http://127.0.0.1:" + port
	if out, err := contained(port, made.asks...).CombinedOutput(); err != nil || string(out) != "ready\n" {
		t.Errorf("the health check says %q, %v\n%s", out, err, s.log)
	}
	c := clientOf(t, s)
	if page := c.send("GET", "/", ""); page.Status != http.StatusOK || !strings.Contains(string(page.Body), "the page") {
		t.Errorf("the page: %d %s", page.Status, page.Body)
	}
	if clock := c.send("GET", "/_mock/clock", ""); clock.Status != http.StatusUnauthorized {
		t.Errorf("the clock, without the token: %d %s", clock.Status, clock.Body)
	}
	must.Equal(t, s.interrupt(t), 0, "exit code:\n%s", s.log)
	if out, err := contained(port, made.asks...).CombinedOutput(); err == nil || !strings.Contains(string(out), "refused") {
		t.Errorf("the health check of a server that is gone says %q, %v", out, err)
	}
	if _, err := os.Stat(filepath.Join(root, "data", "rehearsal.db")); err != nil {
		t.Errorf("the state is not in the volume: %v", err)
	}
}

// unpack makes the root directory of the image.
func (made image) unpack(t *testing.T) string {
	t.Helper()
	root := must.Get(os.MkdirTemp("", "image-"))(t)
	t.Cleanup(func() { os.RemoveAll(root) })
	if err := os.Chmod(root, 0o755); err != nil { // for the user of the image
		t.Fatal(err)
	}
	binary := must.Get(os.ReadFile(program))(t)
	for _, copied := range made.copies {
		to := filepath.Join(root, copied[1])
		err := os.MkdirAll(filepath.Dir(to), 0o755)
		if err == nil {
			switch filepath.Base(copied[0]) {
			case "mockserver":
				err = os.WriteFile(to, binary, 0o755)
			case "web":
				err = errors.Join(os.Mkdir(to, 0o755), os.WriteFile(filepath.Join(to, "index.html"), []byte("<p>the page"), 0o644))
			case "empty":
				err = os.Mkdir(to, 0o755)
			case "LICENSE", "THIRD_PARTY_NOTICES", "sbom.cdx.json":
				var text []byte
				if text, err = os.ReadFile(filepath.Join("../..", filepath.Base(copied[0]))); err == nil {
					err = os.WriteFile(to, text, 0o644)
				}
			case "ca-certificates.crt":
				err = os.WriteFile(to, nil, 0o644)
			default:
				t.Fatalf("the image gets %s, of which this test knows nothing", copied[0])
			}
		}
		if err == nil && slices.Contains(made.owned, copied[1]) {
			err = os.Chown(to, int(made.user), int(made.group))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return root
}
