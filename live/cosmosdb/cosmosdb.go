// Package cosmosdb samples databases of Azure Cosmos DB for NoSQL. It reads
// containers, their settings and their change feeds, and queries; it writes
// nothing.
package cosmosdb

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/shapevet/shapevet/jsonlint/source/remote"
	"github.com/shapevet/shapevet/live/sampling"
)

// Environment variables with credentials. If none is set, the identity of the
// machine or of the Azure command line is used, see azidentity.
const (
	keyVariable        = "COSMOS_KEY"
	connectionVariable = "COSMOS_CONNECTION_STRING"
)

// Open connects to the account of a URL, cosmosdb://ACCOUNT/DATABASE or
// cosmosdb://ACCOUNT/DATABASE/CONTAINER. The scheme cosmosdb+http is for
// emulators without TLS.
func Open(ctx context.Context, u remote.URL, o remote.Options) (remote.Database, error) {
	endpoint, name, container, err := address(u)
	if err != nil {
		return nil, u.Error("this is no address of Azure Cosmos DB", err)
	}
	client, err := connect(u, endpoint)
	if err != nil {
		return nil, u.Error("connect", err)
	}
	database, err := client.NewDatabase(name)
	if err != nil {
		return nil, u.Error("connect", err)
	}
	d := &store{database: database, url: u, only: container, budget: o.MaxRU, options: o, containers: map[string]*azcosmos.ContainerClient{}}
	if _, err := database.Read(ctx, nil); err != nil {
		return nil, d.problem("the database does not answer", err)
	}
	return d, nil
}

// address parses a URL.
func address(u remote.URL) (endpoint, database, container string, err error) {
	scheme, rest, _ := strings.Cut(u.Secret(), "://")
	protocol := "https://"
	if strings.HasSuffix(scheme, "+http") {
		protocol = "http://"
	}
	host, path, _ := strings.Cut(rest, "/")
	if strings.ContainsAny(rest, "@?") {
		return "", "", "", fmt.Errorf("put the key into the environment variable %s, not into the URL", keyVariable)
	}
	database, container, _ = strings.Cut(strings.Trim(path, "/"), "/")
	if database == "" || strings.Contains(container, "/") {
		return "", "", "", errors.New("name a database: cosmosdb://ACCOUNT.documents.azure.com/DATABASE")
	}
	for _, name := range []*string{&database, &container} {
		if *name, err = url.PathUnescape(*name); err != nil {
			return "", "", "", err
		}
	}
	return protocol + host + "/", database, container, nil
}

func connect(u remote.URL, endpoint string) (*azcosmos.Client, error) {
	options := &azcosmos.ClientOptions{}
	options.Telemetry = policy.TelemetryOptions{ApplicationID: "shapevet"}
	if connection := os.Getenv(connectionVariable); connection != "" {
		u.Hide(connection)
		for part := range strings.SplitSeq(connection, ";") {
			if key, ok := strings.CutPrefix(part, "AccountKey="); ok {
				u.Hide(key)
				return withKey(endpoint, key, options)
			}
		}
		return nil, fmt.Errorf("%s holds no AccountKey", connectionVariable)
	}
	if key := os.Getenv(keyVariable); key != "" {
		u.Hide(key)
		return withKey(endpoint, key, options)
	}
	identity, err := azidentity.NewDefaultAzureCredential(nil)
	if err != nil {
		return nil, err
	}
	return azcosmos.NewClient(endpoint, identity, options)
}

func withKey(endpoint, key string, options *azcosmos.ClientOptions) (*azcosmos.Client, error) {
	credential, err := azcosmos.NewKeyCredential(key)
	if err != nil {
		return nil, errors.New("the key is not one of Azure Cosmos DB: it is not base64") // the error may quote it
	}
	return azcosmos.NewClientWithKey(endpoint, credential, options)
}

// A store is an open database.
type store struct {
	database   *azcosmos.DatabaseClient
	url        remote.URL
	only       string // container that the URL names; "" for all
	options    remote.Options
	budget     float64 // request units that may be spent; 0 for no limit
	spent      float64
	containers map[string]*azcosmos.ContainerClient
}

func (s *store) Close() error { return nil }

// problem says what went wrong in one line, because errors of the service quote
// its whole response.
func (s *store) problem(what string, err error) error {
	var answer *azcore.ResponseError
	if errors.As(err, &answer) {
		before, _, _ := strings.Cut(err.Error(), answer.Error())
		err = fmt.Errorf("%sthe service answers %d %s", before, answer.StatusCode, http.StatusText(answer.StatusCode))
	}
	return s.url.Error(what, err)
}

// charge counts the request units of a response, and ends the reading if they
// exceed the budget.
func (s *store) charge(units float32) error {
	s.spent += float64(units)
	if s.budget > 0 && s.spent >= s.budget {
		return sampling.ErrEnough
	}
	return nil
}

// A container is a collection with its settings.
type container struct {
	name, partitionKey string
	documents, bytes   int64
}

func (s *store) list(ctx context.Context) ([]container, error) {
	if s.only != "" {
		c, err := s.describe(ctx, s.only)
		return []container{c}, err
	}
	var found []container
	for pager := s.database.NewQueryContainersPager("SELECT * FROM c", nil); pager.More(); {
		page, err := pager.NextPage(ctx)
		if err != nil {
			return nil, fmt.Errorf("list the containers: %w", err)
		}
		_ = s.charge(page.RequestCharge) // reading the documents ends, if anything does
		for _, c := range page.Containers {
			described, err := s.describe(ctx, c.ID)
			if err != nil {
				return nil, err
			}
			found = append(found, described)
		}
	}
	return found, nil
}

// describe asks for the size of a container. If the service does not give it,
// the container is read as a small one until it turns out to be large.
func (s *store) describe(ctx context.Context, name string) (container, error) {
	described := container{name: name}
	client, err := s.database.NewContainer(name)
	if err != nil {
		return described, err
	}
	s.containers[name] = client
	answer, err := client.Read(ctx, &azcosmos.ReadContainerOptions{PopulateQuotaInfo: true})
	if err != nil {
		return described, fmt.Errorf("read the settings of the container %s: %w", name, err)
	}
	_ = s.charge(answer.RequestCharge)
	if p := answer.ContainerProperties; p != nil && len(p.PartitionKeyDefinition.Paths) == 1 {
		described.partitionKey = p.PartitionKeyDefinition.Paths[0]
	}
	for usage := range strings.SplitSeq(answer.RawResponse.Header.Get("x-ms-resource-usage"), ";") {
		name, value, _ := strings.Cut(usage, "=")
		number, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			continue
		}
		switch name {
		case "documentsCount":
			described.documents = number
		case "documentsSize": // in kilobytes
			described.bytes = number << 10
		}
	}
	return described, nil
}
