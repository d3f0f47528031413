package codecs_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/api/option"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/shapevet/shapevet/analyzers/decode"
	"github.com/shapevet/shapevet/analyzers/docmodel"
)

// A store answers the reads of a Firestore client, because only the client
// creates the snapshots that its codec reads.
type store struct {
	pb.UnimplementedFirestoreServer
	mutex     sync.Mutex
	documents map[string]*pb.Document
}

func (s *store) BatchGetDocuments(request *pb.BatchGetDocumentsRequest, stream pb.Firestore_BatchGetDocumentsServer) error {
	for _, name := range request.GetDocuments() {
		s.mutex.Lock()
		document := s.documents[name]
		s.mutex.Unlock()
		err := stream.Send(&pb.BatchGetDocumentsResponse{
			Result: &pb.BatchGetDocumentsResponse_Found{Found: document}, ReadTime: timestamppb.Now(),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func firestoreCodec(t *testing.T) *codec {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s := &store{documents: map[string]*pb.Document{}}
	server := grpc.NewServer()
	pb.RegisterFirestoreServer(server, s)
	go func() { _ = server.Serve(listener) }() // until it is stopped
	t.Cleanup(server.Stop)
	ctx := context.Background()
	client, err := firestore.NewClient(ctx, "p", option.WithEndpoint(listener.Addr().String()), option.WithoutAuthentication(),
		option.WithGRPCDialOption(grpc.WithTransportCredentials(insecure.NewCredentials())))
	require.NoError(t, err)
	t.Cleanup(func() { _ = client.Close() })

	number := 0
	return &codec{
		name: "firestore", key: "firestore", options: []string{"omitempty", "omitempty", "omitempty", "omitempty", "omitempty", "omitempty", "unknown"}, pairs: 4000,
		special: func(r *rand.Rand) any { return pick(r, []any{[]byte("abc"), time.Unix(1_700_000_000, 0).UTC()}) },
		rules:   decode.Options{Codec: docmodel.Firestore, Typed: true},
		write: func(t *testing.T, o object) (any, string) {
			number++
			name := fmt.Sprintf("projects/p/databases/(default)/documents/c/d%d", number)
			document := &pb.Document{Name: name, Fields: toFields(o), CreateTime: timestamppb.Now(), UpdateTime: timestamppb.Now()}
			s.mutex.Lock()
			s.documents[name] = document
			s.mutex.Unlock()
			snapshot, err := client.Doc(fmt.Sprintf("c/d%d", number)).Get(ctx)
			require.NoError(t, err)
			text, err := protojson.Marshal(document)
			require.NoError(t, err)
			return snapshot, string(text)
		},
		read: func(stored, into any) error { return stored.(*firestore.DocumentSnapshot).DataTo(into) },
	}
}

func toFields(o object) map[string]*pb.Value {
	fields := map[string]*pb.Value{}
	for _, m := range o {
		fields[m.name] = toFirestore(m.value)
	}
	return fields
}

func toFirestore(v any) *pb.Value {
	switch v := v.(type) {
	case nil:
		return &pb.Value{ValueType: &pb.Value_NullValue{}}
	case bool:
		return &pb.Value{ValueType: &pb.Value_BooleanValue{BooleanValue: v}}
	case int64:
		return &pb.Value{ValueType: &pb.Value_IntegerValue{IntegerValue: v}}
	case float64:
		return &pb.Value{ValueType: &pb.Value_DoubleValue{DoubleValue: v}}
	case string:
		return &pb.Value{ValueType: &pb.Value_StringValue{StringValue: v}}
	case []byte:
		return &pb.Value{ValueType: &pb.Value_BytesValue{BytesValue: v}}
	case time.Time:
		return &pb.Value{ValueType: &pb.Value_TimestampValue{TimestampValue: timestamppb.New(v)}}
	case []any:
		list := &pb.ArrayValue{}
		for _, e := range v {
			list.Values = append(list.Values, toFirestore(e))
		}
		return &pb.Value{ValueType: &pb.Value_ArrayValue{ArrayValue: list}}
	case object:
		return &pb.Value{ValueType: &pb.Value_MapValue{MapValue: &pb.MapValue{Fields: toFields(v)}}}
	}
	panic(fmt.Sprintf("no value: %T", v))
}
