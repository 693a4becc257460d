package proof

import (
	"bufio"
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/actions/actionsjson"
	"github.com/rehearsal-sdk/rehearsal/actions/actionstest"
)

// Runner is a program that does the steps of vectors with the bindings. It reads one JSON object a line and answers each with one:
//
//	{"op": "new", "host": {...}}      a new registry with a recording host; answers {}
//	{"op": "do", "step": {...}}       does a step; answers {"answer": {...}}, or {"task": n} when there is none yet
//	{"op": "look", "task": n}         answers {"answer": {...}}, or {} when there is none yet
//	{"op": "turn"}                    lets one thing happen that was left for later; answers {"turned": bool}
//	{"op": "effects"}                 answers {"effects": [...]}
//
// Hosts, steps, answers and effects are those of package actionstest, in JSON; the arguments and the payload of a step are texts.
type Runner struct {
	t   testing.TB
	in  io.Writer
	out *bufio.Reader
}

// Start starts a runner, which ends with the test.
func Start(t testing.TB, c Command) *Runner {
	t.Helper()
	command := exec.Command(c.Name, c.Arguments...)
	command.Env = append(command.Environ(), c.Environment...)
	var complaint strings.Builder
	command.Stderr = &complaint
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		if err := command.Wait(); err != nil {
			t.Errorf("%s: %v\n%s", c.Name, err, complaint.String())
		}
		complainJNI(t, complaint.String())
	})
	return &Runner{t, in, bufio.NewReaderSize(out, 1<<20)}
}

func (r *Runner) ask(t testing.TB, request map[string]any) map[string]any {
	t.Helper()
	line, err := actionsjson.Append(nil, request)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.in.Write(append(line, '\n')); err != nil {
		t.Fatalf("the runner does not read any more: %v", err)
	}
	answer, err := r.out.ReadBytes('\n')
	if err != nil {
		t.Fatalf("the runner does not answer %s: %v", line, err)
	}
	value, err := actionsjson.Decode(answer)
	if err != nil {
		t.Fatalf("the runner answers %s: %v", answer, err)
	}
	object, _ := value.(map[string]any)
	if message, failed := object["failure"]; failed {
		t.Fatalf("the runner failed at %s: %v", line, message)
	}
	return object
}

// Subject makes a registry in the runner. There is one at a time.
func (r *Runner) Subject(spec actionstest.HostSpec) actionstest.Subject {
	refuse := map[string]any{}
	for capability, how := range spec.Refuse {
		refuse[capability] = how
	}
	r.ask(r.t, map[string]any{"op": "new", "host": map[string]any{
		"platform": spec.Platform, "version": spec.Version, "notifications": spec.Notifications, "tracking": spec.Tracking,
		"interceptor": spec.Interceptor, "without": spec.Without, "refuse": refuse,
	}})
	return remote{r}
}

type remote struct{ *Runner }

func (r remote) Do(step actionstest.Step) func() map[string]any {
	answer := r.ask(r.t, map[string]any{"op": "do", "step": map[string]any{
		"do": step.Do, "subject": step.Subject, "handler": step.Handler, "as": step.As, "kind": step.Source.Kind,
		"arguments": r.text(step.Arguments), "payload": r.text(step.Source.Payload),
	}})
	return func() map[string]any {
		if object, ok := answer["answer"].(map[string]any); ok {
			return object
		}
		answer["answer"] = r.ask(r.t, map[string]any{"op": "look", "task": answer["task"]})["answer"]
		object, _ := answer["answer"].(map[string]any)
		return object
	}
}

// text gives arguments as JSON, and "" for none. They cross as text because they may be nested as deeply as JSON here may be.
func (r remote) text(arguments map[string]any) string {
	if arguments == nil {
		return ""
	}
	text, err := actionsjson.Append(nil, arguments)
	if err != nil {
		r.t.Fatal(err)
	}
	return string(text)
}

func (r remote) Turn() bool { return r.ask(r.t, map[string]any{"op": "turn"})["turned"] == true }

func (r remote) Effects() []actionstest.Effect {
	list, _ := r.ask(r.t, map[string]any{"op": "effects"})["effects"].([]any)
	effects := make([]actionstest.Effect, len(list))
	for i, effect := range list {
		effects[i], _ = effect.(map[string]any)
	}
	return effects
}
