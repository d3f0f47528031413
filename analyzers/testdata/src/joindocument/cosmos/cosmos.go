package cosmos

import (
	"context"
	"encoding/json"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

type (
	Student struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	}

	// Course is what students take.
	Course struct {
		ID    int64  `json:"id"`
		Title string `json:"title"`
	}

	// Enrollment ties the two together.
	Enrollment struct { // want `Enrollment only connects StudentID and CourseID`
		ID        string `json:"id"`
		StudentID string `json:"studentId"`
		CourseID  int64  `json:"courseId"`
	}
)

func put(ctx context.Context, c *azcosmos.ContainerClient, document any) error {
	item, err := json.Marshal(document)
	if err != nil {
		return err
	}
	_, err = c.UpsertItem(ctx, azcosmos.NewPartitionKeyString("x"), item, nil)
	return err
}

func all(ctx context.Context, c *azcosmos.ContainerClient, s Student, course Course, e Enrollment) {
	put(ctx, c, s)
	put(ctx, c, course)
	put(ctx, c, e)
}
