/** Large answers are read and written as JSON in threads, whoever asks for them first. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { FarThreads } from "../../http/test/FarThreads.ts"
import { answers, Harness, has, onMemory } from "../../http/test/Harness.ts"
import { OpenApiRawContent } from "@lectern/core/openapi/OpenApiVersion"
import { createSpec, ofSpecs, processed } from "../../http/test/OpenApiSteps.ts"
import { publishedSite } from "../../http/test/SiteSteps.ts"
import { insertPage, openChangeRequest, publish, spaceWith, write } from "../../http/test/Steps.ts"
import * as Shapes from "../../http/test/Shapes.ts"
import { asking, hasStatus } from "./SiteHarness.ts"

const threads = new FarThreads()
/** Longer JSON than this takes its time (characters). */
const short = 70_000

const paragraphs = (edit = (n: number) => `${n}`) =>
  Array.from({ length: 500 }, (_, n) => `Paragraph ${edit(n)} leads [there](other.md).`).join("\n\n")

onMemory(
  "Large answers",
  (it) => {
    it.effect("of sites are drawn and printed of what threads have read", () =>
      Effect.gen(function* () {
        const { space } = yield* spaceWith({ Start: "One.", Other: "Two." })
        yield* publish(space, [insertPage("Large", paragraphs())])
        const { urls } = yield* publishedSite([space], { visibility: "public" })
        const ask = yield* asking
        const base = urls.published
        yield* ask(`${base}start`).pipe(hasStatus(200))

        let page = ""
        const drawing = ask(`${base}large`).pipe(hasStatus(200))
        const drawn = yield* threads.longestJson(Effect.tap(drawing, ({ text }) => Effect.sync(() => (page = text))))
        assert.strictEqual(page.match(/Paragraph \d+ leads <a/g)?.length, 500)
        assert.isBelow(drawn, short)

        const printing = ask(`${base}large.md?part=1`).pipe(hasStatus(200))
        const printed = yield* threads.longestJson(Effect.tap(printing, ({ text }) => Effect.sync(() => (page = text))))
        assert.include(page, `leads [there](${base}other)`)
        assert.isBelow(printed, short)
      })
    )

    it.effect("that compare a page are what a thread has written", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { space, idOf } = yield* spaceWith({ Page: paragraphs() })
        const { id } = yield* openChangeRequest(space)
        const markdown = paragraphs((n) => (n % 4 === 0 ? `${n} anew` : `${n}`))
        yield* write(space, id, [{ operation: "update_page", page: idOf("Page"), document: { markdown } }])
        const path = `/v1/spaces/${space}/change-requests/${id}/changes/page/${idOf("Page")}`
        assert.isBelow(yield* threads.longestJson(call("read", "GET", path).pipe(has(200))), short)
        const { changes, more } = yield* call("read", "GET", path).pipe(answers(200, Shapes.PageChanges))
        assert.deepStrictEqual([changes.length, more], [125, undefined])
      })
    )

    it.effect("that hold a spec as it came are written in a thread", () =>
      Effect.gen(function* () {
        const text = JSON.stringify({
          openapi: "3.1.0",
          info: { title: "Large", version: "1", description: "“Long” ".repeat(10_000) },
          paths: {}
        })
        const { id } = yield* createSpec("large", text)
        yield* processed(id)
        threads.take()
        const raw = yield* ofSpecs("GET", "/large/versions/latest/content/raw").pipe(answers(200, OpenApiRawContent))
        assert.deepStrictEqual(raw, { text, format: "json" })
        assert.include([...threads.take()], "stringify-text")
      })
    )
  },
  { threads: threads.layer }
)
