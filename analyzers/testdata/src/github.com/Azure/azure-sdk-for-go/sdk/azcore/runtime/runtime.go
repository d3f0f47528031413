// Package runtime stands in for the library of the same path.
package runtime

import "context"

type Pager[T any] struct{ page T }

func (*Pager[T]) More() bool { return false }

func (p *Pager[T]) NextPage(ctx context.Context) (T, error) { return p.page, nil }
