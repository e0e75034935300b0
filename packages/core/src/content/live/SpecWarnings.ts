/**
 * Warns a writer about pages that show a private specification, which visitors of a site can't read. A page shows a
 * specification if it is computed from it or has a block of it.
 *
 * Limit: 20 warnings for a batch.
 */
import { relationOf } from "@lectern/document/DocumentLinks"
import * as RefUrl from "@lectern/document/markdown/RefUrl"
import { Effect } from "effect"
import { isIntegration, specOf } from "../../computed/ComputedSource.ts"
import { ComputedSpecs } from "../../computed/ComputedSpecs.ts"
import { type SpaceId, SpaceTable } from "../../space/Space.ts"
import { Storage, type StorageError } from "../../storage/Storage.ts"
import type { Content } from "../Content.ts"
import * as ContentReader from "../ContentReader.ts"
import * as LinkMap from "../pages/LinkMap.ts"
import type { PageId } from "../pages/Page.ts"
import { Objects } from "../store/Objects.ts"
import type { WriteWarning } from "./ContentChangesResponse.ts"

const maxWarnings = 20

export const make = Effect.gen(function* () {
  const objects = yield* Objects
  const specs = yield* ComputedSpecs
  const spaces = (yield* Storage).repository(SpaceTable)

  /** Returns the pages that show specifications, with the names of the specifications. */
  const specsShownOn = Effect.fnUntraced(function* (content: Content, pages: ReadonlyArray<PageId>) {
    const links = yield* LinkMap.linksOf(objects, content, pages)
    const entries = yield* ContentReader.make(objects, content).pages(pages)
    return pages.flatMap((page, i) => {
      const names = new Set<string>()
      for (const link of links.get(page)?.links ?? []) {
        const ref = relationOf(link) === "dependsOn" ? RefUrl.fromUrl(link[0]) : undefined
        if (ref?.kind === "openapi") names.add(ref.spec)
      }
      const computed = entries[i]?.computed
      if (computed !== undefined && !isIntegration(computed)) names.add(specOf(computed))
      return Array.from(names, (spec) => ({ page, spec }))
    })
  })

  return Effect.fnUntraced(function* (
    id: SpaceId,
    content: Content,
    pages: ReadonlyArray<PageId>
  ): Effect.fn.Return<ReadonlyArray<WriteWarning>, StorageError> {
    const pageSpecs = yield* specsShownOn(content, pages)
    const space = pageSpecs.length === 0 ? undefined : yield* spaces.get({ id })
    if (space === undefined) return []
    const specsByName = yield* specs.findRows(space.organization, [...new Set(pageSpecs.map(({ spec }) => spec))])
    return pageSpecs
      .filter(({ spec }) => specsByName.get(spec)?.visibility === "private")
      .slice(0, maxWarnings)
      .map(({ page, spec }) => ({
        page,
        message: `The spec ${spec} is private: visitors of a site don't see it until it is public`
      }))
  })
})
