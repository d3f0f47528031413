// Command walk visits every value of a file of JSON Lines with jscan and does
// nothing with it: the floor under any analysis on one core.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"

	"github.com/romshark/jscan/v2"
)

func main() {
	if err := walk(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "walk:", err)
		os.Exit(1)
	}
}

func walk(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	parser := jscan.NewParser[[]byte](64)
	reader := bufio.NewReaderSize(file, 1<<20)
	var long []byte
	values := 0
	for {
		line, err := reader.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			long = append(long, line...)
			continue
		}
		if len(long) > 0 {
			long = append(long, line...)
			line = long
		}
		if len(line) > 1 {
			if e := parser.Scan(line, func(*jscan.Iterator[[]byte]) bool { values++; return false }); e.IsErr() {
				return e
			}
		}
		long = long[:0]
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
	}
	fmt.Println(values, "values")
	return nil
}
