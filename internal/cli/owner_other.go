//go:build !unix || aix || illumos || solaris

package cli

import "os"

func linksTo(os.FileInfo) uint64 { return 1 }

func keepOwner(*os.File, os.FileInfo) error { return nil }

// No locks are needed: a file that another process has open cannot be removed.

func lock(*os.File) error { return nil }

func tryLock(*os.File) bool { return true }
