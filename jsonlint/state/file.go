package state

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"
	"github.com/zeebo/xxh3"
)

var errNoState = errors.New("it is no state of shapevet")

// magic begins each file.
const magic = "shapevet state\n"

// A Head describes the origin of a state.
type Head struct {
	Build   uint64 // the program that wrote it
	Inputs  uint64 // the inputs read
	Options uint64 // the settings
	Round   uint64 // of the reading
	Shard   uint64 // from 1; 0 for several
	Shards  uint64
}

// A file ends with the length of its packed part and a checksum.
const (
	lengthSize = 8
	sumSize    = 8
)

// begin is where the packed part begins.
var begin = int64(len(magic) + binary.Size(Head{}))

// A counter counts the bytes written.
type counter struct {
	to io.Writer
	n  int64
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.to.Write(b)
	c.n += int64(n)
	return n, err
}

// Save writes a file under the name part and then renames it, so that the file
// is complete or missing. It overwrites a part left by a killed program.
func Save(path, part string, head Head, c Codec, pointers ...any) (err error) {
	file, err := os.Create(part)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(part))
		}
	}()
	to := bufio.NewWriterSize(file, 1<<16)
	err = func() error {
		if err := Pack(to, head, c, pointers...); err != nil {
			return err
		}
		if err := to.Flush(); err != nil {
			return err
		}
		return file.Sync()
	}()
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	return os.Rename(part, path)
}

// Pack writes the content of a file.
func Pack(to io.Writer, head Head, c Codec, pointers ...any) error {
	sum := xxh3.New()
	both := io.MultiWriter(to, sum)
	packed, err := zstd.NewWriter(both, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	length := counter{to: packed}
	if _, err := io.WriteString(both, magic); err != nil {
		return err
	}
	if err := binary.Write(both, binary.LittleEndian, head); err != nil {
		return err
	}
	if err := c.Write(&length, pointers...); err != nil {
		return err
	}
	if err := packed.Close(); err != nil {
		return err
	}
	if err := binary.Write(both, binary.LittleEndian, length.n); err != nil {
		return err
	}
	return binary.Write(to, binary.LittleEndian, sum.Sum64())
}

// Load reads a file into the pointers, whose values must be as they were before
// anything was gathered.
func Load(path string, head Head, c Codec, pointers ...any) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := Unpack(file, head, c, pointers...); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// Verify checks a file like [Load] but does not decode its content.
func Verify(path string, head Head) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if _, err := open(file, head); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// open checks a file and returns the length of its packed part.
func open(file io.ReadSeeker, head Head) (packed int64, err error) {
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return 0, err
	}
	packed = size - begin - lengthSize - sumSize
	if packed < 0 {
		return 0, errors.New("it is cut off: remove it and run the shard again")
	}
	if err := checkSum(file, size-sumSize); err != nil {
		return 0, err
	}
	if _, err := file.Seek(int64(len(magic)), io.SeekStart); err != nil {
		return 0, err
	}
	var found Head
	if err := binary.Read(file, binary.LittleEndian, &found); err != nil {
		return 0, err
	}
	switch {
	case found.Build != head.Build:
		return 0, errors.New("another build of shapevet wrote it: remove it and run the shard again with this one")
	case found.Round != head.Round:
		return 0, errors.New("it is of another round")
	case found.Shards != head.Shards || found.Shard != head.Shard:
		return 0, fmt.Errorf("it is of shard %d/%d, and not of %d/%d", found.Shard, found.Shards, head.Shard, head.Shards)
	case found.Inputs != head.Inputs:
		return 0, errors.New("it is of other inputs, or they have changed: name the same inputs each time, or begin with an empty directory")
	case found.Options != head.Options:
		return 0, errors.New("it was made with other options or another configuration: use the same each time, or begin with an empty directory")
	}
	return packed, nil
}

// HeadOf returns the head of what [Pack] wrote, without checking anything.
func HeadOf(packed []byte) (head Head, err error) {
	text, is := bytes.CutPrefix(packed, []byte(magic))
	if !is {
		return head, errNoState
	}
	_, err = binary.Decode(text, binary.LittleEndian, &head)
	return head, err
}

// Unpack reads what [Pack] wrote.
func Unpack(file io.ReadSeeker, head Head, c Codec, pointers ...any) error {
	packed, err := open(file, head)
	if err != nil {
		return err
	}
	var length int64
	if _, err := file.Seek(begin+packed, io.SeekStart); err != nil {
		return err
	}
	if err := binary.Read(file, binary.LittleEndian, &length); err != nil {
		return err
	}
	if _, err := file.Seek(begin, io.SeekStart); err != nil {
		return err
	}
	from, err := zstd.NewReader(io.LimitReader(file, packed), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(64<<20))
	if err != nil {
		return err
	}
	defer from.Close()
	return c.Read(from, length, pointers...)
}

// checkSum reads a file to its end and compares it with the checksum there.
func checkSum(file io.ReadSeeker, length int64) error {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	begins := make([]byte, len(magic))
	if _, err := io.ReadFull(file, begins); err != nil {
		return err
	}
	if string(begins) != magic {
		return errNoState
	}
	sum := xxh3.New()
	_, _ = sum.WriteString(magic)
	if _, err := io.CopyN(sum, file, length-int64(len(magic))); err != nil {
		return err
	}
	var want uint64
	if err := binary.Read(file, binary.LittleEndian, &want); err != nil {
		return err
	}
	if want != sum.Sum64() {
		return errors.New("it is damaged or cut off: remove it and run the shard again")
	}
	return nil
}
