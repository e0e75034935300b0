/** A dialect is added by a file and a line in the list: its syntax is then parsed, escaped and reprinted. */
import type { Document } from "@lectern/document/Document"
import type * as Markdown from "@lectern/document/markdown/Markdown"
import { assert, beforeAll, describe, it } from "@effect/vitest"
import { rolldown } from "rolldown"
import { keys, shape } from "./laws.ts"

const file = `
import { tagOfName } from "@lectern/document/markdown/Tags"
const startAt = ({ text, next, end }) => {
  const [, fence] = /^(@{3,}) box$/.exec(text.slice(next, end)) ?? []
  return fence && { type: "hint", style: "success", title: undefined, fenceLength: fence.length }
}
const scanner = () => ({ read: (text, from, end) => (text.slice(from, end).endsWith("))") ? "complete" : "none") })
const parse = ({ type, value }) => {
  const [, end, name] = (type === "tag" && /^\\(\\((\\/?)(\\w+)\\)\\)$/.exec(value)) || []
  const tag = name && tagOfName(name)
  if (!tag) return undefined
  return end ? { kind: "close", name } : { kind: "open", tag, line: { name, attributes: [] } }
}
const mark = /%(\\w+)%/y
const createReader = (text, rangeOf) => (at) => {
  mark.lastIndex = at
  const [source, value] = mark.exec(text) ?? []
  const end = at + source?.length
  return source && { end, inline: { type: "inlineCode", ...rangeOf(at, end), value } }
}
export const invented = {
  names: ["invented"],
  containers: [{ starts: "@", indent: 0, startAt, opening: /@{3,} box$/my }],
  tags: [
    {
      line: { starts: "(", prefix: "((", createScanner: scanner, opening: /\\(\\(.*\\)\\)/y },
      isCandidate: ({ type }) => type === "tag",
      parse
    }
  ],
  inlines: [{ starts: "%", opening: mark, createReader }],
  quoteStyles: new Map([["box", "danger"]]),
  headingBraces: ["\\\\{=(\\\\w+)\\\\}"]
}
`

let markdown: typeof Markdown

beforeAll(async () => {
  const bundle = await rolldown({
    input: "page",
    plugins: [
      {
        name: "invented dialect",
        resolveId: (name) => (name === "page" || name === "invented" ? name : undefined),
        load: (name) =>
          name === "page"
            ? 'export * from "@lectern/document/markdown/Markdown"'
            : name === "invented"
              ? file
              : undefined,
        transform: (code, name) =>
          name.endsWith("/dialect/Dialects.ts")
            ? `import { invented } from "invented"\n${code.replace(/(dialects[^=]*= \[)/, "$1invented, ")}`
            : undefined
      }
    ]
  })
  const { output } = await bundle.generate({ format: "esm" })
  markdown = await import(`data:text/javascript,${encodeURIComponent(output[0].code)}`)
})

const parse = (text: string): Document => markdown.parse(text, { nextKey: keys() }).document

describe("an invented dialect", () => {
  it("has its blocks parsed, and those without an end stay text", () => {
    const [hint] = parse("@@@@ box\na\n\n@@@ box\nb\n@@@\n@@@@\n").nodes
    assert.deepStrictEqual([hint?.type, hint?.data], ["hint", { style: "success" }])
    assert.deepStrictEqual(
      hint?.nodes?.map((node) => node.object === "block" && node.type),
      ["paragraph", "hint"]
    )
    assert.strictEqual(parse("@@@ box\na").nodes[0]?.type, "paragraph")
  })

  it("has text escaped that would be one of its blocks", () => {
    const text = parse("\\@@@ box\na\n@@@\n")
    assert.strictEqual(text.nodes[0]?.type, "paragraph")
    assert.deepStrictEqual(shape(parse(markdown.print(text))), shape(text))
  })

  it("has its tags and inlines, and text escaped that would be one", () => {
    const [hint] = parse("((hint))\na %b% c%d%\n\n((/hint))\n").nodes
    assert.strictEqual(hint?.type, "hint")
    assert.include(markdown.print({ ...parse(""), nodes: [hint!] }), "a `b` c`d`\n")
    const text = parse("\\((hint))\n100% and \\%b%\n\n\\((/hint))\n")
    const printed = markdown.print(text)
    assert.deepStrictEqual(shape(parse(printed)), shape(text), printed)
    assert.include(printed, "100% and \\%b%")
  })

  it("has its names of hints and ids of headings", () => {
    assert.deepStrictEqual(parse("> [!box]\n> a\n").nodes[0]?.data, { style: "danger" })
    assert.strictEqual(parse("# A {=b}\n").nodes[0]?.data?.["id"], "b")
  })
})
