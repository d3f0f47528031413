package profile

import (
	"reflect"
	"slices"
	"sync/atomic"

	"github.com/shapevet/shapevet/jsonlint/scan"
)

// A plan adds objects of one layout to their node. It has a step for every
// value, in tape order. What depends only on the layout (which members there
// are, their types, the shapes of the objects) is counted once per object. A
// scalar equal to the one before it at its place is only counted, too.
// [plans.flush] adds the counts to the statistics.
//
// The first objects of a layout are added value by value, so that all nodes and
// first positions exist before the plan.
type plan struct {
	layout *scan.Layout
	node   *Node
	sights uint8  // objects seen before there were steps
	docs   int64  // documents in which this plan came first at its node
	last   uint64 // serial of the document whose nodes were marked last

	hits    int64
	deepest int // levels down to the deepest container
	steps   []step
	targets []target
}

// planAfter is the number of objects after which a layout gets a plan.
const planAfter = 2

// maxSteps and maxKnown bound the memory of all plans of a worker. A step takes
// about 200 bytes, a known scalar with its text 100. Frequent layouts come
// early: four times as many save no time.
const (
	maxSteps = 1 << 13
	maxKnown = 1 << 13
)

// maxPlanned bounds the number of layouts known over all nodes.
const maxPlanned = 1 << 13

type stepKind uint8

const (
	scalarStep    stepKind = iota
	containerStep          // an object, or null
	arrayStep
)

// A step is what the plan needs for a value that repeats the one before.
type step struct {
	token   uint32 // relative to the object's token, or to the end of the last array before
	kind    stepKind
	named   bool   // is the value of a member
	length  uint32 // of the last array
	text    []byte // of the last scalar, as written; empty if unknown
	last    *known // the last scalar's entry in the memo
	repeats int64  // arrays of the same length as the one before
	bytes   int64  // of containers
	limit   int64  // a container up to this length is not the longest
}

// A target is what the plan needs for a value that differs from the one before.
type target struct {
	node    *Node
	class   Class
	numeric bool   // integer or double
	members int64  // of an object
	shape   *Shape // of an object; nil if not counted
	memo    memo   // of scalars
	own     tally  // of scalars, in their object's shape
	nested  tally  // of scalars, in the document's shape
}

// plans are the plans of a collection.
type plans struct {
	all     []*plan
	builder *Builder
}

// Settle adds what plans have counted to the statistics of the nodes. It must
// be called between adding documents and reading the nodes.
func (c *Collection) Settle() {
	c.plans.flush()
	for _, p := range c.plans.all {
		p.node.plans = nil
		c.plans.builder.steps -= len(p.steps)
		for i := range p.targets {
			c.plans.builder.known -= len(p.targets[i].memo.known)
		}
	}
	c.plans.all = nil
}

func (p *plans) flush() {
	for _, q := range p.all {
		q.flush()
	}
}

// A planTable finds the plan of a layout at a node.
type planTable struct {
	recent *plan
	slots  []*plan // open addressing by layout number, power-of-two length
	used   int

	// lead is the plan of the document's first object at the node, as long as all
	// its others have the same plan. plan.docs then counts the document once for
	// all nodes.
	lead *plan
}

func (t *planTable) find(l *scan.Layout) *plan {
	if t == nil {
		return nil
	}
	if t.recent.layout == l {
		return t.recent
	}
	for i := l.ID; ; i++ {
		p := t.slots[i&uint32(len(t.slots)-1)]
		if p == nil || p.layout == l {
			if p != nil {
				t.recent = p
			}
			return p
		}
	}
}

func (t *planTable) add(p *plan) {
	if 4*(t.used+1) > 3*len(t.slots) {
		old := t.slots
		t.slots = make([]*plan, max(4, 2*len(old)))
		for _, q := range old {
			if q != nil {
				t.put(q)
			}
		}
	}
	t.put(p)
	t.used++
	t.recent = p
}

func (t *planTable) put(p *plan) {
	i := p.layout.ID
	for ; t.slots[i&uint32(len(t.slots)-1)] != nil; i++ {
	}
	t.slots[i&uint32(len(t.slots)-1)] = p
}

// unlead is called before an object at the node is added other than by its
// leading plan.
func (t *planTable) unlead(serial uint64) {
	if t == nil || t.lead == nil {
		return
	}
	p := t.lead
	t.lead = nil
	if p.node.lastDoc == serial {
		p.mark(serial)
	}
}

// mark records that the document holds the plan's nodes.
func (p *plan) mark(serial uint64) {
	p.last = serial
	for i := range p.targets {
		p.targets[i].node.lastDoc = serial
	}
}

// layout returns the layout of the object at i, or nil if it is unknown. It is
// called in tape order.
func (b *Builder) layout(i int) *scan.Layout {
	for ; b.record < len(b.records); b.record++ {
		if r := &b.records[b.record]; int(r.Token) >= i {
			if int(r.Token) == i {
				return r.Layout
			}
			break
		}
	}
	return nil
}

