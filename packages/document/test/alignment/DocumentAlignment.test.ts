import { assert, describe, it } from "@effect/vitest"
import type { Block, Document } from "@lectern/document/Document"
import { align } from "@lectern/document/alignment/DocumentAlignment"
import { mapBlocks } from "@lectern/document/BlockTree"
import {
  block,
  code,
  divider,
  document,
  find,
  fragment,
  heading,
  keys,
  link,
  list,
  paragraph,
  rekeyed,
  table,
  text
} from "../merge/Documents.ts"

const previous = document(
  heading("title", "Getting started"),
  paragraph("intro", "Install the package from the registry first."),
  list("steps", "Open a terminal window", "Run the install command", "Restart the editor"),
  divider("line"),
  code("sample", "const answer = 42", "console.log(answer)", "process.exit()"),
  block("tabs", "tabs", [
    block("tabs-item", "tab1", [paragraph("tab1.p", "On Linux use the package manager.")], { title: "Linux" }),
    block("tabs-item", "tab2", [paragraph("tab2.p", "On Windows use the installer.")], { title: "Windows" })
  ]),
  paragraph("outro", "Then read the reference manual.")
)

/** The previous document as it is written anew: with new keys, and other blocks instead of some. */
const written = (changes: Record<string, ReadonlyArray<Block>>, from: Document = previous): Document => {
  const replace = (nodes: ReadonlyArray<Block>): ReadonlyArray<Block> =>
    nodes.flatMap((node) => {
      const change = changes[node.key]
      if (change !== undefined) return change
      const inner = node.nodes as ReadonlyArray<Block> | undefined
      return [inner?.[0]?.object === "block" ? { ...node, nodes: replace(inner) } : node]
    })
  return rekeyed({ ...from, nodes: replace(from.nodes) })
}

const isNew = (key: string) => key.startsWith("new")

