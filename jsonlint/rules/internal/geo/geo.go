// Package geo recognises GeoJSON geometries and lists of coordinates, which
// databases and people treat as one value.
package geo

import (
	"slices"

	"github.com/shapevet/shapevet/jsonlint/profile"
)

var geometryTypes = []string{"Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon", "GeometryCollection"}

// IsGeometry reports whether the objects at n are GeoJSON geometries: one value
// to databases and people, however many points it has (RFC 7946, section 3.1).
func IsGeometry(n *profile.Node) bool {
	if n.Object == nil {
		return false
	}
	if c := n.Object.Field("coordinates"); c == nil || c.Array == nil {
		if g := n.Object.Field("geometries"); g == nil || g.Array == nil {
			return false
		}
	}
	kind := n.Object.Field("type")
	if kind == nil || kind.Scalars == nil {
		return false
	}
	for _, v := range kind.Scalars.Values.Values() {
		if !slices.Contains(geometryTypes, v.Text) {
			return false
		}
	}
	return true
}

// IsFeatureCollection reports whether the objects at n are GeoJSON lists of
// features (RFC 7946, section 3.3).
func IsFeatureCollection(n *profile.Node) bool {
	if n.Object == nil || n.Object.Field("features") == nil || n.Object.Field("type") == nil {
		return false
	}
	kind := n.Object.Field("type").Scalars
	return kind != nil && kind.Values.Distinct() == 1 && slices.ContainsFunc(kind.Values.Values(), func(v profile.SampledValue) bool { return v.Text == "FeatureCollection" })
}

// IsCoordinates reports whether the arrays at n hold only numbers, at any
// depth: points, rings, matrices.
func IsCoordinates(n *profile.Node) bool {
	for depth := 0; n.Array != nil; depth++ {
		elem := n.Array.Elem
		numbers := elem.Types[profile.Int] + elem.Types[profile.Double]
		arrays := elem.Types[profile.Array]
		switch {
		case elem.Present() == 0:
			return depth > 0
		case numbers+arrays < elem.Present():
			return false
		case arrays == 0:
			return true
		}
		n = elem
	}
	return true
}

// WalkValues calls visit for every node of e in order, without geometries.
func WalkValues(root *profile.Node, visit func(*profile.Node)) {
	root.Walk(func(n *profile.Node) bool {
		if IsGeometry(n) {
			return false
		}
		visit(n)
		return true
	})
}
