import { describe } from "@effect/vitest"
import { checkEach, type Situation } from "./MarkdownMerge.ts"

type Tab = readonly [title: string, text: string]
const tag = (name: string, text: string, attributes = "") => `{% ${name}${attributes} %}\n${text}\n{% end${name} %}`
const tab = ([title, text]: Tab) => tag("tab", text, ` title="${title}"`)
const tabs = (...all: ReadonlyArray<Tab>) => tag("tabs", all.map(tab).join("\n\n"))
const columns = (...all: ReadonlyArray<string>) => tag("columns", all.map((text) => tag("column", text)).join("\n\n"))
const steps = (...all: ReadonlyArray<string>) => tag("stepper", all.map((text) => tag("step", text)).join("\n\n"))
const hint = (style: string, text: string) => tag("hint", text, ` style="${style}"`)
const expandable = (title: string, text: string) => `<details>\n\n<summary>${title}</summary>\n\n${text}\n\n</details>`
const figures = (...all: ReadonlyArray<string>) => {
  const images = all.map((name) => `<img src="https://a.example/${name}.png" alt="picture ${name}">`)
  return `<div>${images.map((image) => `<figure>${image}<figcaption></figcaption></figure>`).join(" ")}</div>`
}
const above = (text: string) => `Above\n\n${text}`

const one: Tab = ["One", "first text here"]
const two: Tab = ["Two", "second text here\n\nand more of it"]
const edited: Tab = ["Two", "second new text here\n\nand more of it"]
const three: Tab = ["Three", "the third one"]

const inTabs: ReadonlyArray<Situation> = [
  {
    name: "renamed and edited",
    base: tabs(one, two),
    main: tabs(one, ["Zwei", two[1]]),
    ours: tabs(one, edited),
    merged: tabs(one, ["Zwei", edited[1]])
  },
  {
    name: "of which each side deleted another: nothing is left of them",
    base: above(tabs(one, two)),
    main: above(tabs(one)),
    ours: above(tabs(two)),
    merged: "Above"
  },
  {
    name: "renamed by both: the conflict is that tab",
    base: tabs(one, two),
    main: tabs(["Uno", one[1]], two),
    ours: tabs(["Eins", one[1]], edited),
    merged: tabs(["Eins", one[1]], edited),
    conflicts: [[tab(one), tab(["Uno", one[1]]), tab(["Eins", one[1]])]],
    keptMain: tabs(["Uno", one[1]], edited)
  },
  {
    name: "added by both: main's first",
    base: tabs(one),
    main: tabs(one, two),
    ours: tabs(one, three),
    merged: tabs(one, two, three),
    ordered: true
  },
  {
    name: "the same added by both: once",
    base: tabs(one),
    main: tabs(one, two),
    ours: tabs(one, two, three),
    merged: tabs(one, two, three)
  },
  {
    name: "deleted by main, edited by ours: it stays whole",
    base: tabs(one, two),
    main: tabs(one),
    ours: tabs(one, edited),
    merged: tabs(one, edited),
    conflicts: [[tab(two), undefined, tab(edited)]],
    keptMain: tabs(one),
    keptOurs: tabs(one, edited)
  },
  {
    name: "deleted by ours, edited by main: it stays whole",
    base: tabs(one, two),
    main: tabs(one, edited),
    ours: tabs(one),
    merged: tabs(one, edited),
    conflicts: [[tab(two), tab(edited), undefined]],
    keptMain: tabs(one, edited),
    keptOurs: tabs(one)
  },
  {
    name: "in another order, and one edited",
    base: tabs(one, two, three),
    main: tabs(three, one, two),
    ours: tabs(one, edited, three),
    merged: tabs(three, one, edited)
  },
  {
    name: "deleted with all of them, one edited: all stay",
    base: above(tabs(one, two)),
    main: "Above",
    ours: above(tabs(one, edited)),
    merged: above(tabs(one, edited)),
    conflicts: [[tabs(one, two), undefined, tabs(one, edited)]],
    keptMain: "Above"
  },
  {
    name: "made steps, and one edited",
    base: tabs(["One", "the first text here"], ["Two", "the second text here"]),
    main: steps("the first text here", "the second text here"),
    ours: tabs(["One", "the first text here"], ["Two", "the second, other text here"]),
    merged: steps("the first text here", "the second, other text here")
  },
  {
    name: "a paragraph put into one, and edited",
    base: `some words to move\n\n${tabs(one)}`,
    main: tabs(["One", "first text here\n\nsome words to move"]),
    ours: `some new words to move\n\n${tabs(one)}`,
    merged: tabs(["One", "first text here\n\nsome new words to move"])
  }
]

