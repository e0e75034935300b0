/** Large pages, whatever is done with them: computed in threads, with what small ones come to. */
import { assert } from "@effect/vitest"
import { JobWorker } from "@lectern/core/job/JobWorker"
import { pseudoTranslate } from "@lectern/core/translation/PseudoTranslator"
import { Effect, Schema } from "effect"
import { FarThreads } from "./FarThreads.ts"
import { answers, Harness, has, onMemory } from "./Harness.ts"
import * as Shapes from "./Shapes.ts"
import { json, publishedSite, resolve } from "./SiteSteps.ts"
import { createSpace, merge, openChangeRequest, pageOf, publish, write } from "./Steps.ts"

const threads = new FarThreads()

const leaf = (text: string) => ({ object: "text", leaves: [{ object: "leaf", text, marks: [] }] })
const block = (type: string, key: string, rest: object) => ({ object: "block", type, key, ...rest })
const paragraph = (key: string, ...nodes: ReadonlyArray<object>) => block("paragraph", key, { nodes })
const version = { object: "inline", type: "expression", data: { expression: "space.vars.version" }, isVoid: true }

const many = 1500

/** Each of its paragraphs says something else. */
const large = (edit: (n: number) => string = () => "") => ({
  document: {
    object: "document",
    data: {},
    nodes: [
      paragraph("first", leaf("This is version "), version),
      block("heading-1", "heading", { nodes: [leaf("Parts")] }),
      block("if", "paid", {
        data: { expression: "visitor.claims.unsigned.plan == 'pro'" },
        nodes: [paragraph("secret", leaf("For those who pay"))]
      }),
      block("html", "html", { data: { html: "<script>run()</script>" }, isVoid: true }),
      block("reusable-content", "include", { data: { ref: { kind: "reusable-content", reusableContent: "Note" } } }),
      ...Array.from({ length: many }, (_, n) => paragraph(`p${n}`, leaf(`Paragraph ${n} says this.${edit(n)}`)))
    ]
  }
})

const makeSpace = Effect.gen(function* () {
  const space = yield* createSpace({ title: "Large" })
  const { idOf } = yield* publish(space.id, [
    { operation: "set_variables", variables: { version: "1.2" } },
    {
      operation: "upsert_reusable_content",
      ref: "Note",
      title: "Note",
      document: { document: { object: "document", data: {}, nodes: [paragraph("n", leaf("Note for "), version)] } }
    },
    { operation: "insert_page", ref: "Page", title: "Page", document: large() }
  ])
  threads.take()
  return { space: space.id, page: idOf("Page"), path: `/v1/spaces/${space.id}/content/page/${idOf("Page")}` }
})

