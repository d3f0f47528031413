package jsonlint

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/zeebo/xxh3"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/schema"
	"github.com/shapevet/shapevet/jsonlint/source"
	"github.com/shapevet/shapevet/jsonlint/state"
)

// Several processes, on one machine or many, can share a run: each reads its
// share of the documents and leaves what it gathered in a directory. What one
// reading looks for depends on what all shards found in the one before. So
// there are up to three rounds, as in a run of one process: the profiles, the
// profiles of kinds in collections that have several, and the probes of rules.
// Then one process merges the results and judges.
//
// Profiles and probes are monoids, so the report is the same.

// A Part is the share of one process in a run of several.
type Part struct {
	Shard, Shards int    // from 1; Shard 0 merges what all shards have gathered
	Dir           string // directory of the state files
}

// A Round is one reading of the documents by all shards.
type Round int

// The rounds, in order.
const (
	Profiles Round = iota
	Kinds
	Probes
)

var roundNames = [...]string{"profiles", "kinds", "probes"}

// File returns the name of the file with what a shard gathered in a round;
// shard 0 stands for all of them.
func (p Part) File(r Round) string {
	shard := "all"
	if p.Shard != 0 {
		shard = fmt.Sprint(p.Shard)
	}
	return filepath.Join(p.Dir, fmt.Sprintf("%s-%s-of-%d.state", roundNames[r], shard, p.Shards))
}

// An UnfinishedError says that a shard has not come far enough for the run to
// go on.
type UnfinishedError struct {
	Round Round
	Part  Part // the first shard that is missing
}

func (e *UnfinishedError) Error() string {
	return fmt.Sprintf("shard %d/%d has not done its %s yet: run all shards again, until each says that it is done", e.Part.Shard, e.Part.Shards, roundNames[e.Round])
}

// ErrShardDone is the error of a [Check] whose shard has nothing left to
// gather.
var ErrShardDone = errors.New("the shard is done")

// ShardsIn returns how many shards have left their state in a directory.
func ShardsIn(dir string) (shards int, err error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return 0, err
	}
	for _, f := range files {
		shard, rest, _ := strings.Cut(f.Name(), "-of-")
		number, isState := strings.CutSuffix(rest, ".state")
		of, err := strconv.Atoi(number)
		if !strings.HasPrefix(shard, roundNames[Profiles]+"-") || !isState || err != nil {
			continue
		}
		if shards != 0 && of != shards {
			return 0, fmt.Errorf("%s has states of %d and of %d shards: remove those that are not meant", dir, min(of, shards), max(of, shards))
		}
		shards = of
	}
	if shards == 0 {
		return 0, fmt.Errorf("%s has no states of shards", dir)
	}
	return shards, nil
}

// parted is a part at work.
type parted struct {
	Part
	head state.Head
	slab int64 // bytes of a large file that belong to one shard
}

// Each shard has at least this many slabs, of at most this size. Every shard
// must read the start of every slab.
const (
	slabsOfShard = 8
	largestSlab  = 64 << 20
)

// take makes the engine work on one part of the documents.
func (e *engine) take(o Options) error {
	if o.Part == nil {
		return nil
	}
	p := &parted{Part: *o.Part}
	build, err := thisBuild()
	if err != nil {
		return err
	}
	inputs, size := xxh3.New(), int64(0)
	for _, f := range e.set.Files {
		if f.Stdin || f.Remote != nil {
			return fmt.Errorf("%s can be read only once: shards need documents in files", f.Path)
		}
		fmt.Fprintf(inputs, "%q %q %d\n", f.Path, f.Collection, f.Size)
		size += f.Size
	}
	p.slab = min(largestSlab, size/int64(slabsOfShard*p.Shards)+1)
	options := xxh3.New()
	if o.Schemas != nil {
		o.Schemas.Fprint(options)
	}
	fmt.Fprintf(options, "%v %v %v %v %v %v %v %v\n", o.DB, o.Rules, o.Collections, o.References, o.Lexicon, o.Strict, o.Source.Collections, o.Source.MaxDocument)
	p.head = state.Head{Build: build, Inputs: inputs.Sum64(), Options: options.Sum64(), Shards: uint64(p.Shards)}
	e.part, e.kindsAsked = p, neverAsked
	if p.Shard != 0 {
		p.removeLeft()
		if err := state.Verify(p.File(Probes), p.headOf(Probes, p.Shard)); !errors.Is(err, os.ErrNotExist) {
			return cmp.Or(err, ErrShardDone)
		}
	}
	return nil
}

