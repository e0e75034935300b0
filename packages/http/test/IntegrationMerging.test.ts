/** Blocks of integrations, and code that they take over, where two sides edited them: nothing is lost that one side alone touched. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { belowTitle } from "../../core/test/content/BelowTitle.ts"
import { answers, Harness, has, onMemory } from "./Harness.ts"
import { installed, program } from "./IntegrationSteps.ts"
import * as Shapes from "./Shapes.ts"
import { json } from "./SiteSteps.ts"
import { merge, openChangeRequest, publish, spaceWith, write } from "./Steps.ts"
import { UnsafeRuntime } from "./UnsafeRuntime.ts"

const diagram = { id: "diagram", title: "Diagram", markdown: { codeblock: "mermaid", body: "content" } }
const note = { id: "note", title: "Note", urlUnfurl: ["https://notes.example/**"] }
const drawing = installed({ target: "all", script: program(`return new Response()`), blocks: [diagram, note] })

/** How a side edits a page: its Markdown, or the document as it is answered while the integration is installed. */
type Edit =
  | { readonly markdown: (text: string) => string }
  | { readonly document: (json: string) => string }
  | { readonly uninstalled: string }

interface Sides {
  readonly base: string
  readonly main: Edit
  readonly ours: Edit
}

const inMarkdown = (from: string, to: string): Edit => ({ markdown: (text) => replaced(text, from, to) })
const inDocument = (from: string, to: string): Edit => ({ document: (json) => replaced(json, from, to) })

const replaced = (text: string, from: string, to: string): string => {
  assert.include(text, from)
  return text.replace(from, to)
}

/** Two sides of a page whose base both have edited; `merged` merges them, and gives the text that is main then. */
const edited = Effect.fnUntraced(function* ({ base, main, ours }: Sides) {
  const { call } = yield* Harness
  const { space, idOf } = yield* spaceWith({ Page: base })
  const page = idOf("Page")
  const content = `/v1/spaces/${space}/content`
  const markdown = call("admin", "GET", `${content}/page/${page}`).pipe(
    json(200),
    Effect.map(({ markdown }) => belowTitle(markdown))
  )
  const changeBy = Effect.fnUntraced(function* (edit: Edit) {
    if ("uninstalled" in edit) {
      yield* call("admin", "DELETE", edit.uninstalled).pipe(has(204))
      return { operation: "update_page", page, document: { markdown: `${yield* markdown}\nLast.\n` } }
    }
    if ("markdown" in edit) {
      return { operation: "update_page", page, document: { markdown: edit.markdown(yield* markdown) } }
    }
    const { document } = yield* call("admin", "GET", `${content}/page/${page}?format=document`).pipe(json(200))
    const text = edit.document(JSON.stringify(document))
    return { operation: "update_page", page, document: { document: JSON.parse(text) as unknown } }
  })
  const { id } = yield* openChangeRequest(space)
  const [ofOurs, ofMain] = [yield* changeBy(ours), yield* changeBy(main)]
  yield* write(space, id, [ofOurs])
  yield* publish(space, [ofMain])
  const path = `/v1/spaces/${space}/change-requests/${id}`
  const conflictsOf = call("admin", "GET", `${path}/changes`).pipe(
    answers(200, Shapes.ChangeRequestChanges),
    Effect.map(({ conflicts }) => conflicts)
  )
  const keep = Effect.fnUntraced(function* (side: "main" | "ours") {
    for (const conflict of yield* conflictsOf) {
      yield* call("admin", "POST", `${path}/conflicts/${conflict.id}`, { keep: side }).pipe(has(200))
    }
  })
  return { merging: merge(space, id), keep, markdown }
})

const merged = Effect.fnUntraced(function* (sides: Sides) {
  const { merging, markdown } = yield* edited(sides)
  assert.strictEqual((yield* merging).result, "merge")
  return yield* markdown
})

const card = (title: string, color: string, more = "") => `{% @cards/card title="${title}" color="${color}"${more} %}\n`
const chart = (theme: string, ...lines: ReadonlyArray<string>) =>
  `\`\`\`mermaid theme="${theme}"\n${lines.join("\n")}\n\`\`\`\n`

