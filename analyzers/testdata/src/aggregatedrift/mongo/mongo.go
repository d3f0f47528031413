// Package mongo keeps counts beside the lists they count.
package mongo

import (
	"context"
	"errors"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Comment struct {
	Author string `bson:"author"`
	Text   string `bson:"text"`
}

// Post: one update keeps the count, the other forgets it.
type Post struct {
	ID           bson.ObjectID `bson:"_id,omitempty"`
	Comments     []Comment     `bson:"comments"`
	CommentCount int           `bson:"commentCount"` // want `commentCount drifts from comments: importComment \(\$push\) changes comments but not the commentCount \(aggregate-drift\)`
}

func addComment(ctx context.Context, posts *mongo.Collection, id bson.ObjectID, c Comment) error {
	_, err := posts.UpdateOne(ctx, bson.M{"_id": id}, bson.M{
		"$push": bson.M{"comments": c},
		"$inc":  bson.M{"commentCount": 1},
	})
	return err
}

func importComment(ctx context.Context, posts *mongo.Collection, id bson.ObjectID, c Comment) error {
	_, err := posts.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{"comments": c}})
	return err
}

func insertPost(ctx context.Context, posts *mongo.Collection, p Post) error {
	_, err := posts.InsertOne(ctx, p)
	return err
}

// Photo: the count goes up with every like, the set does not.
type Photo struct {
	ID        bson.ObjectID `bson:"_id,omitempty"`
	Likes     []string      `bson:"likes"`
	LikeCount int           `bson:"likeCount"` // want `likeCount drifts from likes: like \(\$addToSet\) adds nothing when the list holds the value`
}

func like(ctx context.Context, db *mongo.Database, id bson.ObjectID, user string) error {
	_, err := db.Collection("photos").UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$addToSet": bson.M{"likes": user}, "$inc": bson.M{"likeCount": 1}})
	return err
}

func insertPhoto(ctx context.Context, db *mongo.Database, p *Photo) error {
	_, err := db.Collection("photos").InsertOne(ctx, p)
	return err
}

// Video asks first whether the user is in the list.
type Video struct {
	ID        bson.ObjectID `bson:"_id,omitempty"`
	Likes     []string      `bson:"likes"`
	LikeCount int           `bson:"likeCount"`
}

func likeVideo(ctx context.Context, db *mongo.Database, id bson.ObjectID, user string) error {
	videos := db.Collection("videos")
	_, err := videos.UpdateOne(ctx, bson.M{"_id": id, "likes": bson.M{"$ne": user}},
		bson.M{"$addToSet": bson.M{"likes": user}, "$inc": bson.M{"likeCount": 1}})
	return err
}

func insertVideo(ctx context.Context, db *mongo.Database, v *Video) error {
	_, err := db.Collection("videos").InsertOne(ctx, v)
	return err
}

// Team: a method adds a member and does not count.
type Team struct {
	ID         bson.ObjectID `bson:"_id,omitempty"`
	Members    []string      `bson:"members"`
	NumMembers int           `bson:"numMembers"` // want `numMembers drifts from members: Join adds to members but does not change the numMembers`
}

func (t *Team) Join(name string) { t.Members = append(t.Members, name) }

func (t *Team) Check() error {
	if t.NumMembers != len(t.Members) {
		return errors.New("the number of members is wrong")
	}
	return nil
}

func saveTeam(ctx context.Context, teams *mongo.Collection, t *Team) error {
	_, err := teams.ReplaceOne(ctx, bson.M{"_id": t.ID}, t)
	return err
}

// Album counts anew whenever it is stored.
type Album struct {
	ID         bson.ObjectID `bson:"_id,omitempty"`
	Photos     []string      `bson:"photos"`
	PhotoCount int           `bson:"photoCount"`
}

func (a *Album) Put(photo string) { a.Photos = append(a.Photos, photo) }

func saveAlbum(ctx context.Context, albums *mongo.Collection, a *Album) error {
	a.PhotoCount = len(a.Photos)
	_, err := albums.ReplaceOne(ctx, bson.M{"_id": a.ID}, a)
	return err
}

// Book: the count is of something else, another function keeps it.
type Book struct {
	ID        bson.ObjectID `bson:"_id,omitempty"`
	Pages     []string      `bson:"pages"`
	PageCount int           `bson:"pageCount"`
}

func addScan(ctx context.Context, books *mongo.Collection, id bson.ObjectID, scan string) error {
	_, err := books.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{"pages": scan}})
	return err
}

