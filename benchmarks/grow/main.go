// Command grow writes JSON Lines files for measurements:
//
//	grow unpack FILE            the documents of the file, which may be compressed with zstd
//	grow repeat BYTES FILE...   the documents of the files, again and again with other ids
//	grow documents N            N small documents
//	grow paths N                a thousand documents that have N paths together
//	grow keys N                 documents with one map that has N keys
//	grow collections N DIR      N files of twenty documents each, in DIR
//	grow alike N DIR            the same with the same ids in all, so that every field may refer to every collection
//	grow shop N DIR             N customers and N orders, of which one names no customer; two customers have one id
//	grow clean N DIR            the same without these mistakes
//	grow library N DIR          N authors and N books that name each other; one book lacks its author, and two have another name for theirs
//	grow tidy N DIR             the same without these mistakes
//
// It writes to standard output, except where there is a DIR.
package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"github.com/klauspost/compress/zstd"
)

func main() {
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	err := run(os.Args[1:], out)
	if err = errors.Join(err, out.Flush()); err != nil {
		fmt.Fprintln(os.Stderr, "grow:", err)
		os.Exit(1)
	}
}

func run(args []string, out *bufio.Writer) error {
	if len(args) < 2 {
		return errors.New("usage: grow unpack FILE, or repeat|documents|paths|keys|collections|alike|shop|clean|library|tidy N [FILE...|DIR]")
	}
	if args[0] == "unpack" {
		_, err := appendDocuments(args[1], 0, math.MaxInt64, out)
		return err
	}
	n, err := strconv.ParseInt(args[1], 10, 64)
	if err != nil {
		return fmt.Errorf("how many: %w", err)
	}
	switch args[0] {
	case "repeat":
		return repeat(n, args[2:], out)
	case "documents":
		return documents(int(n), out)
	case "paths":
		return paths(int(n), out)
	case "keys":
		return keys(int(n), out)
	case "collections", "alike":
		if len(args) == 3 {
			return collections(int(n), args[0] == "alike", args[2])
		}
	case "shop", "clean":
		if len(args) == 3 {
			return shop(int(n), args[0] == "shop", args[2])
		}
	case "library", "tidy":
		if len(args) == 3 {
			return library(int(n), args[0] == "library", args[2])
		}
	}
	return fmt.Errorf("unknown: %v", args)
}

// repeat writes the documents of the files until there are this many bytes. From
// the second time on it changes the ids, and the references with them, so that
// they still resolve.
func repeat(size int64, files []string, out io.Writer) error {
	written := int64(0)
	for round := byte(0); written < size; round++ {
		before := written
		for _, path := range files {
			n, err := appendDocuments(path, round, size-written, out)
			if written += n; err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
		}
		if written == before {
			return errors.New("no documents, one a line, in the files")
		}
	}
	return nil
}

func appendDocuments(path string, round byte, most int64, out io.Writer) (written int64, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	var in io.Reader = file
	if filepath.Ext(path) == ".zst" {
		z, err := zstd.NewReader(file)
		if err != nil {
			return 0, err
		}
		defer z.Close()
		in = z
	}
	lines := bufio.NewReaderSize(in, 1<<20)
	for written < most {
		line, err := lines.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			if round > 0 {
				changeIDs(line, round)
			}
			n, err := out.Write(append(line, '\n'))
			if written += int64(n); err != nil {
				return written, err
			}
		}
		if err == io.EOF {
			return written, nil
		}
		if err != nil {
			return written, err
		}
	}
	return written, nil
}

// changeIDs turns the hexadecimal ids in a text (24 digits, or a UUID), and the
// numbers under "id" or "_id", into others of the same length.
func changeIDs(text []byte, round byte) {
	for i := 0; i < len(text); {
		end := i
		for end < len(text) && (isHex(text[end]) || text[end] == '-') {
			end++
		}
		if n := end - i; n == 24 || n == 36 && text[i+8] == '-' {
			rotate(text[i:i+8], round)
		}
		i = end + 1
	}
	for _, name := range [][]byte{[]byte(`"id":`), []byte(`"_id":`)} {
		for rest := text; ; {
			at := bytes.Index(rest, name)
			if at < 0 {
				break
			}
			rest = bytes.TrimLeft(rest[at+len(name):], ` "`)
			end := 0
			for end < len(rest) && rest[end] >= '0' && rest[end] <= '9' {
				end++
			}
			if end > 1 && end < 24 && rest[end] != '-' {
				for i := 1; i < end; i++ {
					rest[i] = '0' + (rest[i]-'0'+round)%10
				}
			}
		}
	}
}

const hexDigits = "0123456789abcdef"

func rotate(digits []byte, round byte) {
	for i, c := range digits {
		if v := bytes.IndexByte([]byte(hexDigits), c|0x20); v >= 0 {
			step := round % 16
			if i%2 == 1 {
				step = round / 16
			}
			digits[i] = hexDigits[(byte(v)+step)%16]
		}
	}
}

