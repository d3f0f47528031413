package cli

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Long:    "Print the version, the revision it was built from, and the version of Go.",
		Example: "  shapevet version",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(a.stdout, "shapevet "+toolVersion()+buildDetails())
			return err
		},
	}
}

// released is the version of a release, set by the linker. A released program
// is built in a separate module, which has no version.
var released string

// toolVersion returns the version of the release or of the module: "(devel)"
// for a build from a work tree.
func toolVersion() string {
	if released != "" {
		return released
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

func buildDetails() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	settings := map[string]string{}
	for _, setting := range info.Settings {
		settings[setting.Key] = setting.Value
	}
	details := ""
	if revision := settings["vcs.revision"]; revision != "" {
		details += " " + revision[:min(12, len(revision))]
		if settings["vcs.modified"] == "true" {
			details += "+changes"
		}
	}
	if time := settings["vcs.time"]; time != "" {
		details += " " + time
	}
	return details + " " + info.GoVersion
}
