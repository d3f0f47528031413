// Package objects reads objects from Amazon S3 and compatible stores, Google
// Cloud Storage and Azure Blob Storage. It lists and gets objects, and writes
// nothing. Credentials come from the places that the tools of each cloud use.
package objects

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"

	"cloud.google.com/go/storage"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/smithy-go"
	"gocloud.dev/blob"
	"gocloud.dev/blob/azureblob"
	"gocloud.dev/blob/gcsblob"
	"gocloud.dev/blob/s3blob"
	"gocloud.dev/gcp"
	"google.golang.org/api/googleapi"

	"github.com/shapevet/shapevet/jsonlint/source/remote"
)

// Stores are all that can be read, by the scheme of their URLs.
func Stores() remote.Stores {
	return remote.Stores{"s3": OpenS3, "gs": OpenGCS, "azblob": OpenAzure}
}

// OpenS3 opens the bucket of s3://BUCKET/KEY. The endpoint of a compatible store
// comes from the environment, so that a URL cannot decide who receives signed
// requests.
func OpenS3(ctx context.Context, u remote.URL) (remote.Store, error) {
	address, err := address(u, "anonymous", "profile", "region", "use_path_style")
	if err != nil {
		return nil, err
	}
	return open(ctx, u, address, new(s3blob.URLOpener))
}

// OpenGCS opens the bucket of gs://BUCKET/KEY.
func OpenGCS(ctx context.Context, u remote.URL) (remote.Store, error) {
	address, err := address(u, "anonymous")
	if err != nil {
		return nil, err
	}
	client := gcp.NewAnonymousHTTPClient(gcp.DefaultTransport())
	if os.Getenv("STORAGE_EMULATOR_HOST") == "" && address.Query().Get("anonymous") != "true" {
		credentials, err := gcp.DefaultCredentials(ctx)
		if err != nil {
			return nil, u.Error("there are no credentials", oneLine(err))
		}
		if client, err = gcp.NewHTTPClient(gcp.DefaultTransport(), gcp.CredentialsTokenSource(credentials)); err != nil {
			return nil, u.Error("connect", oneLine(err))
		}
	}
	return open(ctx, u, address, &gcsblob.URLOpener{Client: client})
}

// OpenAzure opens the container of azblob://CONTAINER/KEY. Its account comes
// from the environment.
func OpenAzure(ctx context.Context, u remote.URL) (remote.Store, error) {
	address, err := address(u)
	if err != nil {
		return nil, err
	}
	service := *azureblob.NewDefaultServiceURLOptions()
	if service.AccountName == "" {
		return nil, errors.New("the account is not known: set AZURE_STORAGE_ACCOUNT, or AZURE_STORAGE_CONNECTION_STRING")
	}
	return open(ctx, u, address, &azureblob.URLOpener{MakeClient: azureblob.NewDefaultClient, ServiceURLOptions: service})
}

// address is what is opened: a bucket, and options of those that a URL may have.
func address(u remote.URL, options ...string) (*url.URL, error) {
	given, query, _ := strings.Cut(u.Secret(), "?")
	scheme, bucket := remote.Scheme(given), ""
	if bucket, _ = u.Object(); bucket == "" || !strings.HasPrefix(given+"/", scheme+"://"+bucket+"/") {
		return nil, fmt.Errorf("this is no address of an object: it is %s://BUCKET/KEY, and credentials come from the environment", scheme)
	}
	values, err := url.ParseQuery(query)
	for option := range values {
		if !slices.Contains(options, option) {
			err = fmt.Errorf("options stand after ?, and are none but %q; in a glob use *", options)
		}
	}
	return &url.URL{Scheme: scheme, Host: bucket, RawQuery: query}, u.Error("this is no address of an object", err)
}

// secrets are environment variables whose values must never be shown.
var secrets = [...]string{
	"AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AZURE_CLIENT_SECRET", "AZURE_STORAGE_CONNECTION_STRING", "AZURE_STORAGEBLOB_CONNECTIONSTRING",
	"AZURE_STORAGE_KEY", "AZURE_STORAGE_SAS_TOKEN",
}

