module example.com/kiln

go 1.26

require (
	github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos v1.4.0
	go.mongodb.org/mongo-driver/v2 v2.0.0
)

// Stand-ins with what is called here, so that everything loads without a network.
replace (
	github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos => ./sdk/azcosmos
	go.mongodb.org/mongo-driver/v2 => ./sdk/mongo-driver
)
