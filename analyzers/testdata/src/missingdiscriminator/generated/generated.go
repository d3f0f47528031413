// Package generated stores generated types in one bucket. Where they are
// stored is up to the code that stores them.
package generated

import "github.com/couchbase/gocb/v2"

func AddAnimal(cluster *gocb.Cluster, animal *Animal) error {
	bucket := cluster.Bucket("clinic")
	collection := bucket.DefaultCollection()
	_, err := collection.Upsert(animal.AnimalId, animal, nil) // want `stores Animal: Animal shares the collection clinic with Invoice, and no field says which is which`
	return err
}

func All(cluster *gocb.Cluster) { cluster.Query("SELECT * FROM clinic", nil) }

func AddInvoice(cluster *gocb.Cluster, invoice *Invoice) error {
	bucket := cluster.Bucket("clinic")
	collection := bucket.DefaultCollection()
	_, err := collection.Upsert(invoice.InvoiceId, invoice, nil) // want `stores Invoice: Invoice shares the collection clinic with Animal, and no field says which is which`
	return err
}
