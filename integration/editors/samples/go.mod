module example.com/app

go 1.21

require go.mongodb.org/mongo-driver/v2 v2.0.0

replace go.mongodb.org/mongo-driver/v2 => ./driver
