import { describe } from "@effect/vitest"
import { checkEach, type Situation } from "./MarkdownMerge.ts"

const table = (...rows: ReadonlyArray<string>): string => {
  const [header = "", ...others] = rows.map((row) => `| ${row} |`)
  const width = header.split(" | ").length
  return [header, `|${" --- |".repeat(width)}`, ...others].join("\n")
}

const header = "Name | Price | Note"
const apple = "apple | 1 euro | red"
const banana = "banana | 2 euro | yellow"
const cherry = "cherry | 3 euro | dark"
const base = table(header, apple, banana, cherry)
const kiwi = "kiwi | 5 euro | furry"
const lemon = "lemon | 6 euro | sour"
const withoutPrice = table("Name | Note", "apple | red", "banana | yellow")
const two = table(header, apple, banana)
const origin = (...values: readonly [string, string]) =>
  table(`${header} | Origin`, `${apple} | ${values[0]}`, `${banana} | ${values[1]}`)
const tab = (text: string) => `{% tabs %}\n{% tab title="Fruit" %}\n${text}\n{% endtab %}\n{% endtabs %}`
const around = (text: string) => `Above\n\n${text}\n\nBelow`

const edits: ReadonlyArray<Situation> = [
  {
    name: "cells of different rows",
    base,
    main: table(header, "apple | 9 euro | red", banana, cherry),
    ours: table(header, apple, banana, "cherry | 3 euro | black"),
    merged: table(header, "apple | 9 euro | red", banana, "cherry | 3 euro | black")
  },
  {
    name: "cells of one row",
    base,
    main: table(header, "apple | 9 euro | red", banana, cherry),
    ours: table(header, "apple | 1 euro | green", banana, cherry),
    merged: table(header, "apple | 9 euro | green", banana, cherry)
  },
  {
    name: "the same cell",
    base,
    main: table(header, "apple | 9 euro | red", banana, cherry),
    ours: table(header, "apple | 7 euro | red", banana, cherry),
    merged: table(header, "apple | 7 euro | red", banana, cherry),
    conflicts: [["1 euro", "9 euro", "7 euro"]],
    keptMain: table(header, "apple | 9 euro | red", banana, cherry)
  },
  {
    name: "cells that a short row did not have",
    base: table(header, "apple", banana),
    main: table(header, "apple | 1", banana),
    ours: table(header, "apple |  | red", banana),
    merged: table(header, "apple | 1 | red", banana)
  },
  {
    name: "a cell and the order of rows",
    base,
    main: table(header, cherry, apple, banana),
    ours: table(header, apple, "banana | 8 euro | yellow", cherry),
    merged: table(header, cherry, apple, "banana | 8 euro | yellow")
  },
  {
    name: "a cell and the order of columns",
    base: two,
    main: table("Note | Name | Price", "red | apple | 1 euro", "yellow | banana | 2 euro"),
    ours: table(header, apple, "banana | 8 euro | yellow"),
    merged: table("Note | Name | Price", "red | apple | 1 euro", "yellow | banana | 8 euro")
  },
  {
    name: "a cell of a row that the other moved and edited",
    base,
    main: table(header, apple, "banana | 8 euro | yellow", cherry),
    ours: table(header, "banana | 2 euro | green", apple, cherry),
    merged: table(header, "banana | 8 euro | green", apple, cherry)
  },
  {
    name: "rows moved by both: a row that both moved stands where ours has it",
    base,
    main: table(header, cherry, apple, banana),
    ours: table(header, banana, apple, cherry),
    merged: table(header, cherry, banana, apple),
    ordered: true
  }
]

