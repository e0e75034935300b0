/** A document that is sent back as it was read leaves its page as it was. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Harness, onMemory } from "./Harness.ts"
import { json } from "./SiteSteps.ts"
import { openChangeRequest, pageOf, spaceWith, write } from "./Steps.ts"

onMemory("Documents that are sent back", (it) => {
  for (const markdown of [
    "[a](#über-uns) and [b](#Uber uns)\n\n## Über uns",
    "Street 12<br>London\n\n* Monday<br/>closed\n\n{% unknown %}\n\nText",
    "## 9.62. Schema\n\n[there](#962-schema)\n\n| a | b |\n| --- | --- |\n| [x](#962-schema) | y |"
  ]) {
    it.effect(`leave the page as it was: ${JSON.stringify(markdown)}`, () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { space, idOf } = yield* spaceWith({ Page: markdown })
        const page = idOf("Page")
        const { id } = yield* openChangeRequest(space)
        const content = `/v1/spaces/${space}/change-requests/${id}/content`
        const before = yield* pageOf(content, page)
        const { document } = yield* call("admin", "GET", `${content}/page/${page}?format=document`).pipe(json(200))
        yield* write(space, id, [{ operation: "update_page", page, document: { document } }])
        assert.strictEqual((yield* pageOf(content, page)).markdown, before.markdown)
      })
    )
  }

  it.effect("change one word of a paragraph, and none of its line ends", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { space, idOf } = yield* spaceWith({ Page: "One word here\nand more\nbelow.\n\n* An item\n  of two lines" })
      const page = idOf("Page")
      const { id } = yield* openChangeRequest(space)
      const content = `/v1/spaces/${space}/change-requests/${id}/content`
      const before = yield* pageOf(content, page)
      const { document } = yield* call("admin", "GET", `${content}/page/${page}?format=document`).pipe(json(200))
      const edited = JSON.parse(JSON.stringify(document).replace("One word", "One single word"))
      yield* write(space, id, [{ operation: "update_page", page, document: { document: edited } }])
      assert.strictEqual(
        (yield* pageOf(content, page)).markdown,
        before.markdown?.replace("One word", "One single word")
      )
    })
  )
})