// thisBuild returns a hash of the program.
var thisBuild = sync.OnceValues(func() (uint64, error) {
	path, err := os.Executable()
	if err != nil {
		return 0, err
	}
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	sum := xxh3.New()
	if _, err := io.Copy(sum, file); err != nil {
		return 0, err
	}
	return sum.Sum64(), nil
})

// whole reports whether one shard must read the whole file: reading cannot
// start in the middle of decoded data.
func whole(f *source.File) bool { return f.Compressed || f.Dumped() || f.Prose }

// owns reports whether the documents at an offset belong to this shard.
func (p *parted) owns(f *source.File, offset int64) bool {
	n := int64(f.ID)
	if !whole(f) {
		n += offset / p.slab
	}
	return n%int64(p.Shards) == int64(p.Shard-1)
}

// next returns the first offset from the given one on at which the shard owns
// documents.
func (p *parted) next(f *source.File, offset int64) int64 {
	for ; offset == 0 || offset <= 2*f.Size; offset += p.slab - offset%p.slab { // decoded text may be longer than the file
		if p.owns(f, offset) {
			return offset
		}
	}
	return source.WholeFile
}

// owned returns the files of which the shard reads something; nil files means
// all.
func (p *parted) owned(set *source.Set, files []source.Head) []source.Head {
	if files == nil {
		for _, f := range set.Files {
			files = append(files, source.Head{File: f, End: source.WholeFile})
		}
	}
	out := []source.Head{}
	for _, f := range files {
		if p.next(f.File, 0) != source.WholeFile {
			f.Next = func(offset int64) int64 { return p.next(f.File, offset) }
			out = append(out, f)
		}
	}
	return out
}

// A round is one reading of all documents, shard by shard.
type round[T any] struct {
	of     Round
	codec  state.Codec
	gather func() (T, error) // reads what this shard owns
	fresh  func() T          // what gather returns where nothing was read
	saved  func(T) []any     // pointers to the parts to save
	merge  func(all, more T)
}

// do gathers, unless this shard or all shards have done so already, and returns
// what all shards have gathered.
func (r round[T]) do(p *parted) (all T, err error) {
	if _, err := os.Stat(Part{0, p.Shards, p.Dir}.File(r.of)); err == nil {
		return r.load(p, 0)
	}
	if p.Shard != 0 {
		if err := r.own(p); err != nil {
			return all, err
		}
		if r.of == Probes {
			return all, ErrShardDone
		}
	}
	for shard := range p.Shards {
		of := Part{shard + 1, p.Shards, p.Dir}
		if _, err := os.Stat(of.File(r.of)); errors.Is(err, os.ErrNotExist) {
			return all, &UnfinishedError{r.of, of}
		}
	}
	all, err = r.mergeAll(p.Shards, func(i int) (T, error) { return r.load(p, i+1) })
	if err == nil && p.Shard != 0 { // spares the other shards from loading and merging everything again
		err = r.save(p, 0, all)
	}
	return all, err
}

// mergeAll merges what n shards have gathered.
func (r round[T]) mergeAll(n int, load func(i int) (T, error)) (all T, err error) {
	for i := range n {
		loaded, err := load(i)
		switch {
		case err != nil:
			return all, err
		case i == 0:
			all = loaded
		default:
			r.merge(all, loaded)
		}
	}
	return all, nil
}

// own gathers unless that is already done.
func (r round[T]) own(p *parted) error {
	if _, err := os.Stat(p.File(r.of)); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	gathered, err := r.gather()
	if err != nil {
		return err
	}
	return r.save(p, p.Shard, gathered)
}

