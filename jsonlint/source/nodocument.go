package source

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/language"
)

// This is the only list of files that lie next to documents but contain none.
// It decides what to search for in a directory, which changed files a hook
// checks, and which open files an editor checks. A file that the user names is
// read whatever its name.

// dependencyDirs contain what package managers fetch.
var dependencyDirs = []string{"node_modules", "bower_components", "jspm_packages", "__pycache__", "site-packages", "Pods"}

// toolDirs hold settings of editors and services. Walks skip hidden directories
// anyway.
var toolDirs = []string{".devcontainer", ".git", ".github", ".idea", ".vscode", ".zed"}

// producedDirs contain what a build makes or fetches, provided one of these
// files lies next to them. Their names alone are too common.
var producedDirs = map[string][]string{
	"build":    {"package.json", "build.gradle", "build.gradle.kts", "pubspec.yaml", "setup.py", "pyproject.toml", "CMakeLists.txt"},
	"coverage": {"package.json", "composer.json"},
	"dist":     {"package.json", "setup.py", "pyproject.toml"},
	"out":      {"package.json", "build.gradle", "build.gradle.kts"},
	"target":   {"Cargo.toml", "pom.xml", "build.sbt"},
	"vendor":   {"go.mod", "composer.json", "Gemfile"},
}

// toolFiles are the lock files and settings of programs, in lower case.
var toolFiles = []string{
	"angular.json", "api-extractor.json", "apphosting.json", "asset-manifest.json", "babel.config.json", "biome.json", "bower.json", "cdk.context.json",
	"cdk.json", "cmakepresets.json", "codecov.json", "compile_commands.json", "composer.json", "cypress.json", "deno.json", "devcontainer.json",
	"firebase.json", "firestore.indexes.json", "global.json", "jest.config.json", "jsconfig.json", "launchsettings.json", "lerna.json",
	"local.settings.json", "nodemon.json", "npm-shrinkwrap.json", "nx.json", "omnisharp.json", "package-lock.json", "package.json",
	"packages.lock.json", "project.assets.json", "pyrightconfig.json", "renovate.json", "sfdx-project.json", "tsconfig.json", "tslint.json",
	"turbo.json", "typedoc.json", "vcpkg.json", "vercel.json",
}

// toolNames match the names of more such files and of schemas, in lower case.
var toolNames = []string{
	"appsettings.*.json", "tsconfig.*.json", "jsconfig.*.json", "*.deps.json", "*.runtimeconfig.json", "*.schema.json", "*.validator.json",
	"*" + evidenceSuffix,
}

// translationDirs hold a program's messages, by language.
var translationDirs = []string{"_locales", "i18n", "l10n", "lang", "langs", "languages", "locale", "locales", "translations"}

// languageTag matches names of languages (BCP 47), also with an underscore: en,
// pt-BR, zh_Hans.
var languageTag = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[a-z]{2,3}([-_]([A-Za-z]{2}|[A-Z][a-z]{3}|[0-9]{3}))?$`)
})

// countryTag matches names of languages with a country or a script, as they are usually
// spelled: pt-BR, zh_Hans. Other names, such as log-001 and my-db, are those of documents.
var countryTag = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[a-z]{2,3}[-_]([A-Z]{2}|[A-Z][a-z]{3})$`)
})

// dataExtensions are extensions of data formats that are not read. Such files
// among documents are reported.
var dataExtensions = []string{
	".7z", ".avro", ".bz2", ".csv", ".db", ".json5", ".jsonc", ".lz4", ".orc", ".parquet", ".rar", ".sqlite", ".sqlite3", ".tar", ".tgz",
	".tsv", ".xls", ".xlsx", ".xml", ".xz", ".zip",
}

// NoDocument reports whether a file's name and directories show that it holds
// no documents.
func NoDocument(name string) bool {
	dir, base := path.Split(filepath.ToSlash(name))
	if noDocument(base) || strings.HasPrefix(base, ".") {
		return true
	}
	parts := strings.Split(strings.TrimSuffix(dir, "/"), "/")
	for i, part := range parts {
		if slices.Contains(toolDirs, part) || noDocumentsIn(strings.Join(parts[:i+1], "/")) {
			return true
		}
	}
	return isTranslation(name)
}

// noDocument judges only by the name of a file.
func noDocument(base string) bool {
	base = strings.ToLower(base)
	return slices.Contains(toolFiles, base) || slices.ContainsFunc(toolNames, func(pattern string) bool {
		matched, err := path.Match(pattern, base)
		return matched && err == nil
	})
}

// noDocumentsIn reports whether a directory holds dependencies or build output.
func noDocumentsIn(dir string) bool {
	parent, base := filepath.Split(filepath.FromSlash(dir))
	return slices.Contains(dependencyDirs, base) || slices.ContainsFunc(producedDirs[base], func(beside string) bool {
		info, err := os.Stat(filepath.Join(parent, beside))
		return err == nil && info.Mode().IsRegular()
	})
}

// isTranslation reports whether a file is named after a language, lies in a
// directory named after one, lies in a directory for translations, or names a
// language before its extension.
func isTranslation(name string) bool {
	parts := strings.Split(filepath.ToSlash(name), "/")
	base := len(parts) - 1
	parts[base] = strings.TrimSuffix(parts[base], path.Ext(parts[base]))
	if _, kind, ok := strings.Cut(parts[base], "."); ok && slices.Contains(translationDirs, strings.ToLower(kind)) {
		return true // as in posts.translations.json
	}
	if _, err := language.Parse(parts[base]); err == nil && countryTag().MatchString(parts[base]) {
		return true
	}
	for i, part := range parts[:base] {
		if slices.Contains(translationDirs, strings.ToLower(part)) && languageTag().MatchString(parts[i+1]) {
			return true
		}
	}
	return false
}

// holdsOtherData reports whether a file's name shows that it holds data that is
// not read.
func holdsOtherData(name string) bool {
	return slices.Contains(dataExtensions, strings.ToLower(path.Ext(filepath.ToSlash(name))))
}
