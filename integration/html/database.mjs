// A database with one of many mistakes, and with texts that would be markup if
// they were not escaped.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const markup = `</script><script>window.broken=1</script><img src="http://192.0.2.1/x.png" onerror="window.broken=1">`;

export function writeDatabase(directory) {
  mkdirSync(directory, { recursive: true });
  const write = (name, documents) => writeFileSync(join(directory, name + ".jsonl"), documents.map((d) => JSON.stringify(d)).join("\n") + "\n");
  const range = (n) => [...Array(n).keys()];
  const authors = range(30).map((i) => ({ id: "a" + i, name: "Author " + i, countOfBooks: i % 9 === 4 ? 99 : 4, books: range(4).map((j) => "b" + ((i * 4 + j * 7) % 60)) }));
  const books = range(60).map((i) => ({
    id: "b" + i, title: i === 7 ? markup : "Book " + i, published: i % 2 ? "2024-01-0" + (1 + (i % 9)) : undefined,
    authors: authors.filter((a) => a.books.includes("b" + i)).map((a) => ({ id: a.id, name: a.name + (i % 17 === 3 ? " Jr." : "") })),
  }));
  write("authors", authors);
  write("books", books);
  write("author-books", authors.flatMap((a) => a.books.map((b) => ({ authorId: a.id, bookId: b }))));
  write("posts", range(40).map((i) => ({
    id: "p" + i, name: "Post " + i, ["<b onclick=alert(1)>"]: markup,
    comments: range(i === 20 ? 1204 : i % 12).map((j) => ({ id: j + 1, author: "reader " + (j % 50), comment: "something useful, number " + j })),
  })));
  write("persons", range(120).map((i) => ({
    id: String(i), name: "Person " + i, holdings: range(3).map((j) => ({ held: 10 * j, stock: { symbol: "s" + ((i + j) % 12), open: 30 + ((i * 7 + j) % 10) / 10, high: 31, low: 29 } })),
  })));
  const long = "aNameThatGoesOnAndOnBecauseSomebodyGeneratedItFromTheTitleOfAFormInAnotherSystem".repeat(2);
  write("measurements" + "OfTheStationAtTheNorthernEndOfTheHarbour".repeat(2), range(40).map((i) => ({ id: "m" + i, [long]: i % 4 ? i : "none " + i })));
  write("events", range(50).map((i) => ({ id: "e" + i, level: i % 5 === 0 ? i : "level " + i, mkt_cap: i, "mkt-cap": i })));
}
