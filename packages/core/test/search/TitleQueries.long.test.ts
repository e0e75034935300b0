/**
 * Search finds pages by what their documentation calls them: by a title, by a title together with that of the page
 * above it or at the top, and by a heading. The queries are made of real documentation (see `Documentation`).
 */
import { assert, describe, it } from "@effect/vitest"
import * as ContentReader from "@lectern/core/content/ContentReader"
import type { PageEntry } from "@lectern/core/content/pages/Page"
import * as PageTree from "@lectern/core/content/pages/PageTree"
import { Revisions } from "@lectern/core/content/revisions/Revisions"
import { Objects } from "@lectern/core/content/store/Objects"
import { ReadSections } from "@lectern/core/search/ReadSections"
import { Searches } from "@lectern/core/search/Searches"
import { Spaces } from "@lectern/core/space/Spaces"
import type { SpaceId } from "@lectern/core/space/Space"
import { Effect, Layer } from "effect"
import { onEach } from "../Adapters.ts"
import { adapters } from "../../../exchange/test/Instances.ts"
import * as Documentation from "./Documentation.ts"

const folders = ["brighter", "adobe-aep"]

/** Every so many headings is a query. */
const headingStep = 4

interface Query {
  readonly text: string
  /** Pages that answer it. */
  readonly pages: Set<string>
}

class Queries {
  readonly #all = new Map<string, Query>()

  add(text: string, page: string): void {
    const query = this.#all.get(text.toLowerCase())
    if (query === undefined) this.#all.set(text.toLowerCase(), { text, pages: new Set([page]) })
    else query.pages.add(page)
  }

  get all(): ReadonlyArray<Query> {
    return [...this.#all.values()]
  }
}

/** Queries made of the pages of a space. */
const queriesOf = Effect.fnUntraced(function* (id: SpaceId) {
  const objects = yield* Objects
  const { revision } = yield* (yield* Spaces).get(id)
  const reader = ContentReader.make(objects, (yield* (yield* Revisions).get(revision)).content)
  const [titles, above, headings] = [new Queries(), new Queries(), new Queries()]
  const open: Array<PageEntry> = [...(yield* PageTree.children(reader, null))].reverse()
  for (let page = open.pop(); page !== undefined; page = open.pop()) {
    open.push(...[...(yield* PageTree.children(reader, page.id))].reverse())
    if (page.document === undefined) continue
    titles.add(page.title, page.id)
    const ancestors = yield* PageTree.ancestors(reader, page)
    for (const { title } of new Set([ancestors[0], ancestors.at(-1)].filter((one) => one !== undefined))) {
      above.add(`${title} ${page.title}`, page.id)
    }
    const sections = yield* objects.threads.run(ReadSections, yield* objects.document(page.document))
    for (const { title } of sections) if (title !== "") headings.add(title, page.id)
  }
  const some = headings.all.filter((_, i) => i % headingStep === 0)
  return { title: titles.all, "title above and title": above.all, heading: some }
})

const ranks = Effect.fnUntraced(function* (id: SpaceId, queries: ReadonlyArray<Query>) {
  const searches = yield* Searches
  return yield* Effect.forEach(queries, ({ text, pages }) =>
    Effect.map(
      searches.space(id, text, { limit: 50 }),
      ({ items }) => items.find((item) => pages.has(item.id))?.rank ?? Infinity
    )
  )
})

for (const [name, services] of onEach(adapters)) {
  describe.skipIf(!Documentation.exists(folders))(`Queries made of titles (${name})`, () => {
    it.effect("find their page among the first three, mostly as the first", () =>
      Effect.provide(
        Effect.gen(function* () {
          const found: Record<string, Array<number>> = {}
          for (const folder of folders) {
            const id = yield* Documentation.imported(folder)
            for (const [kind, queries] of Object.entries(yield* queriesOf(id))) {
              ;(found[kind] ??= []).push(...(yield* ranks(id, queries)))
            }
          }
          const parts: Record<string, { readonly first: number; readonly firstThree: number }> = {}
          for (const [kind, all] of Object.entries(found)) {
            const part = (rank: number) => all.filter((one) => one <= rank).length / all.length
            parts[kind] = { first: part(1), firstThree: part(3) }
          }
          console.info(parts)
          assert.isAtLeast(parts["title"]!.first, 0.95)
          assert.isAtLeast(parts["title"]!.firstThree, 0.98)
          assert.isAtLeast(parts["title above and title"]!.first, 0.85)
          assert.isAtLeast(parts["title above and title"]!.firstThree, 0.95)
          assert.isAtLeast(parts["heading"]!.first, 0.72)
          assert.isAtLeast(parts["heading"]!.firstThree, 0.88)
        }),
        Layer.fresh(services)
      )
    )
  })
}
