package analyzers

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/shapevet/shapevet/internal/gomodules"
)

// loadGroup loads the packages that patterns match, and those related to them.
// The go command refuses to list any package of a module whose go.mod file
// lacks something that one of them needs. In that case loadGroup updates a copy
// of the file and leaves the module unchanged.
func (l *loaded) loadGroup(config *packages.Config, dir string, patterns []string) ([]*packages.Package, error) {
	besides, absent := around(dir, patterns, nil)
	dirs := map[string]string{}
	found := func() bool {
		if !findModules(config, absent, dirs) {
			return false
		}
		besides, absent = around(dir, patterns, dirs)
		return true
	}
	found() // a workspace may use another version of a module
	matched, err := packages.Load(config, slices.Concat(patterns, besides)...)
	if found() { // the go command has fetched it
		matched, err = packages.Load(config, slices.Concat(patterns, besides)...)
	}
	for _, path := range besides {
		l.around[path] = true
	}
	if err == nil && l.anyMatched(matched) {
		return matched, nil
	}
	text := strings.Join(patterns, " ")
	if err != nil {
		return nil, fmt.Errorf("load %s: %w", text, err)
	}
	said := goListSays(config, patterns)
	if stale(said) || said == nil && len(besides) > 0 {
		mended, undo, err := withCopiedModFile(config, dir)
		if err != nil {
			return nil, err
		}
		defer undo()
		if mended != nil {
			if matched, err = packages.Load(mended, slices.Concat(patterns, besides)...); err == nil && l.anyMatched(matched) {
				if said != nil {
					l.warnings = append(l.warnings, "go.mod is out of date: an updated copy is used instead; run \"go mod tidy\"")
				}
				return matched, nil
			}
		}
	}
	if said != nil {
		return nil, fmt.Errorf("load %s: %s", text, strings.Join(said[:min(len(said), 3)], "; "))
	}
	if matched, err = packages.Load(config, patterns...); err != nil {
		return nil, fmt.Errorf("load %s: %w", text, err)
	}
	if len(matched) == 0 {
		return nil, fmt.Errorf("%s matches no packages", text)
	}
	return matched, nil
}

// anyMatched reports whether one of the packages was requested.
func (l *loaded) anyMatched(found []*packages.Package) bool {
	return slices.ContainsFunc(found, func(p *packages.Package) bool { return !l.around[p.PkgPath] })
}

// stale reports whether the go command complains about a go.mod file that it
// may not update.
func stale(said []string) bool {
	return slices.ContainsFunc(said, func(line string) bool { return strings.Contains(line, "updates to go.mod needed") })
}

// goListSays returns the go command's complaints when it lists the packages
// that patterns match, which the loader does not report. It returns nil if
// there are none.
func goListSays(config *packages.Config, patterns []string) []string {
	command := goList(config, patterns)
	var out strings.Builder
	command.Stderr = &out
	if command.Run() == nil {
		return nil
	}
	var lines []string
	for line := range strings.Lines(out.String()) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "go: downloading") && !strings.HasPrefix(line, "go: warning:") {
			lines = append(lines, strings.TrimPrefix(line, "go: "))
		}
	}
	return lines
}

// findModules adds the directories of modules to dirs, by path, and reports whether
// there are any. The go command knows them once it has fetched the modules.
func findModules(config *packages.Config, modules []string, dirs map[string]string) bool {
	if len(modules) == 0 {
		return false
	}
	list := goList(config, modules, "-m", "-e", "-f", "{{.Path}}\t{{.Dir}}")
	list.Env = append(slices.Clone(list.Env), "GOPROXY=off") // a module that nothing loads is not worth fetching
	out, _ := list.Output()                                  // loading the packages reports any complaints
	found := false
	for line := range strings.Lines(string(out)) {
		if path, dir, _ := strings.Cut(strings.TrimSpace(line), "\t"); dir != "" {
			dirs[path], found = dir, true
		}
	}
	return found
}

// goList returns a go command that lists the packages that patterns match.
func goList(config *packages.Config, patterns []string, flags ...string) *exec.Cmd {
	ctx := config.Context
	if ctx == nil {
		ctx = context.Background()
	}
	command := exec.CommandContext(ctx, "go", slices.Concat([]string{"list"}, flags, config.BuildFlags, []string{"--"}, patterns)...)
	command.Dir, command.Env = config.Dir, config.Env
	return command
}

// withCopiedModFile returns a configuration under which the go command may
// update go.mod: a copy of it, which undo removes. It returns nil in a
// workspace, or if the user chose the file to use. The flag -mod=readonly chooses
// none: it is the default of the go command.
func withCopiedModFile(config *packages.Config, dir string) (mended *packages.Config, undo func(), err error) {
	undo = func() {}
	root := gomodules.Above(dir)
	if root == "" || gomodules.WorkSpace(dir) != "" || slices.ContainsFunc(config.BuildFlags, func(flag string) bool {
		flag = strings.TrimLeft(flag, "-")
		return strings.HasPrefix(flag, "mod") && flag != "mod=readonly"
	}) {
		return nil, undo, nil
	}
	folder, err := os.MkdirTemp("", "shapevet-mod-")
	if err != nil {
		return nil, undo, fmt.Errorf("make a copy of go.mod: %w", err)
	}
	undo = func() { _ = os.RemoveAll(folder) }
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if os.IsNotExist(err) {
			continue
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, name), text, 0o600)
		}
		if err != nil {
			undo()
			return nil, func() {}, fmt.Errorf("make a copy of go.mod: %w", err)
		}
	}
	changed := *config
	changed.BuildFlags = append(slices.Clone(config.BuildFlags), "-modfile="+filepath.Join(folder, "go.mod"), "-mod=mod")
	return &changed, undo, nil
}
