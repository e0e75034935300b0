/** Conflicts in tables, code and tabs through the interface: how small they are, and how each choice settles them. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { answers, Harness, has, onEachAdapter, refused } from "./Harness.ts"
import * as Shapes from "./Shapes.ts"
import { merge, openChangeRequest, pageOf, publish, spaceWith, write } from "./Steps.ts"

const table = (...rows: ReadonlyArray<string>) =>
  ["| Name | Price |", "| --- | --- |", ...rows.map((row) => `| ${row} |`)].join("\n")
const code = (...lines: ReadonlyArray<string>) =>
  ['{% tabs %}\n{% tab title="Node" %}\n```js', ...lines, "```\n{% endtab %}\n{% endtabs %}"].join("\n")
const card = (url: string) =>
  `<table data-view="cards"><thead><tr><th></th><th data-hidden data-card-target data-type="content-ref"></th></tr></thead><tbody><tr><td>One</td><td><a href="${url}">${url}</a></td></tr></tbody></table>`
const [apple, banana, cherry] = ["apple | 1 euro", "banana | 2 euro", "cherry | 3 euro"]
const bothInCell = table(apple, "banana | <p>4 euro</p><p>5 euro</p>")

interface Situation {
  readonly name: string
  readonly base: string
  readonly main: string
  readonly ours: string
  readonly merged: string
  /** The part of a table that it is about. */
  readonly part: ReadonlyArray<"row" | "column">
  /** Types, and titles where there are any, of what it stands in. */
  readonly inside: ReadonlyArray<string>
  /** The texts of main's version, and of ours. */
  readonly versions: readonly [main: ReadonlyArray<string>, ours: ReadonlyArray<string>]
  readonly settled: { readonly main: string; readonly ours: string; readonly both: string | 409 }
}

const situations: ReadonlyArray<Situation> = [
  {
    name: "a row that ours deleted",
    base: table(apple, banana, cherry),
    main: table(apple, "banana | 4 euro", cherry),
    ours: table(apple, cherry),
    merged: table(apple, "banana | 4 euro", cherry),
    part: ["row"],
    inside: [],
    versions: [["banana", "4 euro"], []],
    settled: {
      main: table(apple, "banana | 4 euro", cherry),
      ours: table(apple, cherry),
      both: table(apple, "banana | 4 euro", cherry)
    }
  },
  {
    name: "the text of a cell",
    base: table(apple, banana),
    main: table(apple, "banana | 4 euro"),
    ours: table(apple, "banana | 5 euro"),
    merged: table(apple, "banana | 5 euro"),
    part: [],
    inside: ["table row column"],
    versions: [["4 euro"], ["5 euro"]],
    settled: { main: table(apple, "banana | 4 euro"), ours: table(apple, "banana | 5 euro"), both: bothInCell }
  },
  {
    name: "the title of a column",
    base: table(apple),
    main: table(apple).replace("Price", "Cost"),
    ours: table(apple).replace("Price", "Amount"),
    merged: table(apple).replace("Price", "Amount"),
    part: ["column"],
    inside: [],
    versions: [[], []],
    settled: { main: table(apple).replace("Price", "Cost"), ours: table(apple).replace("Price", "Amount"), both: 409 }
  },
  {
    name: "where a card leads",
    base: card("https://a.example"),
    main: card("https://b.example"),
    ours: card("https://c.example"),
    merged: card("https://c.example"),
    part: ["row", "column"],
    inside: [],
    versions: [["One"], ["One"]],
    settled: { main: card("https://b.example"), ours: card("https://c.example"), both: 409 }
  },
  {
    name: "a line of code in a tab",
    base: code("let a = 1", "let b = 2"),
    main: code("let a = 1", "let b = 3"),
    ours: code("let a = 10", "let b = 4"),
    merged: code("let a = 10", "let b = 4"),
    part: [],
    inside: ["tabs", "tabs-item Node", "code"],
    versions: [["let b = 3"], ["let b = 4"]],
    settled: {
      main: code("let a = 10", "let b = 3"),
      ours: code("let a = 10", "let b = 4"),
      both: code("let a = 10", "let b = 3", "let b = 4")
    }
  }
]

const texts = (version: unknown): ReadonlyArray<string> => {
  const found: Array<string> = []
  JSON.stringify(version, (name, value: unknown) => {
    if (name === "text" && typeof value === "string") found.push(value)
    return value
  })
  return found
}

onEachAdapter("A conflict in a part of a page", (it) => {
  for (const { base, inside, main, merged, name, ours, part, settled, versions } of situations) {
    it.effect(`shows ${name}, and is settled by each choice`, () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        for (const [keep, expected] of Object.entries(settled)) {
          const { space, idOf } = yield* spaceWith({ Page: base })
          const page = idOf("Page")
          const update = (markdown: string) => [{ operation: "update_page", page, document: { markdown } }]
          const { id } = yield* openChangeRequest(space)
          yield* write(space, id, update(ours))
          yield* publish(space, update(main))
          assert.strictEqual((yield* merge(space, id)).result, "conflicts")

          const path = `/v1/spaces/${space}/change-requests/${id}`
          assert.strictEqual((yield* pageOf(`${path}/content`, page)).markdown?.trim(), merged)
          const { conflicts } = yield* call("read", "GET", `${path}/changes`).pipe(
            answers(200, Shapes.ChangeRequestChanges)
          )
          assert.lengthOf(conflicts, 1)
          const [conflict] = conflicts
          const kept = Object.entries(settled).flatMap(([name, result]) => (result === 409 ? [] : [name]))
          assert.deepStrictEqual(conflict?.keep, kept as NonNullable<typeof conflict>["keep"])
          assert.deepStrictEqual([texts(conflict?.main), texts(conflict?.ours)], versions)
          assert.deepStrictEqual(
            (["row", "column"] as const).filter((each) => conflict?.[each] !== undefined),
            part
          )
          const around = conflict?.inside?.map(({ column, row, title, type }) =>
            [type, title, row && "row", column && "column"].filter((each) => each !== undefined).join(" ")
          )
          assert.deepStrictEqual(around ?? [], inside)

          const answer = call("admin", "POST", `${path}/conflicts/${conflict?.id}`, { keep })
          if (expected === 409) {
            yield* answer.pipe(refused(409))
            continue
          }
          yield* answer.pipe(has(200))
          assert.strictEqual((yield* merge(space, id)).result, "merge")
          const { markdown } = yield* pageOf(`/v1/spaces/${space}/content`, page)
          assert.strictEqual(markdown?.trim(), expected)
        }
      })
    )
  }
})
