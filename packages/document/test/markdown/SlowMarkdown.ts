/** Searches for the slowest text of 64 KiB by repeatedly changing the slowest texts so far. */
import { schemaVersion, type Document } from "@lectern/document/Document"
import * as BlocksFromMarkdown from "@lectern/document/markdown/BlocksFromMarkdown"
import * as Markdown from "@lectern/document/markdown/Markdown"
import * as Syntax from "@lectern/document/markdown/Syntax"
import * as fc from "fast-check"
import { runs } from "../../../core/test/Runs.ts"

export const length = 64 * 1024

/** Recipe of a text: repeated parts between a start and an end. */
export interface Recipe {
  readonly start: string
  readonly parts: ReadonlyArray<string>
  readonly end: string
}

export const textOf = ({ start, parts, end }: Recipe): string => {
  const part = parts.join("") || "a"
  return (start + part.repeat(Math.ceil(length / part.length))).slice(0, length - end.length) + end
}

/** Measures the processor time of several runs (ms). Returns the minimum. */
const cost = (work: () => void, times: number): number => {
  let least = Infinity
  for (let i = 0; i < times; i++) {
    const start = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(start)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

/** Parses a text without the limits for hostile texts. */
const parse = (text: string): Document => ({
  object: "document",
  data: { schemaVersion },
  nodes: BlocksFromMarkdown.read(Syntax.parse(text), { nextKey: () => "key" })
})

/** Measures parsing a text (ms). */
export const parseCost = (text: string, times = 1): number => cost(() => void parse(text), times)

/** Measures printing the document of a text (ms). */
export const printCost = (text: string, times = 1): number => {
  const document = parse(text)
  return cost(() => void Markdown.print(document), times)
}

const atoms = [
  ..."ab \n\t*_~`[]()<>!#-+=.:|$\\\"'&;{}%^@/1xw",
  "\n\n",
  "  ",
  "    ",
  "> ",
  "- ",
  "1. ",
  "](",
  "![",
  "](b",
  '](b "',
  "[a]",
  "[a]: b",
  "[^a]",
  "[^a]: ",
  "<!--",
  "-->",
  "<![CDATA[",
  "<?",
  "<a ",
  '<a b="',
  "</a>",
  "<br>",
  "<div>",
  "```",
  "~~~",
  "~~",
  "**",
  "$$",
  "| a ",
  "|-",
  "|-|-|\n",
  "{% hint %}",
  '{% @a/b c="',
  "{% endhint %}",
  "https://a.b/",
  "www.a",
  "www.",
  "a.",
  "a@b.c",
  "&amp;",
  "&#32;",
  ":smile:",
  "***\n",
  "===",
  "<details>\n\n<summary>a</summary>\n\n",
  "</details>",
  '<mark style="color:red;">',
  "</mark>",
  "<kbd>",
  "</kbd>",
  "‹",
  "**a**",
  "_a_",
  "~~a~~",
  "***a***",
  "**a_b_**",
  "_a**b**_",
  "`` ` ``"
]

const changes = (seed: number, rounds: number) =>
  fc.sample(
    fc.record({
      kind: fc.constantFrom("add", "add", "replace", "remove", "start", "end", "new"),
      at: fc.nat(),
      atom: fc.constantFrom(...atoms),
      other: fc.constantFrom(...atoms),
      times: fc.constantFrom(1, 1, 2, 20, 500)
    }),
    { ...runs(rounds, rounds), seed }
  )

type Change = ReturnType<typeof changes>[number]

const changed = (recipe: Recipe, { kind, at, atom, other, times }: Change): Recipe => {
  const parts = recipe.parts.slice(0, 12)
  const place = at % (parts.length + 1)
  switch (kind) {
    case "add":
      return { ...recipe, parts: parts.toSpliced(place, 0, atom) }
    case "replace":
      return { ...recipe, parts: parts.toSpliced(place, 1, atom) }
    case "remove":
      return { ...recipe, parts: parts.toSpliced(place, 1) }
    case "start":
      return { ...recipe, start: atom.repeat(times) }
    case "end":
      return { ...recipe, end: atom.repeat(times) }
    default:
      return { start: "", parts: [atom, other], end: "" }
  }
}

/**
 * Returns the slowest recipes that a number of rounds finds. Each round changes one of the slowest so far. A candidate
 * is measured again, to exclude disturbances by the machine.
 */
export const search = (costOf: (text: string, times?: number) => number, seed: number, rounds: number) => {
  let slowest: ReadonlyArray<{ readonly recipe: Recipe; readonly ms: number }> = [
    { recipe: { start: "", parts: ["a", "\n\n"], end: "" }, ms: 0 }
  ]
  for (const change of changes(seed, rounds)) {
    const recipe = changed(slowest[change.at % slowest.length]!.recipe, change)
    const text = textOf(recipe)
    const once = costOf(text)
    const ms = once < slowest.at(-1)!.ms ? once : costOf(text, 3)
    slowest = [...slowest, { recipe, ms }].sort((a, b) => b.ms - a.ms).slice(0, 8)
  }
  return slowest
}