func isHex(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f' }

func documents(n int, out io.Writer) error {
	for i := range n {
		if _, err := fmt.Fprintf(out, `{"id":"d%d","title":"Title %d","authorId":"d%d","at":"2026-01-%02dT10:00:00Z","tags":["a","b"],"size":{"w":%d,"h":2}}`+"\n",
			i, i%1000, i/7, 1+i%28, i%100); err != nil {
			return err
		}
	}
	return nil
}

// shop writes two collections. With mistakes, the customer in the middle has the
// id of an earlier one, and its own id is not used. One order names a customer
// that does not exist.
func shop(n int, mistakes bool, dir string) error {
	customers := func(i int) string {
		who := i
		if mistakes && i == n/2 {
			who = n / 3
		}
		return fmt.Sprintf(`{"id":"%s","name":"Customer %d","city":"City %d"}`, id(who), i, i%97)
	}
	orders := func(i int) string {
		who := i * 31 % n
		if mistakes && who == n/2 {
			who = 1
		}
		if mistakes && i == n/7 {
			who = n
		}
		return fmt.Sprintf(`{"id":"%s","customerId":"%s","total":%d}`, id(-1-i), id(who), i%500)
	}
	return write(n, dir, map[string]func(int) string{"customers": customers, "orders": orders})
}

func library(n int, mistakes bool, dir string) error {
	authors := func(i int) string {
		return fmt.Sprintf(`{"id":"%s","name":"Author %d","books":["%s"]}`, id(i), i, id(-1-i))
	}
	books := func(i int) string {
		name := fmt.Sprintf("Author %d", i)
		if mistakes && (i == n/3 || i == n/3+1) {
			name = "Author of old"
		}
		author := fmt.Sprintf(`{"id":"%s","name":%q}`, id(i), name)
		if mistakes && i == n/2 {
			author = ""
		}
		return fmt.Sprintf(`{"id":"%s","title":"Book %d","authors":[%s]}`, id(-1-i), i, author)
	}
	return write(n, dir, map[string]func(int) string{"authors": authors, "books": books})
}

// id returns a UUID for each number.
func id(i int) string {
	h := fnv.New128a()
	_ = binary.Write(h, binary.LittleEndian, int64(i)) // cannot fail
	s := h.Sum(nil)
	return fmt.Sprintf("%x-%x-%x-%x-%x", s[:4], s[4:6], s[6:8], s[8:10], s[10:])
}

// write writes n documents to each of some files.
func write(n int, dir string, files map[string]func(int) string) error {
	for name, document := range files {
		var out bytes.Buffer
		file, err := os.OpenFile(filepath.Join(dir, name+".jsonl"), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
		if err != nil {
			return err
		}
		for i := range n {
			out.WriteString(document(i) + "\n")
			if out.Len() > 1<<20 || i == n-1 {
				if _, err := out.WriteTo(file); err != nil {
					return errors.Join(err, file.Close())
				}
			}
		}
		if err := file.Close(); err != nil {
			return err
		}
	}
	return nil
}

// paths spreads the paths over objects of a hundred names each.
func paths(n int, out *bufio.Writer) error {
	const perObject = 100
	for i := range 1000 {
		fmt.Fprintf(out, `{"id":"p%d"`, i)
		for path := i; path < n; path += 1000 {
			fmt.Fprintf(out, `,"part%c%d":{"field%c%d":%d}`, 'a'+path/perObject%26, path/perObject, 'a'+path%26, path%perObject, i)
		}
		if _, err := out.WriteString("}\n"); err != nil {
			return err
		}
	}
	return nil
}

func keys(n int, out *bufio.Writer) error {
	const perDocument = 100
	for i := 0; i < n; i += perDocument {
		fmt.Fprintf(out, `{"id":"k%d","scores":{`, i)
		for key := i; key < min(n, i+perDocument); key++ {
			if key > i {
				fmt.Fprint(out, ",")
			}
			fmt.Fprintf(out, `"user-%d":%d`, key, key%7)
		}
		if _, err := out.WriteString("}}\n"); err != nil {
			return err
		}
	}
	return nil
}

func collections(n int, alike bool, dir string) error {
	for c := range n {
		var b bytes.Buffer
		for i := range 20 {
			if alike {
				fmt.Fprintf(&b, `{"_id":%d,"a":%d,"bId":%d,"c":%d,"tag":"t%d","other":"t%d"}`+"\n", i, 19-i, i, i*7%20, i, 19-i)
				continue
			}
			fmt.Fprintf(&b, `{"id":"c%d-%d","name":"Name %d of %d","otherId":"c%d-%d"}`+"\n", c, i, i, c, (c+1)%n, i)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("things%d.jsonl", c)), b.Bytes(), 0o600); err != nil {
			return err
		}
	}
	return nil
}
