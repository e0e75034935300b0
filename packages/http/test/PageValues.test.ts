/** Values of pages and spaces beside their texts: covers, variables, emoji. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { answers, Harness, has, onMemory, refused } from "./Harness.ts"
import * as Shapes from "./Shapes.ts"
import { json } from "./SiteSteps.ts"
import { createSpace, insertPage, openChangeRequest, publish, write } from "./Steps.ts"

/** A page as it is answered, with all that is optional. */
const pageOf = Effect.fnUntraced(function* (content: string, page: string) {
  const { call } = yield* Harness
  return yield* call("read", "GET", `${content}/page/${page}`).pipe(json(200))
})

onMemory("Values of pages and spaces", (it) => {
  it.effect("takes a cover from the front matter that is written", () =>
    Effect.gen(function* () {
      const { id: space } = yield* createSpace()
      const file = { operation: "insert_files", files: [{ name: "x.png", ref: "picture", base64: btoa("x") }] }
      const { idOf, insertedFiles } = yield* publish(space, [
        file,
        insertPage("Own", "---\ncover: /files/picture\ncoverY: 12\n---\n\nText"),
        insertPage("Elsewhere", "---\ncover: https://example.com/x.png\n---\n\nText"),
        insertPage("Nowhere", "---\ncover: pictures/x.png\n---\n\nText")
      ])
      const coverOf = (title: string) =>
        Effect.map(pageOf(`/v1/spaces/${space}/content`, idOf(title)), ({ cover }) => cover)
      assert.deepStrictEqual(yield* coverOf("Own"), { ref: { kind: "file", file: insertedFiles![0]!.id }, yPos: 12 })
      assert.deepStrictEqual(yield* coverOf("Elsewhere"), {
        ref: { kind: "url", url: "https://example.com/x.png" },
        yPos: 0
      })
      assert.isUndefined(yield* coverOf("Nowhere"))
    })
  )

  it.effect("says what navigation calls a page, a group and a link", () =>
    Effect.gen(function* () {
      const { id: space } = yield* createSpace()
      const insert = (type: string, more: object) => ({
        operation: "insert_page",
        type,
        title: `The ${type}`,
        linkTitle: type,
        ref: type,
        ...more
      })
      const { idOf } = yield* publish(space, [
        insert("document", {}),
        insert("group", {}),
        insert("link", { target: { kind: "url", url: "https://example.com" } })
      ])
      for (const type of ["document", "group", "link"]) {
        const page = yield* pageOf(`/v1/spaces/${space}/content`, idOf(type))
        assert.deepInclude(page, { type, title: `The ${type}`, linkTitle: type })
      }
    })
  )

  it.effect("tells every variable as text, however it was given", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id: space } = yield* createSpace()
      const { changeRequest, idOf, revision } = yield* publish(space, [
        { operation: "set_variables", variables: { n: 5, on: true, half: 0.5, text: "t" } },
        insertPage("Page", "---\nvars:\n  n: 1\n---\n\n{% if space.vars.n > 4 %}\nMore\n{% endif %}")
      ])
      const told = { n: "5", on: "true", half: "0.5", text: "t" }
      for (const content of ["content", `change-requests/${changeRequest}/content`, `revisions/${revision}`]) {
        const { variables } = yield* call("read", "GET", `/v1/spaces/${space}/${content}`).pipe(
          answers(200, Shapes.Revision)
        )
        assert.deepStrictEqual(variables, told)
      }
      const page = yield* pageOf(`/v1/spaces/${space}/content`, idOf("Page"))
      assert.deepStrictEqual(page.variables, { n: "1" })
      const { text } = yield* call("read", "GET", `/v1/spaces/${space}/revisions/${revision}/changes`).pipe(has(200))
      assert.include(text, `"n":{"after":"5"}`)
      // Conditions compare it as what it was given as.
      const evaluated = yield* call(
        "read",
        "GET",
        `/v1/spaces/${space}/content/page/${idOf("Page")}?evaluated=true`
      ).pipe(has(200))
      assert.include(evaluated.text, "More")
    })
  )

  it.effect("takes nothing but an emoji for an emoji", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const { id: space } = yield* createSpace({ emoji: "1f680" })
      const { id } = yield* openChangeRequest(space)
      const path = `/v1/spaces/${space}`
      for (const emoji of ["🚀", "1f680", "👩‍💻", "⚙", "⚙️", "🇩🇪"]) {
        const { emoji: told } = yield* call("admin", "PATCH", path, { emoji }).pipe(answers(200, Shapes.Space))
        assert.strictEqual(told, emoji)
        yield* write(space, id, [insertPage("Page", "", { emoji })])
      }
      for (const emoji of ["rocket", ":rocket:", "x", "🚀🚀", "1f680 ", "zzzz", "<b>", "110000", "12"]) {
        for (const [method, url, body] of [
          ["PATCH", path, { emoji }],
          ["POST", `/v1/orgs/${organization}/spaces`, { emoji }],
          ["POST", `${path}/change-requests/${id}/content`, { changes: [insertPage("Page", "", { emoji })] }]
        ] as const) {
          const { issues } = yield* call("admin", method, url, body).pipe(refused(400))
          assert.match(issues?.[0]?.message ?? "", /emoji/, emoji)
        }
      }
      // In front matter it is none of the page, and is kept as it stands.
      const { idOf } = yield* write(space, id, [insertPage("Named", "---\nemoji: rocket\n---\n\nText")])
      assert.notProperty(yield* pageOf(`${path}/change-requests/${id}/content`, idOf("Named")), "emoji")
      // None is taken away.
      yield* call("admin", "PATCH", path, { emoji: "" }).pipe(has(200))
    })
  )
})
