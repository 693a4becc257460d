package actions

import "sync/atomic"

const (
	groupName = "service.group"
	// maxItems is how many actions a group may hold. (Actions module, section 8.)
	maxItems = 10
)

// group: service.group runs the pairs of `actions` one after the other, each when the one before has finished. Its own shape is
// checked before anything runs; what is wrong with an item's arguments is the item's affair.
func group(in *input) effect {
	list, ok := in.arguments["actions"].([]any)
	switch {
	case !ok:
		in.wrong("actions", "an array of at most "+decimal(maxItems)+" pairs")
	case len(list) > maxItems:
		in.refuse("/actions", `argument "actions" has `+decimal(len(list))+" items, at most "+decimal(maxItems)+" are allowed")
	}
	items := make([]Call, len(list))
	for i, item := range list {
		items[i] = in.groupItem(i, item)
	}
	return func(x *execution) {
		for i := range items {
			items[i].Source, items[i].Depth = x.source, x.depth+1
		}
		g := &groupRun{x: x, items: items, results: make([]Result, 0, len(items))}
		x.mutex.Lock()
		x.interrupt = g.cancel
		x.mutex.Unlock()
		g.run()
	}
}

func groupState(*Host) State { return StateAvailable }

// groupItem reads one pair.
func (in *input) groupItem(i int, item any) Call {
	at, called := "/actions/"+decimal(i), "item "+decimal(i)+` of argument "actions"`
	pair, ok := item.([]any)
	if !ok {
		in.refuse(at, called+" is "+describe(item)+", a pair of an identifier and an object is required")
		return Call{}
	}
	if len(pair) != 2 {
		in.refuse(at, called+" has "+decimal(len(pair))+" elements, a pair of an identifier and an object is required")
		return Call{}
	}
	identifier, ok := pair[0].(string)
	if !ok {
		in.refuse(at+"/0", "the identifier in "+called+" is "+describe(pair[0])+", a string is required")
	} else if fold(identifier) == groupName {
		in.refuse(at+"/0", called+" is a group itself, which is not allowed")
		ok = false
	}
	arguments, isObject := pair[1].(map[string]any)
	if !isObject {
		in.refuse(at+"/1", "the arguments in "+called+" are "+describe(pair[1])+", an object is required")
	}
	if in.deep && ok && isObject {
		in.checkItem(at, identifier, arguments)
	}
	return Call{Identifier: identifier, Arguments: arguments, item: i + 1, owned: true}
}

// checkItem notes what perform would refuse in an item.
func (in *input) checkItem(at, identifier string, arguments Arguments) {
	known := builtinNamed(identifier)
	if known == nil {
		if in.registry.Lookup(identifier) == nil {
			in.problems = append(in.problems, Problem{in.prefix + at + "/0", StatusNotFound, notFound(identifier).Message})
		}
		return
	}
	item := input{registry: in.registry, host: in.host, arguments: arguments, prefix: in.prefix + at + "/1", deep: true}
	known.prepare(&item)
	in.problems = append(in.problems, item.problems...)
}

// groupRun is a group under way.
type groupRun struct {
	x        *execution
	items    []Call
	results  []Result // of the items that have finished; only who runs the next item touches it
	current  atomic.Pointer[Task]
	canceled atomic.Bool
}

// run runs the items that are left, until one does not finish at once: that one calls run again when it has finished.
func (g *groupRun) run() {
	for len(g.results) < len(g.items) && !g.canceled.Load() {
		var result Result
		if task := g.x.registry.begin(&g.items[len(g.results)], nil, &result); task == nil {
			g.results = append(g.results, result)
		} else if !g.await(task) {
			return
		}
	}
	g.finish()
}

// await adds the result of an item that takes its time. It gives false when the group goes on without its caller.
func (g *groupRun) await(task *Task) bool {
	g.current.Store(task)
	if g.canceled.Load() {
		task.Cancel()
	}
	// Whoever comes second goes on: the caller when the item has finished meanwhile, the item otherwise.
	var meeting firstOnly
	task.Then(func(result Result) {
		g.results = append(g.results, result)
		if !meeting.first() {
			g.run()
		}
	})
	return !meeting.first()
}

// cancel stops the item that is under way; no further one is begun.
func (g *groupRun) cancel() {
	g.canceled.Store(true)
	if task := g.current.Load(); task != nil {
		task.Cancel()
	}
}

// finish ends the group with the results of its items.
func (g *groupRun) finish() {
	result := Result{Status: StatusPerformed, Items: g.results}
	count := 0
	for _, item := range g.results {
		if item.Performed() {
			count++
		}
	}
	switch {
	case len(g.results) < len(g.items) || g.canceled.Load() && count < len(g.items):
		result.Status, result.Message = StatusCanceled, canceled().Message
		for len(result.Items) < len(g.items) {
			result.Items = append(result.Items, refused(StatusCanceled, "not begun: the group was canceled"))
		}
	case count < len(g.items):
		result.Status = StatusPartial
		result.Message = decimal(count) + " of " + decimal(len(g.items)) + " items were performed"
	}
	g.x.finish(result)
}