// save stores what a shard has gathered; shard 0 stands for all of them.
func (r round[T]) save(p *parted, shard int, gathered T) error {
	path := Part{shard, p.Shards, p.Dir}.File(r.of)
	if err := state.Save(path, path+p.partSuffix(), p.headOf(r.of, shard), r.codec, r.saved(gathered)...); err != nil {
		return fmt.Errorf("save what shard %d/%d has gathered: %w", p.Shard, p.Shards, err)
	}
	return nil
}

// load returns what a shard has gathered; shard 0 stands for all of them.
func (r round[T]) load(p *parted, shard int) (loaded T, err error) {
	loaded = r.fresh()
	if err := state.Load(Part{shard, p.Shards, p.Dir}.File(r.of), p.headOf(r.of, shard), r.codec, r.saved(loaded)...); err != nil {
		return loaded, fmt.Errorf("load what shards have gathered: %w", err)
	}
	return loaded, nil
}

// partSuffix is the suffix of files that a shard is still writing.
func (p Part) partSuffix() string { return fmt.Sprintf(".%d.part", p.Shard) }

// removeLeft removes files that the shard was writing when it was killed.
func (p Part) removeLeft() {
	for r := range roundNames {
		for _, of := range []Part{p, {0, p.Shards, p.Dir}} {
			_ = os.Remove(of.File(Round(r)) + p.partSuffix()) // usually absent
		}
	}
}

func (p *parted) headOf(r Round, shard int) state.Head {
	head := p.head
	head.Round, head.Shard = uint64(r), uint64(shard)
	return head
}

// A reading is what the first round gathers.
type reading struct {
	Collections []*profile.Collection // in the order of their names
	Damage      []damaged             // without its files
	Ends        map[uint32]int64
	Holds       map[uint32][]string
	Named       map[uint32][]namedAt
	Problems    []finding.Problem
	Broken      []source.Damage // without its files
	BrokenIn    []uint32        // the files
	Validated   []schema.Seen   // of documents with a schema
}

func (r *reading) merge(o *reading) {
	for _, c := range o.Collections {
		at, found := slices.BinarySearchFunc(r.Collections, c.Name, func(c *profile.Collection, name string) int { return cmp.Compare(c.Name, name) })
		if found {
			r.Collections[at].Merge(c)
		} else {
			r.Collections = slices.Insert(r.Collections, at, c)
		}
	}
	for file, end := range o.Ends {
		r.Ends[file] = max(r.Ends[file], end)
	}
	for file, names := range o.Holds {
		r.Holds[file] = append(r.Holds[file], names...)
	}
	maps.Copy(r.Named, o.Named) // one shard alone reads each file
	r.Damage = append(r.Damage, o.Damage...)
	r.Problems = append(r.Problems, o.Problems...)
	r.Broken, r.BrokenIn = append(r.Broken, o.Broken...), append(r.BrokenIn, o.BrokenIn...)
	r.Validated = append(r.Validated, o.Validated...)
}

func profilesRound(gather func() (*reading, error)) round[*reading] {
	return round[*reading]{
		of: Profiles, codec: state.Codec{Given: profile.Transient}, gather: gather,
		fresh: func() *reading { return &reading{} },
		saved: func(r *reading) []any { return []any{r} },
		merge: (*reading).merge,
	}
}

// profileParts is [engine.profile] for a run in parts.
func (e *engine) profileParts(ctx context.Context) ([]*profile.Collection, error) {
	all, err := profilesRound(func() (*reading, error) { return e.read(ctx) }).do(e.part)
	if err != nil {
		return nil, err
	}
	for i := range all.Damage {
		all.Damage[i].file = e.set.Files[all.Damage[i].at.File]
	}
	for i := range all.Broken {
		all.Broken[i].File = e.set.Files[all.BrokenIn[i]]
	}
	e.set.Add(all.Problems, all.Broken)
	e.validated = all.Validated
	e.damage, e.ends, e.holds, e.named, e.sorted = all.Damage, all.Ends, all.Holds, all.Named, nil
	return all.Collections, nil
}

