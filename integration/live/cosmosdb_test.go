package live

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
)

// emulatorKey is the public key of every Azure Cosmos DB emulator.
//
// Source: https://learn.microsoft.com/azure/cosmos-db/emulator#authentication
const emulatorKey = "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw=="

// startCosmos starts a server and returns its address. SHAPEVET_COSMOS_SERVER is
// the directory in which npm has installed it.
func startCosmos(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("SHAPEVET_COSMOS_SERVER")
	if dir == "" {
		t.Skip("needs SHAPEVET_COSMOS_SERVER, a directory with the package.json of this one, after npm ci")
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	port := free.Addr().(*net.TCPAddr).Port
	require.NoError(t, free.Close())
	server := exec.Command("node", filepath.Join(dir, "node_modules", "@vercel", "cosmosdb-server", "lib", "cli.js"),
		"--no-ssl", "--host", "127.0.0.1", "--port", strconv.Itoa(port))
	require.NoError(t, server.Start())
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	})
	address := "127.0.0.1:" + strconv.Itoa(port)
	require.Eventually(t, func() bool {
		c, err := net.Dial("tcp", address)
		if err == nil {
			_ = c.Close()
		}
		return err == nil
	}, time.Minute, 20*time.Millisecond)
	return address
}

// TestCosmosDB samples a database with customers partitioned by country, and
// orders, some of which name a customer that does not exist.
func TestCosmosDB(t *testing.T) {
	t.Setenv("COSMOS_KEY", emulatorKey)
	address := startCosmos(t)
	credential, err := azcosmos.NewKeyCredential(emulatorKey)
	require.NoError(t, err)
	client, err := azcosmos.NewClientWithKey("http://"+address, credential, nil)
	require.NoError(t, err)
	ctx := context.Background()
	_, err = client.CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: "shop"}, nil)
	require.NoError(t, err)
	database, err := client.NewDatabase("shop")
	require.NoError(t, err)
	add := func(container, partitionKey string, n int, document func(i int) map[string]any) {
		_, err := database.CreateContainer(ctx, azcosmos.ContainerProperties{
			ID: container, PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Paths: []string{"/" + partitionKey}},
		}, nil)
		require.NoError(t, err)
		c, err := database.NewContainer(container)
		require.NoError(t, err)
		for i := range n {
			text, err := json.Marshal(document(i))
			require.NoError(t, err)
			_, err = c.CreateItem(ctx, azcosmos.NewPartitionKeyString(document(i)[partitionKey].(string)), text, nil)
			require.NoError(t, err)
		}
	}
	id := func(kind string, i int) string {
		return fmt.Sprintf("%s-%08x-4bb1-a6c2-77d0c5e1%04x", kind, i*2654435761%(1<<32), i)
	}
	add("customers", "country", 300, func(i int) map[string]any {
		return map[string]any{"id": id("c", i), "country": []string{"no", "it", "pe"}[i%3], "name": fmt.Sprintf("Customer %d", i)}
	})
	add("orders", "customerId", 400, func(i int) map[string]any {
		customer := id("c", i%300)
		if i%100 == 7 {
			customer = id("gone", i)
		}
		return map[string]any{"id": id("o", i), "customerId": customer, "total": 10 + i%70}
	})

	report := check(t, jsonlint.Options{}, "cosmosdb+http://"+address+"/shop")
	require.Empty(t, report.Problems)
	assert.Equal(t, "cosmosdb", report.DB)
	assert.EqualValues(t, 700, report.Summary.Documents)
	require.Len(t, report.Notes, 1, "all is read, so that only the cost is said")
	assert.Regexp(t, `^\d+\.\d request units spent$`, report.Notes[0])
	found := only(report, "dangling-reference")
	require.Len(t, found, 1, "%v", report.Findings)
	assert.InDelta(t, 4, evidence(found[0], "dangling"), 0)
	assert.Equal(t, finding.Error, found[0].Severity)

	t.Run("one container", func(t *testing.T) {
		report := check(t, jsonlint.Options{}, "cosmosdb+http://"+address+"/shop/customers")
		assert.EqualValues(t, 300, report.Summary.Documents)
	})
	t.Run("what cannot be", func(t *testing.T) {
		for input, want := range map[string]string{
			"cosmosdb+http://" + address:                          "name a database",
			"cosmosdb+http://" + address + "/shop/nothing":        "nothing: the service answers 404",
			"cosmosdb+http://" + address + "/elsewhere":           "does not answer",
			"cosmosdb+http://" + address + "/shop?key=canary4711": "put the key into the environment",
		} {
			report := check(t, jsonlint.Options{}, input)
			require.Len(t, report.Problems, 1, input)
			assert.Contains(t, report.Problems[0].Message, want)
			assert.NotContains(t, report.Problems[0].Message+report.Problems[0].Location.File, "canary")
			assert.Less(t, strings.Count(report.Problems[0].Message, "\n"), 1, "one line: %s", report.Problems[0].Message)
		}
	})
	t.Run("a budget", func(t *testing.T) {
		o := jsonlint.Options{}
		o.Source.Remote.MaxRU = 0.5
		report := check(t, o, "cosmosdb+http://"+address+"/shop")
		assert.Less(t, report.Summary.Documents, int64(701))
	})
}
