package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// change replaces every place of a kind in a file; there must be so many.
type change struct {
	from  *regexp.Regexp
	to    string
	times int
}

// closed are the classes whose objects are made for each perform, and can be closed: what is behind one is then let go of at once, and
// not when the JVM finds that it needs memory, which it sees no reason for as long as the objects of its own are small.
// See docs/decisions/mobile.md#what-does-close-of-an-object-do
var closed = strings.Fields("ArgumentList Arguments Event Invocation Result Task Value")

// Seq tracks the objects of Go. Each class keeps what it gives for that, which is where an object is closed.
var tracking = []change{
	{exactly("	public static void trackGoRef("), "	public static GoRef trackGoRef(", 1},
	{exactly("		goRefQueue.track(refnum, obj);\n"), "		return goRefQueue.track(refnum, obj);\n", 1},
	{exactly("		void track(int refnum, GoObject obj) {\n			refs.add(new GoRef(refnum, obj, this));\n		}\n"),
		`		GoRef track(int refnum, GoObject obj) {
			GoRef ref = new GoRef(refnum, obj, this);
			refs.add(ref);
			return ref;
		}

		void forget(GoRef ref) {
			refs.remove(ref);
			ref.clear();
		}
`, 1},
	{exactly("							GoRef ref = (GoRef)remove();\n							refs.remove(ref);\n							destroyRef(ref.refnum);\n							ref.clear();\n"),
		"							((GoRef)remove()).close();\n", 1},
	{exactly("	static class GoRef extends PhantomReference<GoObject> {\n		final int refnum;\n"),
		`	public static final class GoRef extends PhantomReference<GoObject> {
		final int refnum;
		private boolean closed;

		// inc increments the reference count and returns the refnum, or 0 when it was closed. The lock keeps the object from being
		// closed in between.
		public synchronized int inc(GoObject obj) {
			if (closed) {
				return 0;
			}
			incGoRef(refnum, obj);
			return refnum;
		}

		// close has Go let go of the object: once, since an object may be collected as soon as its close has begun.
		public synchronized void close() {
			if (!closed) {
				closed = true;
				goRefQueue.forget(this);
				destroyRef(refnum);
			}
		}
`, 1},
}

// closing makes a class one whose objects can be closed. One that was closed is for Go as one that was made without anything.
func closing(class string) []change {
	return []change{
		{exactly("implements Seq.Proxy {"), "implements Seq.Proxy, AutoCloseable {", 1},
		{exactly("	private final int refnum;\n"), "	private final Seq.GoRef ref;\n", 1},
		{exactly("	      Seq.incGoRef(refnum, this);\n	      return refnum;\n	}\n"), fmt.Sprintf(`	      int refnum = ref.inc(this);
	      return refnum != 0 ? refnum : new %s().incRefnum();
	}
	
	/**
	 * Lets go of what is behind this object at once, instead of when it is collected. It may be called more than once. Whatever has the
	same thing behind it stays as it is, and what is under way goes on. After it, this object does nothing and has nothing in it.
	 */
	@Override public final void close() { ref.close(); }
`, class), 1},
		{regexp.MustCompile(`this\.refnum = (.*);\s*Seq\.trackGoRef\(refnum, this\);`), "this.ref = Seq.trackGoRef($1, this);", 2},
	}
}

func exactly(text string) *regexp.Regexp { return regexp.MustCompile(regexp.QuoteMeta(text)) }

// mendJava changes what was generated for Java, if anything was.
func mendJava(dir string) error {
	if err := mend(filepath.Join(dir, "go", "Seq.java"), tracking...); err != nil {
		return err
	}
	for _, class := range closed {
		found, err := filepath.Glob(filepath.Join(dir, "*", "*", "*", "actions", class+".java"))
		for _, name := range found {
			err = errors.Join(err, mend(name, closing(class)...))
		}
		if err != nil {
			return err
		}
	}
	// It has a close of its own.
	callers, err := filepath.Glob(filepath.Join(dir, "*", "*", "*", "actions", "Caller.java"))
	for _, name := range callers {
		err = errors.Join(err, mend(name, closing("Caller")[0]))
	}
	return err
}

// mend changes a file, unless there is none.
func mend(name string, changes ...change) error {
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	text := string(data)
	for _, c := range changes {
		if times := len(c.from.FindAllStringIndex(text, -1)); err == nil && times != c.times {
			err = fmt.Errorf("%s has %d times what %s finds, %d are expected: see whether mobile/pack/gobind is still needed", name, times, c.from,
				c.times)
		}
		text = c.from.ReplaceAllString(text, c.to)
	}
	if err != nil {
		return err
	}
	return os.WriteFile(name, []byte(text), 0o644)
}
