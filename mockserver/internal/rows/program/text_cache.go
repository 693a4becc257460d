package program

import (
	"container/list"
	"sync"
)

// TextCache keeps the text of stretches of files, those that were used last, within a
// number of bytes. A file that would take more than half of them is not kept: it
// would only push the others out. It is safe for concurrent use.
//
// The zero TextCache keeps nothing; Most is set before it is used.
type TextCache struct {
	Most int64 // bytes

	lock  sync.Mutex
	used  int64
	texts map[TextKey]*list.Element // of *keptText
	order list.List                 // most recently used first
}

// TextKey is a stretch of a file, by their numbers.
type TextKey struct{ File, Stretch int64 }

type keptText struct {
	key  TextKey
	text []byte
}

// perText is about how many bytes a text takes beside its own.
const perText = 200

// Keeps reports whether the text of a file of a size is kept.
func (c *TextCache) Keeps(fileSize int64) bool { return fileSize <= c.Most/2 }

// Get returns the text of a stretch, which nobody changes; nil: it is not kept.
func (c *TextCache) Get(key TextKey) []byte {
	c.lock.Lock()
	defer c.lock.Unlock()
	element, kept := c.texts[key]
	if !kept {
		return nil
	}
	c.order.MoveToFront(element)
	return element.Value.(*keptText).text
}

// Put keeps a text, which nobody changes any more, and drops those whose use is longest ago until everything fits.
func (c *TextCache) Put(key TextKey, text []byte) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.drop(key)
	if c.texts == nil {
		c.texts = map[TextKey]*list.Element{}
	}
	c.texts[key] = c.order.PushFront(&keptText{key, text})
	c.used += int64(cap(text)) + perText
	for c.used > c.Most {
		c.drop(c.order.Back().Value.(*keptText).key)
	}
}

func (c *TextCache) drop(key TextKey) {
	if element, kept := c.texts[key]; kept {
		c.used -= int64(cap(element.Value.(*keptText).text)) + perText
		c.order.Remove(element)
		delete(c.texts, key)
	}
}

// Used is how many bytes are used.
func (c *TextCache) Used() int64 {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.used
}
