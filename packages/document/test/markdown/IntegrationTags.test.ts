import * as fc from "fast-check"
import { assert, describe, it } from "@effect/vitest"
import type { Data } from "@lectern/document/Document"
import { plainText } from "@lectern/document/DocumentText"
import { runs } from "../../../core/test/Runs.ts"
import { parse, print } from "./laws.ts"

const part = fc.stringMatching(/^[\w.-]{1,8}$/)
const name = fc.stringMatching(/^[a-z][\w-]{0,6}$/).filter((one) => one !== "fullWidth")
const atoms = [
  '"',
  "'",
  "\\",
  "%}",
  "{%",
  ' a="',
  '" %}',
  "\n- x",
  "\n> y",
  "\n\n",
  "\n1. z",
  "[^a]: ",
  "true",
  "<b>",
  "é"
]
const text = fc.oneof(
  fc.constantFrom("", "true", "false", "5", "null", '{"a":1}'),
  // A line of a value that is blank holds no spaces, and there are no carriage returns in text.
  fc
    .array(fc.oneof(fc.constantFrom(...atoms), fc.stringMatching(/^[!-~]{1,5}$/)), { maxLength: 8 })
    .map((all) => all.join(""))
)
const value = fc.oneof(
  text,
  fc.boolean(),
  fc.integer(),
  fc.constant(null),
  fc.jsonValue({ maxDepth: 2 }).map((json) => JSON.parse(JSON.stringify([json])) as unknown)
)
const data = fc.record(
  {
    integration: part,
    block: part,
    props: fc.uniqueArray(fc.tuple(name, value), { selector: ([key]) => key, maxLength: 4 }).map(Object.fromEntries),
    url: fc.webUrl(),
    fullWidth: fc.boolean()
  },
  { requiredKeys: ["integration", "block", "props"] }
)

const printed = (data: Data): string => {
  const block = { object: "block", type: "integration", key: "k", data, isVoid: true } as const
  return print({ document: { object: "document", data: { schemaVersion: 1 }, nodes: [block] } })
}

describe("the block of an integration", () => {
  it("comes back from Markdown with properties of all types, whatever they say", () => {
    fc.assert(
      fc.property(data, (given) => {
        const text = printed(given)
        const [block, ...others] = parse(text).document.nodes
        assert.deepStrictEqual(block?.data, given, text)
        assert.deepStrictEqual(others, [])
      }),
      runs()
    )
  })

  it("is shown as JSON where a tag can't say it", () => {
    const unsayable: ReadonlyArray<Data> = [
      { integration: "a b", block: "c", props: {} },
      { integration: "a", block: "c", props: { "d e": "f" } },
      { integration: "a", block: "c", props: { d: "x".repeat(70_000) } },
      { integration: "a", block: "c", props: { d: '"'.repeat(40_000) } },
      { integration: "a", block: "c", props: {}, url: "a\nb" },
      { integration: "a", block: "c" }
    ]
    for (const given of unsayable) assert.strictEqual(printed(given), `\`\`\`json\n${JSON.stringify(given)}\n\`\`\`\n`)
  })

  it("is found by the properties that people read", () => {
    const [block] = parse('{% @a/b title="Map" url="https://x.y" content="Here and there" size=\'5\' %}').document.nodes
    assert.strictEqual(plainText(block!), "Map\nHere and there")
  })
})