const rows: ReadonlyArray<Situation> = [
  {
    name: "added at different places",
    base,
    main: table(header, apple, kiwi, banana, cherry),
    ours: table(header, apple, banana, cherry, lemon),
    merged: table(header, apple, kiwi, banana, cherry, lemon)
  },
  {
    name: "added at one place: main's first",
    base,
    main: table(header, apple, kiwi, banana, cherry),
    ours: table(header, apple, lemon, banana, cherry),
    merged: table(header, apple, kiwi, lemon, banana, cherry),
    ordered: true
  },
  {
    name: "the same row added by both: once",
    base,
    main: table(header, apple, banana, cherry, kiwi),
    ours: table(header, apple, banana, cherry, kiwi, lemon),
    merged: table(header, apple, banana, cherry, kiwi, lemon)
  },
  {
    name: "added while the other moves rows",
    base,
    main: table(header, cherry, apple, banana),
    ours: table(header, apple, banana, kiwi, cherry),
    merged: table(header, cherry, apple, banana, kiwi)
  },
  {
    name: "deleted beside an edited one",
    base,
    main: table(header, apple, cherry),
    ours: table(header, apple, banana, "cherry | 8 euro | dark"),
    merged: table(header, apple, "cherry | 8 euro | dark")
  },
  {
    name: "deleted by ours, edited by main: it stays whole, and the conflict is that row",
    base,
    main: table(header, apple, "banana | 8 euro | yellow", cherry),
    ours: table(header, apple, cherry),
    merged: table(header, apple, "banana | 8 euro | yellow", cherry),
    conflicts: [[table(header, banana), table(header, "banana | 8 euro | yellow"), undefined]],
    keptMain: table(header, apple, "banana | 8 euro | yellow", cherry),
    keptOurs: table(header, apple, cherry)
  },
  {
    name: "deleted by main, edited by ours: it stays whole, and the conflict is that row",
    base,
    main: table(header, apple, cherry),
    ours: table(header, apple, "banana | 8 euro | yellow", cherry),
    merged: table(header, apple, "banana | 8 euro | yellow", cherry),
    conflicts: [[table(header, banana), undefined, table(header, "banana | 8 euro | yellow")]],
    keptMain: table(header, apple, cherry),
    keptOurs: table(header, apple, "banana | 8 euro | yellow", cherry)
  },
  {
    name: "deleted by one, and the other deleted a column: both are gone",
    base: two,
    main: table(header, apple),
    ours: withoutPrice,
    merged: table("Name | Note", "apple | red")
  }
]

const columns: ReadonlyArray<Situation> = [
  {
    name: "added by one, a cell edited by the other",
    base: two,
    main: origin("Spain", "Peru"),
    ours: table(header, "apple | 1 euro | green", banana),
    merged: table(`${header} | Origin`, "apple | 1 euro | green | Spain", `${banana} | Peru`)
  },
  {
    name: "added by one, a row added by the other",
    base: two,
    main: origin("Spain", "Peru"),
    ours: base,
    merged: table(`${header} | Origin`, `${apple} | Spain`, `${banana} | Peru`, cherry)
  },
  {
    name: "added by both: main's first",
    base: two,
    main: origin("Spain", "Peru"),
    ours: table(`${header} | Stock`, `${apple} | 11`, `${banana} | 12`),
    merged: table(`${header} | Origin | Stock`, `${apple} | Spain | 11`, `${banana} | Peru | 12`),
    ordered: true
  },
  {
    name: "of one title added by both: one column, and the cells decide",
    base: two,
    main: origin("Spain", "Peru"),
    ours: origin("Spain", "Chile"),
    merged: origin("Spain", "Chile"),
    conflicts: [[undefined, "Peru", "Chile"]],
    keptMain: origin("Spain", "Peru")
  },
  {
    name: "deleted by main, a cell edited by ours: it stays whole in its place",
    base: two,
    main: withoutPrice,
    ours: table(header, "apple | 7 euro | red", banana),
    merged: table(header, "apple | 7 euro | red", banana),
    conflicts: [[table("Price", "1 euro", "2 euro"), undefined, table("Price", "7 euro", "2 euro")]],
    keptMain: withoutPrice,
    keptOurs: table(header, "apple | 7 euro | red", banana)
  },
  {
    name: "deleted by ours, a cell edited by main: it stays whole in its place",
    base: two,
    main: table(header, "apple | 7 euro | red", banana),
    ours: withoutPrice,
    merged: table(header, "apple | 7 euro | red", banana),
    conflicts: [[table("Price", "1 euro", "2 euro"), table("Price", "7 euro", "2 euro"), undefined]],
    keptMain: table(header, "apple | 7 euro | red", banana),
    keptOurs: withoutPrice
  },
  {
    name: "deleted by one, written in by a row that the other added",
    base: two,
    main: base,
    ours: withoutPrice,
    merged: base,
    conflicts: [[table("Price", "1 euro", "2 euro"), table("Price", "1 euro", "2 euro", "3 euro"), undefined]],
    keptOurs: table("Name | Note", "apple | red", "banana | yellow", "cherry | dark")
  },
  {
    name: "deleted by one, renamed by the other",
    base: two,
    main: table("Name | Cost | Note", apple, banana),
    ours: withoutPrice,
    merged: table("Name | Cost | Note", apple, banana),
    conflicts: [[table("Price", "1 euro", "2 euro"), table("Cost", "1 euro", "2 euro"), undefined]],
    keptOurs: withoutPrice
  },
  {
    name: "renamed by one, a cell edited by the other",
    base: two,
    main: table("Name | Cost | Note", apple, banana),
    ours: table(header, "apple | 7 euro | red", banana),
    merged: table("Name | Cost | Note", "apple | 7 euro | red", banana)
  },
  {
    name: "renamed by both: the conflict is the header",
    base: two,
    main: table("Name | Cost | Note", apple, banana),
    ours: table("Name | Amount | Note", apple, banana),
    merged: table("Name | Amount | Note", apple, banana),
    conflicts: [[table("Price"), table("Cost"), table("Amount")]],
    keptMain: table("Name | Cost | Note", apple, banana)
  },
  {
    name: "with marks in its title renamed, and a cell",
    base: table("**Name** | Price", "apple | 1 euro"),
    main: table("**Full name** | Price", "apple | 1 euro"),
    ours: table("**Name** | Price", "apple | 2 euro"),
    merged: table("**Full name** | Price", "apple | 2 euro")
  }
]