func printed(ctx context.Context, books *mongo.Collection, id bson.ObjectID) error {
	_, err := books.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$inc": bson.M{"pageCount": 1}})
	return err
}

func insertBook(ctx context.Context, books *mongo.Collection, b Book) error {
	_, err := books.InsertOne(ctx, b)
	return err
}

// Channel keeps the latest messages and counts all.
type Channel struct {
	ID           bson.ObjectID `bson:"_id,omitempty"`
	Messages     []string      `bson:"messages"`
	MessageCount int           `bson:"messageCount"`
}

func post(ctx context.Context, channels *mongo.Collection, id bson.ObjectID, text string) error {
	_, err := channels.UpdateOne(ctx, bson.M{"_id": id}, bson.M{
		"$push": bson.M{"messages": bson.M{"$each": bson.A{text}, "$slice": -50}},
	})
	return err
}

func insertChannel(ctx context.Context, channels *mongo.Collection, c Channel) error {
	_, err := channels.InsertOne(ctx, c)
	return err
}

// Cart: the total follows the lines in one place and not in the other.
type Line struct {
	SKU   string  `bson:"sku"`
	Price float64 `bson:"price"`
}

type Cart struct {
	ID    bson.ObjectID `bson:"_id,omitempty"`
	Lines []Line        `bson:"lines"`
	Total float64       `bson:"total"` // want `total drifts from lines: addGift \(\$push\) changes lines but not the total`
}

func addLine(ctx context.Context, carts *mongo.Collection, id bson.ObjectID, l Line) error {
	_, err := carts.UpdateOne(ctx, bson.M{"_id": id}, bson.D{
		{Key: "$push", Value: bson.D{{Key: "lines", Value: l}}},
		{Key: "$inc", Value: bson.D{{Key: "total", Value: l.Price}}},
	})
	return err
}

func addGift(ctx context.Context, carts *mongo.Collection, id bson.ObjectID, l Line) error {
	_, err := carts.UpdateOne(ctx, bson.M{"_id": id}, bson.D{{Key: "$push", Value: bson.D{{Key: "lines", Value: l}}}})
	return err
}

func insertCart(ctx context.Context, carts *mongo.Collection, c Cart) error {
	_, err := carts.InsertOne(ctx, c)
	return err
}

// Page is a list as it is sent, with its length.
type Page struct {
	Count int    `bson:"count"`
	Posts []Post `bson:"posts"`
}

// Song: nothing but code says that score counts the fans, and that edits
// counts no tags.
type Song struct {
	ID    bson.ObjectID `bson:"_id,omitempty"`
	Fans  []string      `bson:"fans"`
	Score int           `bson:"score"` // want `score drifts from fans: importFan \(\$push\) changes fans but not the score`
	Tags  []string      `bson:"tags"`
	Edits int           `bson:"edits"`
}

func follow(ctx context.Context, songs *mongo.Collection, id bson.ObjectID, fan, tag string) {
	songs.InsertOne(ctx, Song{ID: id})
	songs.UpdateOne(ctx, bson.M{"_id": id, "fans": bson.M{"$ne": fan}}, bson.M{"$push": bson.M{"fans": fan}, "$inc": bson.M{"score": 1}})
	songs.UpdateOne(ctx, bson.M{"_id": id, "fans": fan}, bson.M{"$pull": bson.M{"fans": fan}, "$inc": bson.M{"score": -1}})
	songs.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{"tags": tag}, "$inc": bson.M{"edits": 1}})
	songs.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$pull": bson.M{"tags": tag}, "$inc": bson.M{"edits": 1}})
}

func importFan(ctx context.Context, songs *mongo.Collection, id bson.ObjectID, fan string) {
	songs.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{"fans": fan}})
}

func importTag(ctx context.Context, songs *mongo.Collection, id bson.ObjectID, tag string) {
	songs.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{"tags": tag}})
}

// Job: what is due is filled in when a note is added, and is no sum of the notes.
type Note struct {
	Number int    `bson:"number"`
	Text   string `bson:"text"`
}

type Job struct {
	ID        bson.ObjectID `bson:"_id"`
	Notes     []Note        `bson:"notes"`
	DueAmount float64       `bson:"dueAmount"`
}

func closeJob(ctx context.Context, jobs *mongo.Collection, j *Job, due float64, n Note) error {
	j.DueAmount = due
	j.Notes = append(j.Notes, n)
	_, err := jobs.ReplaceOne(ctx, bson.M{"_id": j.ID}, j)
	return err
}