// read profiles what a shard owns.
func (e *engine) read(ctx context.Context) (*reading, error) {
	collections, err := e.profileAll(ctx)
	if err != nil {
		return nil, err
	}
	for _, c := range collections {
		c.Settle()
	}
	r := &reading{Collections: collections, Damage: e.damage, Ends: e.ends, Holds: e.holds, Named: e.named, Problems: e.set.Problems(), Broken: e.set.Damage(), Validated: e.validated}
	for i := range r.Damage {
		r.Damage[i].file = nil
	}
	for i := range r.Broken {
		r.BrokenIn = append(r.BrokenIn, r.Broken[i].File.ID)
		r.Broken[i].File = nil
	}
	return r, nil
}

// splitParts fills the parts of collections with several kinds.
func (e *engine) splitParts(ctx context.Context, splitters []*model.Splitter) error {
	if len(splitters) == 0 {
		return nil
	}
	// swap installs parts and returns the previous ones.
	swap := func(parts []*profile.Collection) []*profile.Collection {
		next := 0
		for _, s := range splitters {
			for i := range s.Parts {
				s.Parts[i], parts[next] = parts[next], s.Parts[i]
				next++
			}
		}
		return parts
	}
	all, err := kindsRound(func() (*kinds, error) {
		again := map[string]*splitting{}
		var fresh []*profile.Collection
		for _, s := range splitters {
			again[s.Collection.Name] = &splitting{Splitter: s, all: true}
			for range s.Parts {
				fresh = append(fresh, profile.NewCollection(s.Collection.Name))
			}
		}
		if err := e.profileKinds(ctx, again); err != nil {
			return nil, err
		}
		gathered := swap(fresh)
		for _, c := range gathered {
			c.Settle()
		}
		return &kinds{gathered}, nil
	}).do(e.part)
	if err == nil {
		swap(all.Parts)
	}
	return err
}

// kinds is what the second round gathers: the profile of each kind, for every
// collection with several.
type kinds struct{ Parts []*profile.Collection }

func kindsRound(gather func() (*kinds, error)) round[*kinds] {
	return round[*kinds]{
		of: Kinds, codec: state.Codec{Given: profile.Transient}, gather: gather,
		fresh: func() *kinds { return &kinds{} },
		saved: func(k *kinds) []any { return []any{k} },
		merge: func(all, more *kinds) {
			for i, c := range more.Parts {
				all.Parts[i].Merge(c)
			}
		},
	}
}

// visitParts shows documents to the probes of a run. It returns a run whose
// probes have seen what all shards read; another makes a run like it.
func (e *engine) visitParts(ctx context.Context, db *model.Database, run *check.Run, another func() *check.Run) (*check.Run, error) {
	return round[*check.Run]{
		of: Probes, codec: state.Codec{Given: check.Given},
		gather: func() (*check.Run, error) { return run, e.visit(ctx, db, run) },
		fresh:  another,
		saved:  (*check.Run).State,
		merge:  (*check.Run).Add,
	}.do(e.part)
}

// MergeStates merges state files of the first or the second round, from single
// shards or merged ones, in any order. It is for schedulers that pass states on
// themselves. Only a run can merge the probes of the third round.
func MergeStates(states ...[]byte) ([]byte, error) {
	if len(states) == 0 {
		return nil, errors.New("there are no states to merge")
	}
	head, err := state.HeadOf(states[0])
	switch {
	case err != nil:
		return nil, err
	case Round(head.Round) == Profiles:
		return mergeStates(profilesRound(nil), head, states)
	case Round(head.Round) == Kinds:
		return mergeStates(kindsRound(nil), head, states)
	}
	return nil, fmt.Errorf("states of round %d cannot be merged without a run", head.Round)
}

func mergeStates[T any](r round[T], head state.Head, states [][]byte) ([]byte, error) {
	all, err := r.mergeAll(len(states), func(i int) (T, error) {
		loaded := r.fresh()
		of, err := state.HeadOf(states[i])
		if err == nil {
			head.Shard = of.Shard
			err = state.Unpack(bytes.NewReader(states[i]), head, r.codec, r.saved(loaded)...)
		}
		return loaded, err
	})
	if err != nil {
		return nil, fmt.Errorf("merge what shards have gathered: %w", err)
	}
	var merged bytes.Buffer
	head.Shard = 0
	err = state.Pack(&merged, head, r.codec, r.saved(all)...)
	return merged.Bytes(), err
}
