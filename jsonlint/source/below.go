package source

import "context"

// Below counts the files with documents that reading a directory would find.
// None of them is opened.
func Below(ctx context.Context, dir string, o Options) (int, error) {
	f := finder{ctx: ctx, set: &Set{known: map[problemKey]bool{}}, options: o, seen: map[string]bool{}, walked: map[string][]*File{}}
	err := f.walkAll(dir)
	return f.met, err
}
