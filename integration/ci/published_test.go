package ci

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// version is the one that the examples install.
const version = "v0.1.0"

// publish creates a module proxy that serves this checkout as that version. Its
// dependencies come from the module cache, which the tests of this checkout have
// filled. Programs are installed with a separate module cache.
var publish = sync.OnceValues(func() (environ []string, err error) {
	dir, err := shared()
	if err != nil {
		return nil, err
	}
	top, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		return nil, err
	}
	download := exec.Command("go", "mod", "download")
	download.Dir = top
	if out, err := download.CombinedOutput(); err != nil {
		return nil, errors.Join(err, errors.New(string(out)))
	}
	var proxies struct{ GOMODCACHE, GOPROXY string }
	out, err := exec.Command("go", "env", "-json", "GOMODCACHE", "GOPROXY").Output()
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(out, &proxies); err != nil {
		return nil, err
	}
	proxy := filepath.Join(dir, "proxy")
	if err := writeModule(top, filepath.Join(proxy, "github.com", "shapevet", "shapevet", "@v")); err != nil {
		return nil, err
	}
	// The cache may lack the archive of a module: some people, and some images,
	// remove archives once they are unpacked.
	cache := filepath.Join(proxies.GOMODCACHE, "cache", "download")
	return []string{
		"GOPROXY=file://" + filepath.ToSlash(proxy) + ",file://" + filepath.ToSlash(cache) + "," + proxies.GOPROXY,
		"GOMODCACHE=" + filepath.Join(dir, "modules"), "GOFLAGS=-modcacherw", "GOSUMDB=off", "GONOPROXY=none", "GOPRIVATE=", "GOTOOLCHAIN=local",
	}, nil
})

// published is the environment in which the version can be installed.
func published(t *testing.T) []string {
	t.Helper()
	environ, err := publish()
	require.NoError(t, err)
	return environ
}

// writeModule writes what a module proxy serves:
// https://go.dev/ref/mod#goproxy-protocol
func writeModule(top, to string) error {
	if err := os.MkdirAll(to, 0o750); err != nil {
		return err
	}
	info, err := json.Marshal(map[string]any{"Version": version, "Time": time.Unix(0, 0).UTC()})
	if err != nil {
		return err
	}
	mod, err := os.ReadFile(filepath.Join(top, "go.mod"))
	if err != nil {
		return err
	}
	for name, text := range map[string][]byte{"list": []byte(version + "\n"), version + ".info": info, version + ".mod": mod} {
		if err := os.WriteFile(filepath.Join(to, name), text, 0o600); err != nil {
			return err
		}
	}
	file, err := os.Create(filepath.Join(to, version+".zip"))
	if err != nil {
		return err
	}
	return errors.Join(zip.CreateFromDir(file, module.Version{Path: "github.com/shapevet/shapevet", Version: version}, top), file.Close())
}