const html = (cells: string) =>
  `<table><thead><tr><th width="100">A</th><th>B</th></tr></thead><tbody><tr>${cells}</tr></tbody></table>`
const card = (title: string, text: string, url: string, done: boolean) =>
  `<tr><td><strong>${title}</strong></td><td>${text}</td><td><a href="${url}">${url}</a></td><td>${done}</td></tr>`
const cards = (...rows: ReadonlyArray<string>) =>
  `<table data-view="cards"><thead><tr><th></th><th></th><th data-hidden data-card-target data-type="content-ref"></th><th data-type="checkbox">Done</th></tr></thead><tbody>${rows.join("")}</tbody></table>`
const second = card("Two", "second", "https://two.example", false)
const one = (text: string, url: string, done: boolean) => cards(card("One", text, url, done), second)
const [start, left, right] = ["https://a.example", "https://b.example", "https://c.example"]
const row = (url: string) => cards(card("One", "first", url, true))

const others: ReadonlyArray<Situation> = [
  {
    name: "put into tabs and edited by ours, a row of it deleted and a cell edited by main",
    base: around(two),
    main: around(table(header, "apple | 9 | red")),
    ours: around(tab(table(header, "apple | 1 euro | green", banana, cherry))),
    merged: around(tab(table(header, "apple | 9 | green", cherry)))
  },
  {
    name: "blocks within cells",
    base: html("<td><p>one</p><ul><li>x</li></ul></td><td>two</td>"),
    main: html("<td><p>one</p><ul><li>x</li><li>y</li></ul></td><td>two</td>"),
    ours: html("<td><p>one more</p><ul><li>x</li></ul></td><td>two and a half</td>"),
    merged: html("<td><p>one more</p><ul><li>x</li><li>y</li></ul></td><td>two and a half</td>")
  },
  {
    name: "text, target and checkbox of one card",
    base: one("first", start, true),
    main: one("first", left, true),
    ours: one("the first", start, false),
    merged: one("the first", left, false)
  },
  {
    name: "the target of a card, by both: the conflict is that card",
    base: one("first", start, true),
    main: one("first", left, true),
    ours: one("first", right, true),
    merged: one("first", right, true),
    conflicts: [[row(start), row(left), row(right)]],
    keptMain: one("first", left, true),
    keptOurs: one("first", right, true)
  },
  {
    name: "a card deleted by ours, of which main changed the target",
    base: one("first", start, true),
    main: one("first", left, true),
    ours: cards(second),
    merged: one("first", left, true),
    conflicts: [[row(start), row(left), undefined]],
    keptOurs: cards(second)
  },
  {
    name: "made cards by one, a cell edited by the other",
    base: table("Name | Price", "apple | 1 euro"),
    main: '<table data-view="cards"><thead><tr><th>Name</th><th>Price</th></tr></thead><tbody><tr><td>apple</td><td>1 euro</td></tr></tbody></table>',
    ours: table("Name | Price", "apple | 7 euro"),
    merged:
      '<table data-view="cards"><thead><tr><th>Name</th><th>Price</th></tr></thead><tbody><tr><td>apple</td><td>7 euro</td></tr></tbody></table>'
  },
  {
    name: "a table deleted by main, a cell of it edited by ours: it stays whole",
    base: around(two),
    main: "Above\n\nBelow",
    ours: around(table(header, "apple | 7 euro | red", banana)),
    merged: around(table(header, "apple | 7 euro | red", banana)),
    conflicts: [[two, undefined, table(header, "apple | 7 euro | red", banana)]],
    keptMain: "Above\n\nBelow"
  },
  {
    name: "a table deleted by ours, to which main added a row: it stays whole",
    base: around(two),
    main: around(base),
    ours: "Above\n\nBelow",
    merged: around(base),
    conflicts: [[two, base, undefined]],
    keptMain: around(base),
    keptOurs: "Above\n\nBelow"
  }
]

describe("merging tables", () => {
  describe("cells and order", () => checkEach(edits))
  describe("a row", () => checkEach(rows))
  describe("a column", () => checkEach(columns))
  describe("cards, blocks in cells, whole tables", () => checkEach(others))
})