describe("alignment", () => {
  it("gives back the previous document when nothing changed, down to the order of properties", () => {
    const reordered = JSON.parse(JSON.stringify(rekeyed(previous)), (_, value: unknown) =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).reverse())
        : value
    ) as Document
    assert.strictEqual(align(previous, reordered), previous)
  })

  const kept: ReadonlyArray<readonly [string, Record<string, ReadonlyArray<Block>>, ReadonlyArray<string>]> = [
    ["an edited paragraph", { intro: [paragraph("x", "Install the package from our registry first.")] }, []],
    ["a paragraph written anew", { intro: [paragraph("x", "Nothing like it.")] }, []],
    ["a heading of another level", { title: [heading("x", "Getting started", 2)] }, []],
    ["an edited list item", { "steps.1.p": [paragraph("x", "Run the update command")] }, []],
    ["an edited line of code", { "sample.1": [block("code-line", "x", [text("console.log(answer, 1)")])] }, []],
    ["an edited paragraph in a tab", { "tab2.p": [paragraph("x", "On Windows run the installer.")] }, []],
    ["a paragraph in bold", { outro: [paragraph("x", text("Then read the reference manual.", "bold"))] }, []],
    ["a deleted paragraph", { intro: [] }, ["intro"]],
    ["a deleted list item", { "steps.1": [] }, ["steps.1", "steps.1.p"]],
    ["a deleted line of code", { "sample.0": [] }, ["sample.0"]]
  ]
  it.each(kept)("keeps every other key and its own: %s", (_, changes, gone) => {
    const aligned = align(previous, written(changes))
    assert.deepStrictEqual(
      keys(aligned).toSorted(),
      keys(previous)
        .filter((key) => !gone.includes(key))
        .toSorted()
    )
  })

  it("changes one block when one paragraph is edited", () => {
    const aligned = align(previous, written({ intro: [paragraph("x", "Install the package first.")] }))
    const changed = aligned.nodes.filter((node, i) => node !== previous.nodes[i])
    assert.deepStrictEqual(changed, [paragraph("intro", "Install the package first.")])
  })

  it.each([
    ["a paragraph", { intro: [paragraph("x", "Something new."), find(previous, "intro")!] }, 1],
    ["a paragraph like another", { outro: [find(previous, "outro")!, find(previous, "outro")!] }, 1],
    ["a list item", { "steps.1": [block("list-item", "x", [paragraph("y", "Wait")]), find(previous, "steps.1")!] }, 2],
    ["a quote around a paragraph", { intro: [block("blockquote", "x", [find(previous, "intro")!])] }, 1]
  ] as ReadonlyArray<readonly [string, Record<string, ReadonlyArray<Block>>, number]>)(
    "keeps every key beside what is inserted: %s",
    (_, changes, count) => {
      const aligned = align(previous, written(changes))
      assert.deepStrictEqual(
        keys(aligned)
          .filter((key) => !isNew(key))
          .toSorted(),
        keys(previous).toSorted()
      )
      assert.strictEqual(keys(aligned).filter(isNew).length, count)
    }
  )

  it("keeps the keys of moved blocks", () => {
    const [title, intro, steps, ...rest] = previous.nodes as [Block, Block, Block, ...Array<Block>]
    const aligned = align(previous, rekeyed(document(title, steps, ...rest, intro)))
    assert.deepStrictEqual(aligned, document(title, steps, ...rest, intro))
  })

  const long = (key: string) =>
    paragraph(key, "A long text, of many more words than what else stands in either of the two, which are short.")
  const hint = (key: string, ...nodes: ReadonlyArray<Block>) => block("hint", key, nodes, { style: "info" })
  const title = (key: string) => paragraph(key, text("Careful", "bold"))
  const item = (key: string, said: string) => block("list-item", key, [paragraph(`${key}.p`, said)])
  it.each([
    ["to the block below", [hint("a", paragraph("a1", "One"), long("x")), hint("b", paragraph("b1", "Two"))]],
    ["to the block above", [hint("a", paragraph("a1", "One")), hint("b", long("x"), paragraph("b1", "Two"))]],
    [
      "from one with a title that others have too",
      [hint("a", title("a1"), long("x")), hint("b", title("b1"), paragraph("b2", "Two"))]
    ],
    [
      "into a block in another",
      [hint("a", hint("a1", paragraph("a2", "One"))), hint("b", long("x"), paragraph("b1", "Two"))]
    ],
    [
      "as an item",
      [
        block("list-unordered", "a", [item("a1", "One"), block("list-item", "x", [long("x.p")])]),
        block("list-unordered", "b", [item("b1", "Two"), item("b2", "Three")])
      ]
    ]
  ] as ReadonlyArray<readonly [string, ReadonlyArray<Block>]>)(
    "keeps the keys of blocks of which one lost most of its text to another: %s",
    (_, nodes) => {
      const before = document(...nodes)
      const moved = find(before, "x")!
      const into = keys(before).includes("a2") ? "a1" : nodes[0]!.nodes!.includes(moved) ? "b" : "a"
      const after = mapBlocks(before, (block, { key }) => {
        if (key === "x") return []
        return key === into ? { ...block, nodes: [...block.nodes!, moved] } : block
      })
      assert.deepStrictEqual(align(before, rekeyed(after)), after)
    }
  )

  it("keeps the keys of an edited block beside a moved one", () => {
    const before = document(
      paragraph("a", "one two three four"),
      paragraph("b", "five six seven eight"),
      paragraph("c", "nine ten eleven twelve")
    )
    const after = document(
      paragraph("c", "nine ten eleven twelve"),
      paragraph("a", "one two three 4"),
      paragraph("b", "five six seven eight")
    )
    assert.deepStrictEqual(align(before, rekeyed(after)), after)
  })

  it("keeps the keys in fragments", () => {
    const expandable = (body: string): Block => ({
      object: "block",
      type: "expandable",
      key: "e",
      fragments: [
        fragment("expandable-title", paragraph("t", "More about this")),
        fragment("expandable-body", paragraph("b", body))
      ]
    })
    const after = document(expandable("The body, edited"))
    assert.deepStrictEqual(align(document(expandable("The body")), rekeyed(after)), after)
  })

  it("keeps what is equal among the texts and inline nodes of an edited block", () => {
    const old = { ...link("the manual", "/manual"), key: "i1" }
    const before = document(paragraph("p", { ...text("Read "), key: "t1" }, old, { ...text(" now."), key: "t2" }))
    const next = document(paragraph("n", text("Read "), link("the manual", "/manual"), text(" later.")))
    assert.deepStrictEqual(
      align(before, next),
      document(paragraph("p", { ...text("Read "), key: "t1" }, old, { ...text(" later."), key: "t2" }))
    )
  })

  it("never gives one key twice, even when the written keys are those of other blocks", () => {
    const before = document(paragraph("a", "one two three"), paragraph("b", "four five six"))
    const next = document(heading("b", "new heading"), paragraph("x", "one two three"), paragraph("y", "four five six"))
    const aligned = align(before, next)
    assert.deepStrictEqual(aligned.nodes.slice(1), before.nodes)
    assert.strictEqual(new Set(keys(aligned)).size, 3)
  })

  describe("of tables", () => {
    const titles = ["Name", "Meaning"]
    const rows = [
      ["GET", "reads a thing"],
      ["PUT", "replaces a thing"],
      ["DELETE", "removes a thing"]
    ]
    const before = document(table("t", titles, rows))
    const readAgain = (newRows: ReadonlyArray<ReadonlyArray<string>>, newTitles = titles) =>
      document(table("n", newTitles, newRows, "fresh"))
    const records = (value: Document) => value.nodes[0]!.data!["records"] as Record<string, { orderIndex: string }>

    it("gives back the previous table when nothing changed but the ids", () => {
      assert.strictEqual(align(before, readAgain(rows)), before)
    })

    it("changes one cell", () => {
      const changed = [rows[0]!, ["PUT", "stores a thing"], rows[2]!]
      assert.deepStrictEqual(align(before, readAgain(changed)), document(table("t", titles, changed)))
    })

    it("adds a row and leaves the others alone", () => {
      const aligned = align(before, readAgain([rows[0]!, ["PATCH", "edits some of it"], rows[1]!, rows[2]!]))
      const { "fresh-r1-n": added, ...others } = records(aligned)
      assert.deepStrictEqual(others, records(before))
      assert.isTrue(added!.orderIndex > "a0" && added!.orderIndex < "a1")
    })

    it("removes a row and leaves the others alone", () => {
      const { "t-r1": _, ...others } = records(before)
      assert.deepStrictEqual(records(align(before, readAgain([rows[0]!, rows[2]!]))), others)
    })

    it("adds a column and keeps the ids of the others", () => {
      const aligned = align(
        before,
        readAgain(
          rows.map(([name, meaning]) => [name!, "yes", meaning!]),
          ["Name", "Safe", "Meaning"]
        )
      )
      assert.deepStrictEqual((aligned.nodes[0]!.data!["view"] as { columns: unknown }).columns, [
        "t-c0",
        "fresh-c1-n",
        "t-c1"
      ])
      assert.isDefined(find(aligned, "t-p1-1"))
    })
  })

  describe("of hostile documents", () => {
    const many = (count: number, value: (i: number) => string) =>
      document(...Array.from({ length: count }, (_, i) => paragraph(`k${i}`, value(i))))

    it("10,000 equal blocks, fewer of them", () => {
      const equal = many(10_000, () => "same")
      assert.deepStrictEqual(align(equal, rekeyed(many(9_000, () => "same"))).nodes, equal.nodes.slice(0, 9_000))
    })

    it("10,000 blocks, all different", () => {
      const aligned = align(
        many(10_000, (i) => `a${i}`),
        rekeyed(many(10_000, (i) => `b${i} c${i}`))
      )
      assert.strictEqual(new Set(keys(aligned)).size, 10_000)
    })

    it("10,000 blocks in reverse", () => {
      const value = many(10_000, (i) => `one two ${i}`)
      const reversed = { ...value, nodes: value.nodes.toReversed() }
      assert.deepStrictEqual(align(value, rekeyed(reversed)), reversed)
    })

    it("5,000 blocks in one another", () => {
      const deep = (start: string, word: string) => {
        let value = paragraph(`${start}0`, word)
        for (let i = 1; i < 5_000; i++) value = block("blockquote", `${start}${i}`, [value])
        return document(value)
      }
      const before = deep("k", "one")
      assert.strictEqual(align(before, deep("n", "one")), before)
      assert.strictEqual(keys(align(before, deep("n", "two"))).at(-1), "k0")
    })
  })
})
