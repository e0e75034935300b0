import { describe } from "@effect/vitest"
import { checkEach, type Situation } from "./MarkdownMerge.ts"

const code = (...lines: ReadonlyArray<string>) => ["```js", ...lines, "```"].join("\n")
const titled = (title: string, ...lines: ReadonlyArray<string>) =>
  `{% code title="${title}" lineNumbers="true" %}\n${code(...lines)}\n{% endcode %}`
const other = (language: string, ...lines: ReadonlyArray<string>) => code(...lines).replace("js", language)
const tabs = (...lines: ReadonlyArray<string>) =>
  `{% tabs %}\n{% tab title="Python" %}\n${code(...lines)}\n{% endtab %}\n{% endtabs %}`
const around = (text: string) => `Above\n\n${text}\n\nBelow`
const first = ["function a() {", "  return 1", "}"]
const added = (name: string, value: number) => ["", `function ${name}() {`, `  return ${value}`, "}"]

const situations: ReadonlyArray<Situation> = [
  {
    name: "different lines",
    base: code("let a = 1", "let b = 2", "let c = 3"),
    main: code("let a = 10", "let b = 2", "let c = 3"),
    ours: code("let a = 1", "let b = 2", "let c = 30"),
    merged: code("let a = 10", "let b = 2", "let c = 30")
  },
  {
    name: "lines beside each other",
    base: code("let a = 1", "let b = 2"),
    main: code("let a = 10", "let b = 2"),
    ours: code("let a = 1", "let b = 20"),
    merged: code("let a = 10", "let b = 20")
  },
  {
    name: "the same line: the conflict is that line",
    base: code("let a = 1", "let b = 2"),
    main: code("let a = 1", "let b = 3"),
    ours: code("let a = 1", "let b = 4"),
    merged: code("let a = 1", "let b = 4"),
    conflicts: [["let b = 2", "let b = 3", "let b = 4"]],
    keptMain: code("let a = 1", "let b = 3"),
    keptOurs: code("let a = 1", "let b = 4")
  },
  {
    name: "one line in different words: a line is one thing",
    base: code("if (a && b) return"),
    main: code("if (c && b) return"),
    ours: code("if (a && b) throw"),
    merged: code("if (a && b) throw"),
    conflicts: [["if (a && b) return", "if (c && b) return", "if (a && b) throw"]]
  },
  {
    name: "the same edit, and a line",
    base: code("let a = 1", "let b = 2"),
    main: code("let a = 1", "let b = 3"),
    ours: code("let a = 1", "let b = 3", "let z = 1"),
    merged: code("let a = 1", "let b = 3", "let z = 1")
  },
  {
    name: "a line moved into a block, and edited",
    base: code("call(a)", "call(b)"),
    main: code("if (x) {", "  call(a)", "  call(b)", "}"),
    ours: code("call(a)", "call(c)"),
    merged: code("if (x) {", "  call(a)", "  call(c)", "}")
  },
  {
    name: "lines added at one place: main's first",
    base: code("a()", "z()"),
    main: code("a()", "m()", "z()"),
    ours: code("a()", "o()", "z()"),
    merged: code("a()", "m()", "o()", "z()"),
    ordered: true
  },
  {
    name: "functions added at one place, which end alike: each stays whole",
    base: code(...first),
    main: code(...first, ...added("b", 2)),
    ours: code(...first, ...added("c", 3)),
    merged: code(...first, ...added("b", 2), ...added("c", 3)),
    ordered: true
  },
  {
    name: "the same lines added by both, and more by one: once",
    base: code("import a", "run()"),
    main: code("import a", "import b", "run()"),
    ours: code("import a", "import b", "import c", "run()"),
    merged: code("import a", "import b", "import c", "run()")
  },
  {
    name: "a line deleted by main, edited by ours",
    base: code("a(1)", "b(2)", "c(3)"),
    main: code("a(1)", "c(3)"),
    ours: code("a(1)", "b(22)", "c(3)"),
    merged: code("a(1)", "b(22)", "c(3)"),
    conflicts: [["b(2)", undefined, "b(22)"]],
    keptMain: code("a(1)", "c(3)")
  },
  {
    name: "lines moved and edited",
    base: code("alpha(1)", "beta(2)", "gamma(3)"),
    main: code("gamma(3)", "alpha(1)", "beta(2)"),
    ours: code("alpha(1)", "beta(22)", "gamma(3)"),
    merged: code("gamma(3)", "alpha(1)", "beta(22)")
  },
  {
    name: "the language and a line",
    base: code("let a = 1", "let b = 2"),
    main: other("ts", "let a = 1", "let b = 2"),
    ours: code("let a = 1", "let b = 20"),
    merged: other("ts", "let a = 1", "let b = 20")
  },
  {
    name: "the title and a line",
    base: titled("x.js", "let a = 1", "let b = 2"),
    main: titled("y.js", "let a = 1", "let b = 2"),
    ours: titled("x.js", "let a = 1", "let b = 20"),
    merged: titled("y.js", "let a = 1", "let b = 20")
  },
  {
    name: "the language, by both",
    base: code("let a = 1"),
    main: other("ts", "let a = 1"),
    ours: other("jsx", "let a = 1"),
    merged: other("jsx", "let a = 1"),
    conflicts: [[code("let a = 1"), other("ts", "let a = 1"), other("jsx", "let a = 1")]],
    keptMain: other("ts", "let a = 1")
  },
  {
    name: "deleted by main, a line edited by ours: all of it stays",
    base: around(code("a(1)", "b(2)", "c(3)")),
    main: "Above\n\nBelow",
    ours: around(code("a(1)", "b(22)", "c(3)")),
    merged: around(code("a(1)", "b(22)", "c(3)")),
    conflicts: [[code("a(1)", "b(2)", "c(3)"), undefined, code("a(1)", "b(22)", "c(3)")]],
    keptMain: "Above\n\nBelow"
  },
  {
    name: "put into tabs and edited by ours, lines of it deleted by main",
    base: around(code(...first, "", "x({", "  size: 1", "})", "}", "done()")),
    main: around(code(...first, "", "done()")),
    ours: around(tabs(...first, "", "x({", "  size: 1", "})", "}")),
    merged: around(tabs(...first, ""))
  },
  {
    name: "put into tabs and edited by ours, a short line of it edited by main",
    base: around(code(...first, "x()", "done()")),
    main: around(code(...first, "y()", "done()")),
    ours: around(tabs(...first, "x()")),
    merged: around(tabs(...first, "y()"))
  },
  {
    name: "deleted by ours, which adds other code in tabs: it is no part of that",
    base: around(code(...first, "x()")),
    main: around(code(...first, "y()")),
    ours: around(tabs("class B {", "  value = 2", "}")),
    merged: around(`${tabs("class B {", "  value = 2", "}")}\n\n${code(...first, "y()")}`),
    conflicts: [[code(...first, "x()"), code(...first, "y()"), undefined]]
  }
]

describe("merging code", () => checkEach(situations))
