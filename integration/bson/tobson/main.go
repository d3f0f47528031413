// Tobson reads JSON Lines of Extended JSON from standard input and writes the
// same documents as BSON, one after the other, to standard output. The
// benchmark uses it to compare both inputs.
package main

import (
	"bufio"
	"fmt"
	"os"

	"go.mongodb.org/mongo-driver/bson"
)

func main() {
	if err := convert(); err != nil {
		fmt.Fprintln(os.Stderr, "tobson:", err)
		os.Exit(1)
	}
}

func convert() error {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	for n := 1; lines.Scan(); n++ {
		var document bson.D
		if err := bson.UnmarshalExtJSON(lines.Bytes(), false, &document); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		raw, err := bson.Marshal(document)
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		if _, err := out.Write(raw); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	return out.Flush()
}
