/** Tags over HTTP: as members and visitors read them, and as pages get them by their front matter. */
import { CurrentActor, host } from "@lectern/core/access/Actor"
import { FolderImports } from "@lectern/exchange/import/FolderImports"
import { SpaceId } from "@lectern/core/space/Space"
import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { files } from "../../exchange/test/import/Imports.ts"
import { answers, Harness, has, onMemory } from "./Harness.ts"
import { createSite, publishSite, reading, resolve, ofSite } from "./SiteSteps.ts"
import * as Shapes from "./Shapes.ts"
import { createSpace, merge, openChangeRequest, write } from "./Steps.ts"

const Tagged = Schema.Struct({
  tags: Schema.Array(Schema.Struct({ slug: Schema.String, label: Schema.String, color: Schema.String })),
  pages: Schema.Array(Schema.Struct({ id: Shapes.Id, title: Schema.String, tags: Schema.Array(Schema.Unknown) }))
})

const folder = {
  ".gitbook/tags.yaml": "- tag: new\n  label: New\n  color: $info\n- tag: beta\n",
  "README.md": "---\ntags:\n  - new\n  - gone\n---\n\n# Home\n",
  "guide.md": "# Guide\n"
}

onMemory("Tags", (it) => {
  it.effect("are told of a revision and its pages, to members and visitors, and set by front matter", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id } = yield* createSpace()
      const space = SpaceId.make(id)
      yield* (yield* FolderImports)
        .importFolder(space, { files: files(folder), problems: [] })
        .pipe(Effect.provideService(CurrentActor, host), Effect.orDie)
      const content = yield* call("read", "GET", `/v1/spaces/${id}/content`).pipe(answers(200, Tagged))
      assert.deepStrictEqual(content.tags, [
        { slug: "new", label: "New", color: "$info" },
        { slug: "beta", label: "beta", color: "default" }
      ])
      const on = (tag: string) => ({ tag: { kind: "tag", tag } })
      assert.deepStrictEqual(
        content.pages.map(({ tags }) => tags),
        [[on("new")], []]
      )
      const { id: site } = yield* createSite([id])
      yield* publishSite(site)
      const { urls } = yield* ofSite(site, "GET", "").pipe(answers(200, Shapes.Site))
      const { apiToken } = yield* resolve(urls.published!)
      const shown = yield* reading(apiToken, `/spaces/${id}/content`).pipe(answers(200, Tagged))
      assert.deepStrictEqual([shown.tags, shown.pages], [content.tags, content.pages])

      const [home, guide] = content.pages
      const { id: cr } = yield* openChangeRequest(id)
      const markdown = "---\ntags:\n  - tag: beta\n    primary: true\n---\n\nText\n"
      yield* write(id, cr, [{ operation: "update_page", page: guide!.id, document: { markdown } }])
      const changes = yield* call("admin", "GET", `/v1/spaces/${id}/change-requests/${cr}/changes`).pipe(has(200))
      assert.include(changes.text, '"tags":{"after":[{"tag":"beta","primary":true}]}')
      yield* merge(id, cr)
      const page = yield* call("read", "GET", `/v1/spaces/${id}/content/page/${guide!.id}`).pipe(has(200))
      assert.deepStrictEqual(JSON.parse(page.text).tags, [{ ...on("beta"), primary: true }])
      const after = yield* call("read", "GET", `/v1/spaces/${id}/content`).pipe(answers(200, Tagged))
      assert.deepStrictEqual(after.tags, content.tags)
      assert.deepStrictEqual(after.pages.find((one) => one.id === home!.id)?.tags, [on("new")])
    })
  )
})