// planned adds the object at i, which has layout l, to the node n of the
// document or of an array's elements.
func (b *Builder) planned(n *Node, l *scan.Layout, i int) {
	p := n.plans.find(l)
	if p == nil || p.steps == nil || b.stale {
		n.plans.unlead(b.serial)
		b.value(n, &b.toks[i], i, -1, 0)
		if !b.stale {
			b.prepare(p, n, l, i)
		}
		return
	}
	switch t := n.plans; {
	case n.lastDoc != b.serial:
		n.lastDoc = b.serial
		t.lead = p
		p.docs++
	case t.lead != p:
		t.unlead(b.serial)
		if p.last != b.serial {
			p.last = b.serial
			for j := range p.targets {
				if m := p.targets[j].node; m.lastDoc != b.serial {
					m.lastDoc = b.serial
					m.Docs++
				}
			}
		}
	}
	b.run(p, i)
}

// prepare makes a plan for the layout of the object at i, unless the layout is
// new.
func (b *Builder) prepare(p *plan, n *Node, l *scan.Layout, i int) {
	all := &b.c.plans
	if p == nil {
		if len(all.all) == maxPlanned {
			return
		}
		all.builder = b
		p = &plan{layout: l, node: n}
		all.all = append(all.all, p)
		if n.plans == nil {
			n.plans = &planTable{}
		}
		n.plans.add(p)
	}
	if p.sights++; p.sights != planAfter || b.steps >= maxSteps {
		p.sights = min(p.sights, planAfter)
		return
	}
	c := compiler{b: b, plan: p, start: i}
	if !c.object(n, i, false, nil) {
		p.steps, p.targets = nil, nil
		return
	}
	p.steps, p.targets = slices.Clip(p.steps), slices.Clip(p.targets)
	known := make([]known, len(p.steps))
	for i := range p.targets {
		if p.steps[i].kind == scalarStep {
			p.targets[i].memo.known, known = known[:1:1], known[1:]
			b.known++
		}
	}
	b.steps += len(p.steps)
}

// A compiler makes the steps of a plan.
type compiler struct {
	b     *Builder
	plan  *plan
	start int // the token from which the steps count
}

func (c *compiler) step(n *Node, i int, kind stepKind, named bool) *target {
	t := &c.b.toks[i]
	c.plan.steps = append(c.plan.steps, step{token: uint32(i - c.start), kind: kind, named: named, limit: n.Max, length: t.B})
	c.plan.targets = append(c.plan.targets, target{node: n, class: ClassOf(t), numeric: t.Kind == scan.Number})
	return &c.plan.targets[len(c.plan.targets)-1]
}

// object adds the steps of the object at i. root is the shape of the document
// if the object is one of its members. It returns false if a name occurs twice
// or is not kept: plans do not handle such objects.
func (c *compiler) object(n *Node, i int, named bool, root *Shape) bool {
	b, o := c.b, n.Object
	if o == nil || o.Shapes == nil || n.Depth >= maxDepth {
		return false
	}
	var names setHash
	fields := make([]*Node, 0, b.d.Len(i))
	for k, v := range b.d.Members(i) {
		f := o.fields[string(b.name(k))]
		if f == nil || slices.Contains(fields, f) {
			return false
		}
		fields = append(fields, f)
		if b.toks[v].Kind != scan.Null {
			names.add(f.keyHash)
		}
	}
	shape := o.Shapes.byHash[names.sum()]
	p := c.step(n, i, containerStep, named)
	p.members, p.shape = int64(len(fields)), shape
	c.plan.deepest = max(c.plan.deepest, n.Depth+1)
	below := (*Shape)(nil)
	if n.Depth == 0 {
		below = shape
	}
	for _, v := range b.d.Members(i) {
		f := fields[0]
		fields = fields[1:]
		switch b.toks[v].Kind {
		case scan.Object:
			if !c.object(f, v, true, below) {
				return false
			}
		case scan.Array:
			if f.Array == nil || f.Depth >= maxDepth {
				return false
			}
			c.step(f, v, arrayStep, true)
			c.plan.deepest = max(c.plan.deepest, f.Depth+1)
			c.start = int(b.toks[v].A)
		case scan.Null:
			c.step(f, v, containerStep, true)
		default:
			if f.Scalars == nil {
				return false
			}
			p := c.step(f, v, scalarStep, true)
			p.own.shape, p.nested.shape = shape, root
		}
	}
	return true
}

// Transient reports whether values of a type only save time.
func Transient(t reflect.Type) bool {
	switch t {
	case reflect.TypeFor[links](), reflect.TypeFor[plans](), reflect.TypeFor[planTable](), reflect.TypeFor[atomic.Pointer[fieldOrder]]():
		return true
	}
	return false
}