onMemory(
  "Blocks of integrations on two sides",
  (it) => {
    it.effect("keep what each side set, however it was sent", () =>
      Effect.gen(function* () {
        const base = card("One", "red", ' n="1"')
        const edits = {
          markdown: [inMarkdown('title="One"', 'title="Two"'), inMarkdown('color="red"', 'color="blue" more="ours"')],
          document: [
            inDocument('"title":"One"', '"title":"Two"'),
            inDocument('"color":"red"', '"color":"blue","more":"ours"')
          ]
        } as const
        for (const [main] of Object.values(edits)) {
          for (const [, ours] of Object.values(edits)) {
            assert.strictEqual(yield* merged({ base, main, ours }), card("Two", "blue", ' n="1" more="ours"'))
          }
        }
        // One side takes a property away, the other sets another.
        assert.strictEqual(
          yield* merged({ base, main: inDocument(',"n":"1"', ""), ours: inMarkdown("red", "blue") }),
          card("One", "blue")
        )
      })
    )

    it.effect("keep the whole block that one side edited and the other deleted, until somebody decides", () =>
      Effect.gen(function* () {
        const { path } = yield* drawing
        for (const [base, from, to] of [
          [card("One", "red"), "red", "blue"],
          [chart("dark", "graph TD", "A --> B"), "A --> B", "A --> C"]
        ] as const) {
          const kept = base.replace(from, to)
          const text = `Before.\n\n${base}\nBehind.\n`
          const gone = inMarkdown(`${base}\n`, "")
          for (const edit of [inMarkdown(from, to), inDocument(from, to)]) {
            for (const [main, ours, side] of [
              [gone, edit, "ours"],
              [edit, gone, "main"]
            ] as const) {
              const { merging, keep, markdown } = yield* edited({ base: text, main, ours })
              assert.strictEqual((yield* merging).result, "conflicts")
              yield* keep(side)
              assert.strictEqual((yield* merging).result, "merge")
              assert.strictEqual(yield* markdown, `Before.\n\n${kept}\nBehind.\n`)
            }
          }
        }
        const { call } = yield* Harness
        yield* call("admin", "DELETE", path).pipe(has(204))
      })
    )

    it.effect("are code whose lines and properties both sides edited, one as the block and one as code", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const lines = ["graph TD", "A --> B", "B --> C", "C --> D", "D --> E"]
        const base = chart("dark", ...lines)
        const { path } = yield* drawing
        const first = [inMarkdown("A --> B", "A ==> B"), inDocument("A --> B", "A ==> B")]
        const last = [inMarkdown("D --> E", "D ==> E"), inDocument("D --> E", "D ==> E")]
        const both = chart("dark", "graph TD", "A ==> B", "B --> C", "C --> D", "D ==> E")
        for (const main of first) {
          for (const ours of last) assert.strictEqual(yield* merged({ base, main, ours }), both)
        }
        const theme = [inMarkdown('theme="dark"', 'theme="light"'), inDocument('"theme":"dark"', '"theme":"light"')]
        for (const main of theme) {
          for (const ours of last) {
            assert.strictEqual(yield* merged({ base, main, ours }), chart("light", ...lines).replace("D -->", "D ==>"))
          }
        }
        // What was edited as a block is code where the integration is gone when it is merged.
        assert.strictEqual(
          yield* merged({ base, main: { uninstalled: path }, ours: inDocument("D --> E", "D ==> E") }),
          `${base.replace("D -->", "D ==>")}\nLast.\n`
        )
        yield* call("admin", "GET", path).pipe(has(404))
      })
    )

    it.effect("are links that one side made a block of its own, and text around them that the other wrote", () =>
      Effect.gen(function* () {
        const { name, path } = yield* drawing
        const url = "https://notes.example/1"
        const base = `Before.\n\n{% embed url="${url}" %}\n`
        const ours = inDocument('"props":{},"url"', '"props":{"note":"1"},"url"')
        assert.strictEqual(
          yield* merged({ base, main: inMarkdown("Before.", "Long before."), ours }),
          `Long before.\n\n{% @${name}/note "${url}" note="1" %}\n`
        )
        const { merging, keep, markdown } = yield* edited({
          base,
          main: inMarkdown(`url="${url}" %}`, `url="${url}" %}\nA caption\n{% endembed %}`),
          ours
        })
        assert.strictEqual((yield* merging).result, "conflicts")
        yield* keep("main")
        assert.strictEqual((yield* merging).result, "merge")
        assert.include(yield* markdown, "A caption")
        const { call } = yield* Harness
        yield* call("admin", "DELETE", path).pipe(has(204))
      })
    )
  },
  { integrationRuntime: UnsafeRuntime.layer }
)
