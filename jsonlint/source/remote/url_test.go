package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestScheme(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"mongodb://localhost/shop":     "mongodb",
		"mongodb+srv://x.example/":     "mongodb+srv",
		"cosmosdb://a.example/shop":    "cosmosdb",
		"posts.jsonl":                  "",
		`C:\dump\posts.jsonl`:          "",
		"://nothing":                   "",
		"mongodb://":                   "",
		"dump://**/posts.jsonl":        "dump",
		"no scheme://posts.jsonl":      "",
		"../export/**/*.jsonl":         "",
		"github.com/shapevet/shapevet": "",
	} {
		assert.Equal(t, want, Scheme(text), text)
	}
}

func TestNothingShowsCredentials(t *testing.T) {
	t.Parallel()
	const text = "mongodb://reader:c%40nary-5%2F8@a.example:27017,b.example:27018/shop?authMechanismProperties=TOKEN:canary-token&tls=true"
	u := Parse(text)
	u.Hide("canary-key")
	require.Equal(t, text, u.Secret())
	const shown = "mongodb://a.example:27017,b.example:27018/shop"
	encoded, err := json.Marshal(map[string]any{"url": u, "at": &u})
	require.NoError(t, err)
	failed := u.Error("connect", fmt.Errorf("cannot reach %s with c@nary-5/8, c%%40nary-5%%2F8 and canary-key: %w", text, context.Canceled))
	for _, printed := range []string{
		u.String(), fmt.Sprint(u), fmt.Sprintf("%v %+v %#v %q %s", u, u, u, u, &u), string(encoded), failed.Error(), fmt.Sprintf("%+v %#v", failed, errors.Unwrap(failed)),
		u.Redact("password c@nary-5/8, TOKEN:canary-token"),
	} {
		assert.NotContains(t, printed, "nary")
		assert.NotContains(t, printed, "reader")
	}
	assert.Equal(t, shown, u.String())
	assert.Contains(t, failed.Error(), "cannot reach "+shown)
	require.ErrorIs(t, failed, context.Canceled)
	require.NoError(t, u.Error("connect", nil))

	assert.NotContains(t, Parse("mongodb://u:p/a/ss@host/shop").String(), "ss@")
	assert.Equal(t, "mongodb://host/shop", Parse("mongodb://host/shop").String())
	assert.Equal(t, "s3://bucket/users@home/a.json", Parse("s3://bucket/users@home/a.json?region=eu-west-1").String(), "an @ in a path ends no credentials")
	assert.NotContains(t, Parse("s3://user:p/ass@bucket/a.json").String(), "ass@")
}
