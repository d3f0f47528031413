package cosmos

import (
	"context"
	"encoding/json"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

type Comment struct { // want `Comment has no field stored as id, but Azure Cosmos DB rejects an item without id`
	PostID  string `json:"postId"`
	Content string `json:"content"`
}

// Vote is listed without names somewhere: a field more would break that.
type Vote struct { // want `Vote has no field stored as id`
	PostID string `json:"postId"`
	UserID string `json:"userId"`
}

type Post struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

type base struct {
	ID string `json:"id"`
}

// Tag has the id of what it takes in.
type Tag struct {
	base
	Name string `json:"name"`
}

// Page has an id under another name, which is another mistake.
type Page struct {
	ID    string
	Title string
}

// Free holds whatever it holds.
type Free struct {
	values map[string]any
}

func (f Free) MarshalJSON() ([]byte, error) { return json.Marshal(f.values) }

// Envelope is sent, not stored.
type Envelope struct {
	Comments []Comment `json:"comments"`
}

func store(ctx context.Context, c *azcosmos.ContainerClient, document any) error {
	item, err := json.Marshal(document)
	if err != nil {
		return err
	}
	_, err = c.CreateItem(ctx, azcosmos.NewPartitionKeyString("x"), item, nil)
	return err
}

// Change is kept in the history of a post. The variable that holds its text holds
// that of the post when it is stored.
type Change struct {
	By   string `json:"by"`
	What string `json:"what"`
}

// Note and Mark are held by one variable, which is stored between them or after.
type Note struct { // want `Note has no field stored as id`
	Text string `json:"text"`
}

type Mark struct { // want `Mark has no field stored as id`
	Color string `json:"color"`
}

type History struct {
	ID      string           `json:"id"`
	Changes []map[string]any `json:"changes"`
}

func change(ctx context.Context, c *azcosmos.ContainerClient, h History, made Change) error {
	item, err := json.Marshal(made)
	if err != nil {
		return err
	}
	var entry map[string]any
	if err := json.Unmarshal(item, &entry); err != nil {
		return err
	}
	h.Changes = append(h.Changes, entry)
	item, err = json.Marshal(h)
	if err != nil {
		return err
	}
	_, err = c.UpsertItem(ctx, azcosmos.NewPartitionKeyString("x"), item, nil)
	return err
}

func either(ctx context.Context, c *azcosmos.ContainerClient, note Note, mark Mark, marked bool) {
	item, _ := json.Marshal(note)
	if marked {
		item, _ = json.Marshal(mark)
	}
	c.UpsertItem(ctx, azcosmos.NewPartitionKeyString("x"), item, nil)
}

// Leaf and Stem are stored in turns.
type Leaf struct { // want `Leaf has no field stored as id`
	Text string `json:"text"`
}

type Stem struct { // want `Stem has no field stored as id`
	Text string `json:"text"`
}

func turns(ctx context.Context, c *azcosmos.ContainerClient, leaf Leaf, stem Stem) {
	item, _ := json.Marshal(stem)
	item, _ = json.Marshal(leaf)
	for range 3 {
		c.UpsertItem(ctx, azcosmos.NewPartitionKeyString("x"), item, nil)
		item, _ = json.Marshal(stem)
	}
}

// Seed is stored by a function that is made before the variable is set again, Fruit
// after.
type Seed struct { // want `Seed has no field stored as id`
	Text string `json:"text"`
}

type Fruit struct { // want `Fruit has no field stored as id`
	Text string `json:"text"`
}

func later(ctx context.Context, c *azcosmos.ContainerClient, seed Seed, fruit Fruit) {
	item, _ := json.Marshal(Post{})
	item, _ = json.Marshal(seed)
	put := func() { c.UpsertItem(ctx, azcosmos.NewPartitionKeyString("x"), item, nil) }
	put()
	item, _ = json.Marshal(fruit)
	put()
}

// Bark is set by a function that is called after the variable is set again.
type Bark struct { // want `Bark has no field stored as id`
	Text string `json:"text"`
}

func closed(ctx context.Context, c *azcosmos.ContainerClient, bark Bark) {
	item, _ := json.Marshal(Post{})
	set := func() { item, _ = json.Marshal(bark) }
	item, _ = json.Marshal(Post{})
	set()
	c.UpsertItem(ctx, azcosmos.NewPartitionKeyString("x"), item, nil)
}

// Root is encoded into a variable by its address.
type Root struct { // want `Root has no field stored as id`
	Text string `json:"text"`
}

func encode(to *[]byte, root Root) {
	*to, _ = json.Marshal(root)
}

func addressed(ctx context.Context, c *azcosmos.ContainerClient, post Post, root Root) {
	item, _ := json.Marshal(root)
	item, _ = json.Marshal(post)
	encode(&item, root)
	c.UpsertItem(ctx, azcosmos.NewPartitionKeyString("x"), item, nil)
}

func all(ctx context.Context, c *azcosmos.ContainerClient, comment Comment, post Post, tag Tag, page Page, free Free) {
	store(ctx, c, comment)
	store(ctx, c, post)
	store(ctx, c, tag)
	store(ctx, c, page)
	store(ctx, c, free)
	store(ctx, c, Vote{"p1", "u1"})
}