const [a, b] = ["### A\n\ndo a thing", "### B\n\ndo b thing"]
const [left, middle, right] = ["left words here", "middle words here", "right words here"]

const others: ReadonlyArray<Situation> = [
  {
    name: "steps: one added by each, another edited",
    base: steps(a, b),
    main: steps(a, "### X\n\nof main", b),
    ours: steps("### A\n\ndo a thing well", "### Y\n\nof ours", b),
    merged: steps("### A\n\ndo a thing well", "### X\n\nof main", "### Y\n\nof ours", b),
    ordered: true
  },
  {
    name: "steps: one deleted by main, edited by ours: it stays whole",
    base: steps(a, b),
    main: steps(a),
    ours: steps(a, "### B\n\ndo b thing well"),
    merged: steps(a, "### B\n\ndo b thing well"),
    conflicts: [[tag("step", b), undefined, tag("step", "### B\n\ndo b thing well")]],
    keptMain: steps(a)
  },
  {
    name: "columns: each edited, one added",
    base: columns(left, right),
    main: columns("left words there", middle, right),
    ours: columns(left, "right words there"),
    merged: columns("left words there", middle, "right words there")
  },
  {
    name: "columns: one deleted by main, edited by ours: it stays",
    base: columns(left, middle, right),
    main: columns(left, right),
    ours: columns(left, "middle words there", right),
    merged: columns(left, "middle words there", right),
    conflicts: [[tag("column", middle), undefined, tag("column", "middle words there")]],
    keptMain: columns(left, right)
  },
  {
    name: "a hint's style and its text",
    base: hint("info", "be careful with this"),
    main: hint("warning", "be careful with this"),
    ours: hint("info", "be very careful with this"),
    merged: hint("warning", "be very careful with this")
  },
  {
    name: "a hint's style, by both: the text is merged all the same",
    base: hint("info", "be careful with this"),
    main: hint("warning", "be careful with this"),
    ours: hint("danger", "be very careful with this"),
    merged: hint("danger", "be very careful with this"),
    conflicts: [
      [
        hint("info", "be careful with this"),
        hint("warning", "be careful with this"),
        hint("danger", "be very careful with this")
      ]
    ],
    keptMain: hint("warning", "be very careful with this")
  },
  {
    name: "a hint taken away around its text, which the other edited",
    base: hint("info", "be careful with this"),
    main: "be careful with this",
    ours: hint("info", "be very careful with this"),
    merged: "be very careful with this"
  },
  {
    name: "a hint made a quote, and its text",
    base: hint("info", "be careful with this"),
    main: "> be careful with this",
    ours: hint("info", "be very careful with this"),
    merged: "> be very careful with this"
  },
  {
    name: "the title and the body of an expandable",
    base: expandable("Title one", "body words here"),
    main: expandable("Title two", "body words here"),
    ours: expandable("Title one", "body words there"),
    merged: expandable("Title two", "body words there")
  },
  {
    name: "an expandable deleted by main, its body edited by ours: it stays whole",
    base: above(expandable("Title", "body words here\n\nsecond")),
    main: "Above",
    ours: above(expandable("Title", "body words there\n\nsecond")),
    merged: above(expandable("Title", "body words there\n\nsecond")),
    conflicts: [
      [expandable("Title", "body words here\n\nsecond"), undefined, expandable("Title", "body words there\n\nsecond")]
    ],
    keptMain: "Above"
  },
  {
    name: "the caption and the source of an image",
    base: '![old](https://a.example/a.png "the caption")',
    main: '![old](https://a.example/b.png "the caption")',
    ours: '![old](https://a.example/a.png "the new caption")',
    merged: '![old](https://a.example/b.png "the new caption")'
  },
  {
    name: "images of which each side deleted another: nothing is left of them",
    base: above(figures("a", "b")),
    main: above(figures("a")),
    ours: above(figures("b")),
    merged: "Above"
  },
  {
    name: "the source and the description of an image",
    base: "![old](https://a.example/a.png)",
    main: "![old](https://a.example/b.png)",
    ours: "![new](https://a.example/a.png)",
    merged: "![new](https://a.example/b.png)"
  },
  {
    name: "what is included, by both",
    base: '{% include "https://a.example/a" %}',
    main: '{% include "https://a.example/b" %}',
    ours: '{% include "https://a.example/c" %}',
    merged: '{% include "https://a.example/c" %}',
    conflicts: [
      [
        '{% include "https://a.example/a" %}',
        '{% include "https://a.example/b" %}',
        '{% include "https://a.example/c" %}'
      ]
    ],
    keptMain: '{% include "https://a.example/b" %}'
  }
]

describe("merging blocks that hold blocks", () => {
  describe("a tab", () => checkEach(inTabs))
  describe("steps, columns, hints, expandables, images", () => checkEach(others))
})
