package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// rowsVariable is the environment variable of TestWorldsAreCoherent: how many rows to check. `make soak` sets it.
const rowsVariable = "TEST_ROWS"

func numberFrom(t *testing.T, variable string, otherwise int64) int64 {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	value, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t.Fatalf("%s is %q; it must be a number", variable, text)
	}
	return value
}

// TestWorldsAreCoherent makes files of random requests in random worlds with random settings until there are enough rows, and has the
// program check each set of files. Over all worlds, every rule is really checked. Each world follows from a seed of its own.
func TestWorldsAreCoherent(t *testing.T) {
	t.Parallel()
	wanted := numberFrom(t, rowsVariable, int64(testlevel.Count(1, 150_000, 1_000_000)))
	seed := testlevel.Seed(t)
	held := map[string]int64{}
	rows, worlds, failed := int64(0), 0, 0
	for ; rows < wanted && failed < 5; worlds++ {
		var summary checkSummary
		number := seed + uint64(worlds)
		if !t.Run(strconv.FormatUint(number, 10), func(t *testing.T) { summary = checkWorld(t, rand.New(rand.NewPCG(number, 0))) }) {
			t.Logf("the same world: TEST_SEED=%d %s=1 go test -count=1 -run 'TestWorldsAreCoherent$' ./mockserver/e2e", number, rowsVariable)
			failed++
		}
		for _, file := range summary.Files {
			rows += file.Rows
		}
		for _, rule := range summary.Rules {
			held[rule.Rule] += rule.Checked
		}
	}
	t.Logf("%d rows in %d worlds", rows, worlds)
	for rule, checks := range held {
		if checks == 0 && wanted >= 1_000_000 && !t.Failed() {
			t.Errorf("%s was never checked", rule)
		}
	}
}

// checkSummary is what `mockserver check --format json` prints last.
type checkSummary struct {
	Files []struct {
		Name, Kind string
		Rows       int64
	}
	Rules []struct {
		Rule, Outcome       string
		Checked, Violations int64
	}
}

// checkWorld makes one set of files, all kinds of one world, and checks them.
func checkWorld(t *testing.T, random *rand.Rand) checkSummary {
	t.Helper()
	directory := must.Get(os.MkdirTemp(t.TempDir(), "world-"))(t)
	defer os.RemoveAll(directory)
	now := time.Date(2024, 10, 20, 0, 0, 0, 0, time.UTC).Add(time.Duration(random.Int64N(4*365*86400)) * time.Second)
	world := []string{
		"--world", "texture=" + []string{"tidy", "realistic", "hostile"}[random.IntN(3)],
		"--seed", strconv.FormatUint(random.Uint64(), 10), "--now", zoned(now),
		"--profiles", strconv.FormatInt([]int64{1, 50, 1000, 4000, 8000}[random.IntN(5)], 10),
	}
	arrives := "arrival=" + arrivalOf(random)
	world = append(append(world, settingsOf(random)...), "--world", arrives)
	from := now.Add(-time.Duration(1+random.Int64N(90*86400-1)) * time.Second)
	middle := from.Add(time.Duration(random.Int64N(int64(now.Sub(from))/1e9+1)) * time.Second)
	parted := kinds[random.IntN(len(kinds))].name
	check := []string{"check", "--format", "json", "--now", zoned(now), "--world", arrives, "--memory", strconv.Itoa(1 + random.IntN(24)),
		"--temporary", directory}
	told := random.IntN(2) == 0 // whether the check is told of windows and moments
	var story []string
	for _, k := range kinds {
		for _, campaign := range campaignsOf(k) {
			windows := [][2]time.Time{{from, now}}
			if k.windowed && k.name == parted {
				windows = append(windows, [2]time.Time{from, middle}, [2]time.Time{middle, now})
			}
			lists := listsOf(k, random)
			for i, window := range windows {
				name := filepath.Join(directory, fmt.Sprintf("%s %s %d", k.name, campaign, i))
				arguments := append([]string{"generate", "--kind", k.name, "--token", tokenOr(campaign), "--out", name}, world...)
				if k.windowed {
					date := legacy
					if !k.legacy {
						date = zoned
					}
					arguments = append(arguments, "--from", date(window[0]), "--to", date(window[1]))
					if told {
						check = append(check, "--window", name+"="+zoned(window[0])+"/"+zoned(window[1]))
					}
				} else if told {
					check = append(check, "--window", name+"="+zoned(now))
				}
				arguments = append(arguments, lists...)
				story = append(story, quoted(arguments))
				if out, err := exec.Command(program, arguments...).CombinedOutput(); err != nil {
					t.Fatalf("%s: %v\n%s", story[len(story)-1], err, out)
				}
				if campaign != "" {
					check = append(check, "--campaign", name+"="+campaign)
				}
				check = append(check, "--kind", name+"="+k.name, name)
			}
		}
	}
	var out, complaint bytes.Buffer
	command := exec.Command(program, check...)
	command.Stdout, command.Stderr = &out, &complaint
	if err := command.Run(); err != nil {
		t.Errorf("the files of these commands break a rule:\n%s\n%s\n%.6000s\n%s", strings.Join(story, "\n"), quoted(check), out.String(),
			complaint.String())
	}
	lines := bytes.Split(bytes.TrimSpace(out.Bytes()), []byte("\n"))
	var last struct{ Summary checkSummary }
	if err := json.Unmarshal(lines[len(lines)-1], &last); err != nil {
		t.Fatalf("no summary: %v\n%s", err, out.String())
	}
	return last.Summary
}