func noteJob(ctx context.Context, jobs *mongo.Collection, j *Job, n Note) error {
	j.Notes = append(j.Notes, n)
	_, err := jobs.ReplaceOne(ctx, bson.M{"_id": j.ID}, j)
	return err
}

func billJob(ctx context.Context, jobs *mongo.Collection, id bson.ObjectID, due float64, n Note) error {
	_, err := jobs.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{"notes": n}, "$set": bson.M{"dueAmount": due}})
	return err
}

func payJob(ctx context.Context, jobs *mongo.Collection, id bson.ObjectID, paid float64) error {
	_, err := jobs.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$inc": bson.M{"dueAmount": -paid}})
	return err
}

func chargeJob(ctx context.Context, jobs *mongo.Collection, j *Job, more float64) error {
	j.DueAmount += more
	_, err := jobs.ReplaceOne(ctx, bson.M{"_id": j.ID}, j)
	return err
}

// Bill: the total is computed from the items in one place and left alone in another.
type Item struct {
	Price float64 `bson:"price"`
}

type Bill struct {
	ID     bson.ObjectID `bson:"_id"`
	Items  []Item        `bson:"items"`
	Amount float64       `bson:"amount"` // want `amount drifts from items: addFree adds to items but does not change the amount`
}

func addItem(ctx context.Context, bills *mongo.Collection, b *Bill, i Item) error {
	b.Items = append(b.Items, i)
	b.Amount = worth(b.Items)
	_, err := bills.ReplaceOne(ctx, bson.M{"_id": b.ID}, b)
	return err
}

func worth(items []Item) (sum float64) {
	for _, i := range items {
		sum += i.Price
	}
	return sum
}

func addFree(ctx context.Context, bills *mongo.Collection, b *Bill, i Item) error {
	b.Items = append(b.Items, i)
	_, err := bills.ReplaceOne(ctx, bson.M{"_id": b.ID}, b)
	return err
}

// Tab: the total is added to in one place.
type Tab struct {
	ID    bson.ObjectID `bson:"_id"`
	Items []Item        `bson:"items"`
	Total float64       `bson:"total"` // want `total drifts from items: treat adds to items but does not change the total`
}

func drink(ctx context.Context, tabs *mongo.Collection, t *Tab, i Item) error {
	t.Items = append(t.Items, i)
	t.Total = t.Total + i.Price
	_, err := tabs.ReplaceOne(ctx, bson.M{"_id": t.ID}, t)
	return err
}

func treat(ctx context.Context, tabs *mongo.Collection, t *Tab, i Item) error {
	t.Items = append(t.Items, i)
	_, err := tabs.ReplaceOne(ctx, bson.M{"_id": t.ID}, t)
	return err
}

// Bar: the total is raised in one place.
type Bar struct {
	ID    bson.ObjectID `bson:"_id"`
	Items []Item        `bson:"items"`
	Total float64       `bson:"total"` // want `total drifts from items: giveAway adds to items but does not change the total`
}

func sell(ctx context.Context, bars *mongo.Collection, b *Bar, i Item) error {
	b.Items = append(b.Items, i)
	b.Total += i.Price
	_, err := bars.ReplaceOne(ctx, bson.M{"_id": b.ID}, b)
	return err
}

func giveAway(ctx context.Context, bars *mongo.Collection, b *Bar, i Item) error {
	b.Items = append(b.Items, i)
	_, err := bars.ReplaceOne(ctx, bson.M{"_id": b.ID}, b)
	return err
}

// Import: the failures have no numbers that add up to the rows.
type Import struct {
	ID        bson.ObjectID `bson:"_id"`
	TotalRows int           `bson:"total_rows"`
	Failures  []Failure     `bson:"failures"`
}

type Failure struct {
	Message    string `bson:"message"`
	StatusCode int    `bson:"status_code"`
}

func read(ctx context.Context, imports *mongo.Collection, i *Import, rows int, failed []Failure) error {
	i.TotalRows += rows
	i.Failures = append(i.Failures, failed...)
	_, err := imports.ReplaceOne(ctx, bson.M{"_id": i.ID}, i)
	return err
}

func fail(ctx context.Context, imports *mongo.Collection, i *Import, f Failure) error {
	i.Failures = append(i.Failures, f)
	_, err := imports.ReplaceOne(ctx, bson.M{"_id": i.ID}, i)
	return err
}
