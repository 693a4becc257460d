package actions

import (
	"slices"
	"sync"
	"sync/atomic"
)

const (
	groupName = "service.group"
	// maxItems is how many actions a group may hold. (Actions module, section 8.)
	maxItems = 10
)

// checkGroup checks the shape of a group before anything runs; what is wrong with an item's arguments is the item's affair.
func checkGroup(in *input) {
	list, _ := in.arguments["actions"].([]any)
	if len(list) > maxItems {
		in.refuse("/actions", say("argument $ has ? items, at most ? are allowed", "actions", decimal(len(list)), decimal(maxItems)))
	}
	for i, item := range list[:min(len(list), maxItems+1)] { // a longer one is refused anyway
		in.checkItem(i, item)
	}
}

// checkItem checks one pair.
func (in *input) checkItem(i int, item any) {
	at := func(part string) string { return say("/actions/??", decimal(i), part) } // most are not at fault
	pair, _ := item.([]any)
	if len(pair) != 2 {
		in.refuse(at(""), say("? is ?, a pair of an identifier and an object is required", at(""), describe(item)))
		return
	}
	identifier, isText := pair[0].(string)
	arguments, isObject := pair[1].(map[string]any)
	isGroup := fold(identifier) == groupName
	if !isText {
		in.refuse(at("/0"), say("? is ?, an identifier is required", at("/0"), describe(pair[0])))
	} else if isGroup {
		in.refuse(at("/0"), say("? is a group, which a group must not contain", at("/0")))
	}
	if !isObject {
		in.refuse(at("/1"), say("? is ?, an object is required", at("/1"), describe(pair[1])))
	}
	if !in.deep || !isText || !isObject || isGroup {
		return
	}
	if known := in.registry.builtinNamed(identifier); known != nil {
		item := input{registry: in.registry, host: in.host, arguments: arguments, prefix: in.prefix + at("/1"), deep: true}
		item.read(known)
		in.problems = append(in.problems, item.problems...)
	} else if in.registry.Lookup(identifier) == nil {
		in.problems = append(in.problems, Problem{in.prefix + at("/0"), StatusNotFound, in.registry.notFound(identifier)})
	}
}

// group runs its items one after the other, each when the one before has finished.
func group(x *execution) {
	list, _ := x.arguments["actions"].([]any)
	g := &groupRun{x: x, items: list, results: make([]Result, 0, len(list))}
	x.mutex.Lock()
	x.interrupt = g.cancel
	x.mutex.Unlock()
	g.run()
}

// groupRun is a group under way.
type groupRun struct {
	x     *execution
	items []any
	// canceled stops the group: nothing further is begun.
	canceled atomic.Bool
	current  atomic.Pointer[Task]
	// waiting is set while what comes next waits for its turn. Who takes it back goes on.
	waiting atomic.Bool
	// away is set while items are begun that nobody waits for on this goroutine: whoever cancels need not wait for them either.
	away atomic.Bool

	mutex   sync.Mutex
	results []Result // of the items that have finished
}

// run runs the items that are left, until one does not finish at once: that one calls proceed when it has finished.
func (g *groupRun) run() {
	for i := g.finished(); i < len(g.items) && !g.canceled.Load(); i++ {
		var result Result
		if task := g.begin(i, &result); task == nil {
			g.add(result)
		} else if !g.await(task) {
			return
		}
	}
	g.finish()
}

func (g *groupRun) finished() int {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	return len(g.results)
}

func (g *groupRun) add(result Result) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.results = append(g.results, result)
}

// begin begins one item.
func (g *groupRun) begin(i int, result *Result) *Task {
	pair, _ := g.items[i].([]any)
	call := Call{Source: g.x.source, Depth: g.x.depth + 1, Owned: true, item: i + 1}
	call.Identifier, _ = pair[0].(string)
	call.Arguments, _ = pair[1].(map[string]any)
	return g.x.registry.begin(&call, nil, result)
}

// await adds the result of an item that takes its time. It gives false when the group goes on without its caller.
func (g *groupRun) await(task *Task) bool {
	g.current.Store(task)
	if g.canceled.Load() {
		task.Cancel()
	}
	// The one that comes second goes on: the caller when the item has finished meanwhile, the item otherwise.
	var met atomic.Bool
	task.Then(func(result Result) {
		g.add(result)
		if met.Swap(true) {
			g.proceed()
		}
	})
	return met.Swap(true)
}

// proceed goes on after a wait. The end is only state; the next item is the app's and has to wait for its turn, in which the group
// may be canceled.
func (g *groupRun) proceed() {
	if g.finished() == len(g.items) || g.canceled.Load() {
		g.finish()
		return
	}
	g.waiting.Store(true)
	if g.canceled.Load() && g.waiting.Swap(false) {
		g.finish()
		return
	}
	g.x.registry.goOn(Step{func() {
		if g.waiting.Swap(false) {
			g.away.Store(true)
			g.run()
			g.away.Store(false)
		}
	}, g.abandon})
}

// cancel stops the item that is under way; no further one is begun.
func (g *groupRun) cancel() {
	g.canceled.Store(true)
	if task := g.current.Load(); task != nil {
		task.Cancel()
	}
	if g.waiting.Swap(false) {
		g.finish()
	} else if g.away.Load() {
		g.end(Result{Status: StatusCanceled, Message: unfinished})
	}
}

// abandon ends the group because the item that it is at does not come back.
func (g *groupRun) abandon(err error) {
	g.canceled.Store(true)
	g.waiting.Store(false)
	g.end(failedBy(err))
}

// finish ends the group with the results of its items.
func (g *groupRun) finish() { g.end(Result{Status: StatusCanceled, Message: notBegun}) }

const notBegun = "not begun: the group was canceled"

// end ends the group. The item that it is at, if any, has the result that is given, those after it were not begun.
func (g *groupRun) end(at Result) {
	g.mutex.Lock()
	results := slices.Clone(g.results)
	g.mutex.Unlock()
	count := 0
	for _, item := range results {
		if item.Performed() {
			count++
		}
	}
	result := Result{Status: StatusPerformed}
	if count < len(g.items) {
		result.refuse(StatusPartial, say("? of ? items were performed", decimal(count), decimal(len(g.items))))
		if g.canceled.Load() && at.Status == StatusCanceled {
			result.Status = StatusCanceled
		}
	}
	for len(results) < len(g.items) {
		results = append(results, at)
		at = Result{Status: StatusCanceled, Message: notBegun}
	}
	result.Items = results
	g.x.settle(result)
}
