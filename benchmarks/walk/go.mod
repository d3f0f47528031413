module github.com/shapevet/shapevet/benchmarks/walk

go 1.26

require github.com/romshark/jscan/v2 v2.0.2