// campaignsOf are the campaigns whose files are made of a kind.
func campaignsOf(k kind) []string {
	if strings.Contains(k.name, "campaign") || strings.Contains(k.name, "transactional") {
		return []string{"welcome", "farewell"}
	}
	return []string{""}
}

func tokenOr(campaign string) string {
	if campaign == "" {
		return "none"
	}
	return campaign
}

// listsOf leaves some of what can be asked for out, now and then.
func listsOf(k kind, random *rand.Rand) (flags []string) {
	some := func(flag string, all []string) {
		if len(all) == 0 || random.IntN(3) > 0 {
			return
		}
		var chosen []string
		for _, item := range all {
			if random.IntN(3) > 0 {
				chosen = append(chosen, item)
			}
		}
		if len(chosen) > 0 {
			flags = append(flags, flag, strings.Join(chosen, ","))
		}
	}
	switch {
	case k.name == "profiles.reachability":
		some("--channels", k.events)
		some("--identifiers", k.ids)
	case k.legacy:
		some("--events", k.events)
		some("--ids", k.ids)
	case k.name == "profiles.attributes":
		some("--attributes", nativeAttributes)
		some("--identifiers", k.ids)
		if random.IntN(3) == 0 {
			flags = append(flags, "--segment", []string{"gold", "silver"}[random.IntN(2)])
		}
	default:
		some("--events", k.events)
		some("--identifiers", k.ids)
	}
	return flags
}

// TestMemoryOfCheck checks a million rows, at night three, which are far more than are sorted at once, and reads from the kernel how much
// memory that took.
func TestMemoryOfCheck(t *testing.T) {
	if runtime.GOOS != "linux" {
		testlevel.Unavailable(t, "the peak memory of another process is in kB only on Linux")
	}
	const limit = 256 << 10 // kB
	count := testlevel.Count(0, 1_000_000, 3_000_000)
	if count == 0 {
		t.Log("a million rows are for a change")
		return
	}
	file := filepath.Join(t.TempDir(), "events.csv")
	out, err := exec.Command(program, "generate", "--kind", "in-app-campaign.events", "--profiles", fmt.Sprint(count/2*5), "--rows",
		fmt.Sprint(count),
		"--from", legacy(noon.AddDate(0, 0, -80)), "--now", zoned(noon), "--out", file).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	command := exec.Command(program, "check", "--now", zoned(noon), "--temporary", t.TempDir(), file)
	var said bytes.Buffer
	command.Stdout, command.Stderr = &said, &said
	must.Do(t, command.Start())
	ended := make(chan error)
	go func() { ended <- command.Wait() }()
	// The resource usage of the ended process would not do: it begins with what the process that started it used.
	peak, looks := 0, time.NewTicker(5*time.Millisecond)
	defer looks.Stop()
	for running := true; running; {
		select {
		case err = <-ended:
			running = false
		case <-looks.C:
			if status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", command.Process.Pid)); err == nil {
				peak = max(peak, peakOf(string(status)))
			}
		}
	}
	if err != nil || !bytes.Contains(said.Bytes(), fmt.Appendf(nil, "%d rows", count)) {
		t.Fatalf("%v\n%s", err, &said)
	}
	t.Logf("%d kB of memory at the most", peak)
	if peak == 0 {
		t.Fatal("the memory of the check could not be read while it ran")
	}
	must.Hold(t, peak <= limit, "the check used %d kB of memory, at most %d kB are allowed", peak, limit)
}
