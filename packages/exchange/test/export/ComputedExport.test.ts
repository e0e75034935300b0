/** Computed pages go out of a space as a folder and come back, and are counted whatever is done to them. */
import * as Content from "@lectern/core/content/Content"
import * as ContentEditor from "@lectern/core/content/edits/ContentEditor"
import { FolderExports } from "@lectern/exchange/export/FolderExports"
import { FolderImports } from "@lectern/exchange/import/FolderImports"
import { LiveEdits } from "@lectern/core/content/edits/LiveEdits"
import { Objects } from "@lectern/core/content/store/Objects"
import type { PageEntry } from "@lectern/core/content/pages/Page"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import type { SpaceId } from "@lectern/core/space/Space"
import { Spaces } from "@lectern/core/space/Spaces"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { files, newSpace, onInstance, reader, revisionOf } from "../import/Imports.ts"

const source = (props: object) =>
  ({
    type: "builtin:openapi",
    dependencies: { spec: { ref: { kind: "openapi", spec: "pets" } } },
    props
  }) as NonNullable<PageEntry["computed"]>

const edit = Effect.fnUntraced(function* (
  space: SpaceId,
  change: (editor: ContentEditor.ContentEditor) => Effect.Effect<unknown, unknown>
) {
  const edits = yield* LiveEdits
  const base = yield* edits.begin(space)
  const draft = (yield* Objects).draft()
  const editor = ContentEditor.make(draft, base.content, yield* Timestamps.now)
  yield* change(editor).pipe(Effect.orDie)
  return yield* edits.commit({ base, draft, content: yield* editor.finish })
})

const exported = Effect.fnUntraced(function* (space: SpaceId) {
  const written: Record<string, Uint8Array> = {}
  const report = yield* (yield* FolderExports).exportFolder(space, {
    write: (path, bytes) => Effect.sync(() => void (written[path] = bytes))
  })
  assert.deepStrictEqual(report.problems, [])
  return written
})

const look = (space: SpaceId) =>
  Effect.flatMap(reader(space), ({ allPages }) =>
    Effect.map(allPages, (pages) =>
      pages
        .map(({ title, slug, type, computed }) => ({ title, slug, type, computed }))
        .sort((a, b) => (a.title < b.title ? -1 : 1))
    )
  )

describe("computed pages of a space", () => {
  it.effect("that is exported and imported are the same pages, and exported again the same bytes", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        yield* edit(space, (editor) =>
          Effect.gen(function* () {
            yield* editor.insertPage({ id: "a", title: "Group", type: "group" })
            const pages = source({ models: true, grouping: "by-operation" })
            yield* editor.insertPage({
              id: "b",
              title: "The API",
              slug: "v1",
              type: "computed",
              parent: "a",
              computed: pages
            })
            const plain = source({ models: false })
            yield* editor.insertPage({ id: "c", title: "Other", type: "computed", icon: "code", computed: plain })
            const one = source({ doc: "operation", page: "/pets", method: "get" })
            yield* editor.insertPage({ id: "d", title: "One", computed: one })
            const answered = {
              type: "integration:tracker:issues",
              props: { repository: "one", open: true },
              dependencies: { other: { ref: { kind: "space", space: "x" } } }
            } as const
            yield* editor.insertPage({ id: "e", title: "Issues", type: "computed", computed: answered })
            yield* editor.insertPage({ id: "f", title: "Issue", computed: { ...answered, props: { issue: 1 } } })
          })
        )
        const folder = yield* exported(space)
        const { organization } = yield* (yield* Spaces).get(space)
        const { id: copy } = yield* (yield* Spaces).create(organization, {})
        yield* (yield* FolderImports).importFolder(copy, { files: files(folder) })
        assert.deepStrictEqual(yield* look(copy), yield* look(space))
        assert.deepStrictEqual(yield* exported(copy), folder)
        assert.lengthOf((yield* revisionOf(copy)).content.computed ?? [], 5)
      })
    )
  )

  it.effect("are told by the content, after each edit", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const uses = Effect.map(revisionOf(space), ({ content }) => content.computed)
        assert.isUndefined(Content.empty.computed)
        const one = source({ models: true })
        yield* edit(space, (editor) => editor.insertPage({ id: "b", title: "B", type: "computed", computed: one }))
        yield* edit(space, (editor) => editor.insertPage({ id: "a", title: "A", type: "computed", computed: one }))
        yield* edit(space, (editor) => editor.insertPage({ id: "c", title: "C" }))
        const both = [
          { page: "a", spec: "pets" },
          { page: "b", spec: "pets" }
        ]
        assert.deepStrictEqual(yield* uses, both)
        yield* edit(space, (editor) => editor.updatePage("a", { title: "Other" }))
        yield* edit(space, (editor) => editor.movePage("b", { parent: "c" }))
        assert.deepStrictEqual(yield* uses, both)
        yield* edit(space, (editor) => editor.removePage("c"))
        assert.deepStrictEqual(yield* uses, both.slice(0, 1))
        yield* edit(space, (editor) => editor.removePage("a"))
        assert.isUndefined(yield* uses)
      })
    )
  )
})