onMemory(
  "Large pages",
  (it) => {
    it.effect("are evaluated in threads, and are for visitors what they may see", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { space, path } = yield* makeSpace
        const textOf = (query: string) =>
          Effect.map(call("read", "GET", `${path}?${query}`).pipe(has(200)), ({ text }): string => text)

        const stored = JSON.parse(yield* textOf("format=document"))
        assert.lengthOf(stored.document.nodes, many + 5)
        // Its headings have anchors.
        assert.isTrue(threads.take().has("show-document"))

        const { markdown } = JSON.parse(yield* textOf("evaluated=true"))
        assert.isTrue(markdown.startsWith("# Page\n\nThis is version 1.2\n\n## Parts\n"))
        assert.include(markdown, "Note for 1.2")
        assert.notInclude(markdown, "For those who pay")
        assert.include(markdown, `Paragraph ${many - 1} says this.`)
        assert.isTrue(threads.take().has("show-document"))

        const { basename } = yield* publishedSite([space])
        const tokenOf = (query: string) =>
          Effect.map(resolve(`http://127.0.0.1:4000/sites/${basename}/page${query}`), ({ apiToken }) => apiToken)
        const [anyone, paying] = [yield* tokenOf(""), yield* tokenOf("?visitor.plan=pro")]
        const visited = (token: string, query: string) =>
          Effect.map(call({ token }, "GET", `${path}?${query}`).pipe(has(200)), ({ text }): string => text)
        for (const query of ["", "format=document", "evaluated=true", "format=document&evaluated=true"]) {
          const [hidden, shown] = [yield* visited(anyone, query), yield* visited(paying, query)]
          for (const text of [hidden, shown]) {
            assert.include(text, "Paragraph 7 says this.")
            for (const gone of ["<script", "visitor.claims", "{% if"]) assert.notInclude(text, gone)
          }
          assert.notInclude(hidden, "For those who pay")
          assert.include(shown, "For those who pay")
        }
        assert.isTrue(threads.take().has("show-document"))
      })
    )

    it.effect("that take too long to evaluate are shown to members as they are, and to visitors not at all", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { space, path } = yield* makeSpace
        const { basename } = yield* publishedSite([space])
        const { apiToken: token } = yield* resolve(`http://127.0.0.1:4000/sites/${basename}/page`)
        threads.costly.add("show-document")
        const { document } = yield* call("read", "GET", `${path}?format=document&evaluated=true`).pipe(
          answers(200, Shapes.Page)
        )
        assert.lengthOf(document!.nodes as ReadonlyArray<unknown>, many + 5)
        for (const query of ["", "?format=document&evaluated=true"]) {
          const { text } = yield* call({ token }, "GET", path + query).pipe(has(200))
          assert.include(text, '"title":"Page"')
          for (const gone of ["Paragraph", "For those who pay"]) assert.notInclude(text, gone)
        }
        threads.costly.clear()
      })
    )

    it.effect("are found with their sections, and talked about", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { space, page } = yield* makeSpace
        const { items } = yield* call("read", "GET", `/v1/spaces/${space}/search?query=1234`).pipe(json(200))
        assert.strictEqual(items[0].id, page)
        assert.strictEqual(items[0].sections[0].title, "Parts")
        assert.include(items[0].sections[0].body, "Paragraph 1234 says this.")
        assert.isTrue(threads.take().has("read-sections"))

        const about = `/v1/spaces/${space}/comments`
        const comment = (node: string) => call("admin", "POST", about, { body: { markdown: "Why?" }, page, node })
        const posted = yield* comment("p1234").pipe(json(200))
        assert.deepStrictEqual(posted.target.node, { id: "p1234", preview: "Paragraph 1234 says this." })
        yield* comment("p999999").pipe(has(400))
        assert.isTrue(threads.take().has("preview-targets"))
        yield* publish(space, [{ operation: "update_page", page, document: large((n) => (n === 1234 ? " Now." : "")) }])
        const [listed] = (yield* call("read", "GET", about).pipe(json(200))).items
        assert.deepStrictEqual(listed.target.node, { id: "p1234", preview: "Paragraph 1234 says this. Now." })
        assert.isFalse(listed.target.page.outdated)
      })
    )

    it.effect("are translated in threads, over what people wrote into the result", () =>
      Effect.gen(function* () {
        const { call, organization } = yield* Harness
        const { space, page } = yield* makeSpace
        const all = `/v1/orgs/${organization}/translations`
        const Made = Schema.Struct({ id: Schema.String })
        const { id } = yield* call("admin", "POST", all, { language: "de", source: { space } }).pipe(answers(201, Made))
        const run = Effect.gen(function* () {
          yield* call("admin", "POST", `${all}/${id}/run`).pipe(has(204))
          yield* JobWorker.use(({ runDue }) => runDue)
          const done = yield* call("admin", "GET", `${all}/${id}`).pipe(json(200))
          assert.strictEqual(done.status, "completed")
          assert.strictEqual(done.untranslated, 0)
          return done.result.space as string
        })
        const result = yield* run
        const asked = threads.take()
        for (const name of ["collect-texts", "put-answers"]) assert.isTrue(asked.has(name), name)
        const linesOf = Effect.map(pageOf(`/v1/spaces/${result}/content`, page), ({ markdown }) =>
          markdown!.split("\n\n")
        )
        const first = yield* linesOf
        assert.include(first, pseudoTranslate("Paragraph 1234 says this."))

        // Someone writes two of them anew; of one the source says something else at the next run.
        const { id: edit } = yield* openChangeRequest(result)
        const markdown = first.join("\n\n").replace(/(?<=Þáŕáĝŕáþĥ [78] )šáýš/g, "says by hand")
        yield* write(result, edit, [{ operation: "update_page", page, document: { markdown } }])
        yield* merge(result, edit)
        yield* publish(space, [
          { operation: "update_page", page, document: large((n) => (n === 8 || n === 9 ? " Now." : "")) }
        ])
        threads.take()
        yield* run
        assert.isTrue(threads.take().has("amend-documents"))
        const second = yield* linesOf
        assert.lengthOf(
          second.filter((line) => line.includes("Þáŕáĝŕáþĥ 7 says by hand")),
          1
        )
        assert.notInclude(second.join("\n"), "8 says by hand")
        for (const n of [8, 9]) assert.include(second, pseudoTranslate(`Paragraph ${n} says this. Now.`))
      })
    )
  },
  { threads: threads.layer }
)