func open(ctx context.Context, u remote.URL, address *url.URL, opener blob.BucketURLOpener) (remote.Store, error) {
	for _, name := range secrets {
		for part := range strings.FieldsFuncSeq(os.Getenv(name), func(r rune) bool { return r == ';' || r == '&' }) {
			u.Hide(part)
			if _, value, _ := strings.Cut(part, "="); len(value) >= 8 {
				u.Hide(value)
			}
		}
	}
	objects, err := opener.OpenBucketURL(ctx, address)
	if err != nil {
		return nil, u.Error("connect", oneLine(err))
	}
	if client := (*storage.Client)(nil); objects.As(&client) {
		client.SetRetry(storage.WithMaxAttempts(4)) // otherwise it retries forever
	}
	return &store{objects, u, "there is no bucket " + address.Host}, nil
}

type store struct {
	objects  *blob.Bucket
	url      remote.URL
	noBucket string
}

func (s *store) Close() error { return s.objects.Close() }

func (s *store) List(ctx context.Context, prefix string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for objects := s.objects.List(&blob.ListOptions{Prefix: prefix}); ; {
			object, err := objects.Next(ctx)
			if err == io.EOF {
				return
			}
			if err != nil {
				yield("", s.describe(err, s.noBucket))
				return
			}
			if !yield(object.Key, nil) {
				return
			}
		}
	}
}

func (s *store) Open(ctx context.Context, key string, offset, length int64) (io.ReadCloser, int64, error) {
	quiet := func(as func(any) bool) error {
		if amazon := (*[]func(*s3.Options))(nil); as(&amazon) {
			*amazon = append(*amazon, func(o *s3.Options) { o.DisableLogOutputChecksumValidationSkipped = true })
		}
		return nil
	}
	r, err := s.objects.NewRangeReader(ctx, key, offset, length, &blob.ReaderOptions{BeforeRead: quiet})
	if err == nil {
		return r, r.Size(), nil
	}
	missing := "there is no such object"
	if status, _ := answer(err); status == http.StatusNotFound {
		_, err := s.objects.List(&blob.ListOptions{Prefix: key}).Next(ctx)
		if status, _ := answer(err); status == http.StatusNotFound {
			missing = s.noBucket
		}
	}
	return nil, 0, s.describe(err, missing)
}

// describe says what went wrong. missing says what it means if something does
// not exist.
func (s *store) describe(err error, missing string) error {
	status, code := answer(err)
	switch {
	case status == 0:
		return s.url.Error("the store cannot be asked", oneLine(err))
	case status == http.StatusNotFound:
		return errors.New(missing)
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return fmt.Errorf("the user has no permission, or the credentials are wrong: the store answers %d %s", status, code)
	case status == http.StatusMovedPermanently, code == "AuthorizationHeaderMalformed":
		return errors.New("the bucket is in another region: name that in AWS_REGION, or with ?region=")
	}
	return fmt.Errorf("the store answers %d %s", status, code)
}

// answer is the response of the service. The status is 0 if there was none.
func answer(err error) (status int, code string) {
	var (
		amazon interface{ HTTPStatusCode() int }
		called smithy.APIError
		google *googleapi.Error
		azure  *azcore.ResponseError
	)
	switch {
	case errors.Is(err, storage.ErrObjectNotExist):
		status = http.StatusNotFound
	case errors.As(err, &amazon):
		status = amazon.HTTPStatusCode()
		if errors.As(err, &called) {
			code = called.ErrorCode()
		}
	case errors.As(err, &google):
		status = google.Code
	case errors.As(err, &azure):
		status, code = azure.StatusCode, azure.ErrorCode
	}
	return status, cmp.Or(code, http.StatusText(status))
}

// oneLine removes the content of URLs from an error, and all but its first line.
func oneLine(err error) error {
	if failed := (*url.Error)(nil); errors.As(err, &failed) {
		host := ""
		if asked, err := url.Parse(failed.URL); err == nil {
			host = asked.Host + ": "
		}
		err = fmt.Errorf("%s%w", host, failed.Err)
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	return errors.New(line)
}
