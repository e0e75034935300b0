/** Large edits of one page on two sides: whatever they are, they can be compared, brought up to date and merged. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { answers, Harness, has, onMemory } from "./Harness.ts"
import * as Shapes from "./Shapes.ts"
import { merge, openChangeRequest, pageOf, publish, spaceWith, write } from "./Steps.ts"

const range = (length: number): ReadonlyArray<number> => Array.from({ length }, (_, i) => i)
const paragraphs = (names: ReadonlyArray<string>) => names.map((name) => `Paragraph ${name} says this.`).join("\n\n")

const one = range(140).map((i) => `one ${i}`)
const other = range(140).map((i) => `other ${i}`)
const middle = ["between", "and between"]

const rows = (order: (row: number) => number) =>
  ["| Name | Value |", "| --- | --- |"]
    .concat(
      range(302)
        .toSorted((a, b) => order(a) - order(b))
        .map((row) => `| row ${row} | value ${row} |`)
    )
    .join("\n")

const words = (name: string, length: number) => range(length).map((i) => `${name}${i}`)
const [start, end] = [words("start", 1999), words("end", 1999)]

/** The page at first, as the change request writes it, and as main has it by then. */
const edits: Readonly<Record<string, readonly [base: string, ours: string, main: string]>> = {
  "groups of paragraphs that change places, each reversed": [
    paragraphs([...one, ...middle, ...other]),
    paragraphs([...other.toReversed(), ...middle, ...one.toReversed()]),
    paragraphs([...one, ...middle, ...other, "at the end"])
  ],
  "groups of paragraphs that both sides put elsewhere": [
    paragraphs([...one, ...middle, ...other]),
    paragraphs([...other.toReversed(), ...middle, ...one.toReversed()]),
    paragraphs([...middle, ...other, ...one.toReversed()])
  ],
  "a table of 302 rows in other orders": [
    rows((row) => row),
    rows((row) => (row * 7919) % 302),
    rows((row) => (row * 104_729 + 7) % 302)
  ],
  "a paragraph of 4,000 words written anew on both sides": [
    [...start, ...middle, ...end].join(" "),
    [...end.toReversed(), ...middle, ...start.toReversed()].join(" "),
    [...middle, ...end.toReversed(), ...start].join(" ")
  ]
}

onMemory("Large edits", (it) => {
  for (const [name, [base, ours, main]] of Object.entries(edits)) {
    it.effect(`${name} can be compared, brought up to date and merged`, () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { space, idOf } = yield* spaceWith({ Page: base })
        const page = idOf("Page")
        const text = (markdown: string) => ({ operation: "update_page", page, document: { markdown } })
        const { id } = yield* openChangeRequest(space)
        yield* write(space, id, [text(ours)])
        const path = `/v1/spaces/${space}/change-requests/${id}`
        yield* call("read", "GET", `${path}/changes/page/${page}`).pipe(has(200))
        yield* publish(space, [text(main)])
        yield* call("admin", "POST", `${path}/update`).pipe(answers(200, Shapes.UpdateResult))
        const { conflicts } = yield* call("admin", "GET", `${path}/changes`).pipe(
          answers(200, Shapes.ChangeRequestChanges)
        )
        yield* call("read", "GET", `${path}/changes/page/${page}`).pipe(has(200))
        // Some one by one, and all others by writing the page.
        for (const conflict of conflicts.slice(0, 3)) {
          yield* call("admin", "POST", `${path}/conflicts/${conflict.id}`, { keep: "ours" }).pipe(has(200))
        }
        if (conflicts.length > 3) yield* write(space, id, [text(ours)])
        assert.strictEqual((yield* merge(space, id)).result, "merge")
        const { markdown } = yield* pageOf(`/v1/spaces/${space}/content`, page)
        assert.isAbove(markdown?.length ?? 0, base.length / 2)
      })
    )
  }

  it.effect("blocks in one another that each conflict with a long text in them are one conflict of the whole", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { space, idOf } = yield* spaceWith({ Page: "" })
      const page = idOf("Page")
      const long = "word ".repeat(40_000)
      const nested = (style: string) => {
        let block: unknown = {
          object: "block",
          type: "paragraph",
          key: "text",
          nodes: [{ object: "text", leaves: [{ object: "leaf", text: long, marks: [] }] }]
        }
        for (const i of range(90))
          block = { object: "block", type: "hint", key: `${i}`, data: { style }, nodes: [block] }
        return { operation: "update_page", page, document: { document: { object: "document", nodes: [block] } } }
      }
      yield* publish(space, [nested("info")])
      const { id } = yield* openChangeRequest(space)
      yield* write(space, id, [nested("warning")])
      const path = `/v1/spaces/${space}/change-requests/${id}`
      const differences = call("read", "GET", `${path}/changes/page/${page}`).pipe(answers(200, Shapes.PageChanges))
      assert.deepStrictEqual(
        (yield* differences).changes.map(({ type }) => type),
        ["block_edited"]
      )
      yield* publish(space, [nested("danger")])
      assert.strictEqual((yield* merge(space, id)).result, "conflicts")
      const { conflicts } = yield* call("admin", "GET", `${path}/changes`).pipe(
        answers(200, Shapes.ChangeRequestChanges)
      )
      assert.deepStrictEqual(
        conflicts.map(({ page, field }) => [page, field]),
        [[page, "document"]]
      )
      yield* call("admin", "POST", `${path}/conflicts/${conflicts[0]!.id}`, { keep: "main" }).pipe(has(200))
      assert.strictEqual((yield* merge(space, id)).result, "merge")
    })
  )
})
