package copies

import "math"

// A coincidence is the share of the things whose copies agree with their originals,
// beside the share that unrelated values agree in, as often as they occur (Cohen, "A
// coefficient of agreement for nominal scales", 1960). Each thing counts once, however
// many copies it has.
type coincidence struct{ things, share, chance float64 }

// accidental reports whether the copies may agree by accident: in no more than two
// standard deviations above chance. Levels and ratings are often equal without being
// copies.
func (k coincidence) accidental() bool {
	return k.share < k.chance+2*math.Sqrt(k.chance*(1-k.chance)/max(1, k.things))
}

// close reports whether nearly all copies agree that would not agree by chance.
func (k coincidence) close() bool { return k.share-k.chance >= learned*(1-k.chance) }

func coincidenceOf(f *FieldMeasure, known []thingWithOriginal, leaf int) (k coincidence) {
	copied, original := map[uint64]float64{}, map[uint64]float64{}
	for _, t := range known {
		for l, truth := range t.original.byLeaf() {
			if l != leaf {
				continue
			}
			var a agreement
			a.add(t.Cells[f.Index].values, truth)
			if a.compared == 0 {
				continue
			}
			k.things++
			k.share += float64(a.agreeing) / float64(a.compared)
			original[truth[0].hash]++
			for _, v := range t.Cells[f.Index].values {
				copied[v.hash] += float64(v.Count) / float64(a.compared)
			}
		}
	}
	for hash, n := range copied {
		k.chance += n * original[hash]
	}
	k.share /= max(1, k.things)
	k.chance /= max(1, k.things*k.things)
	return k
}
