/**
 * First path segments of the pages of a space's main content. On a site, sections and site spaces with such a name take
 * precedence over the page. Names of pages that are computed at the top are not included.
 *
 * Default: a cache of 100,000 names, for the contents that were read last.
 */
import { Context, Effect, Layer } from "effect"
import type { SpaceRow } from "../../space/Space.ts"
import { LruCache } from "../../storage/LruCache.ts"
import type { ObjectHash } from "../../storage/ObjectStore.ts"
import type { StorageError } from "../../storage/Storage.ts"
import type { ChildEntry } from "../ContentReader.ts"
import { Revisions } from "../revisions/Revisions.ts"
import { Objects } from "../store/Objects.ts"
import * as Trie from "../store/Trie.ts"

const maxCachedNames = 100_000
const noNames: ReadonlySet<string> = new Set()

export class TopLevelNames extends Context.Service<
  TopLevelNames,
  {
    /** Returns the first path segments of the space's pages, folded. Includes pages that some visitors may not see. */
    readonly namesOf: (space: Pick<SpaceRow, "revision">) => Effect.Effect<ReadonlySet<string>, StorageError>
  }
>()("@lectern/core/content/pages/TopLevelNames") {
  static readonly layer = Layer.effect(
    TopLevelNames,
    Effect.gen(function* () {
      const revisions = yield* Revisions
      const objects = yield* Objects
      const cache = new LruCache<ObjectHash, ReadonlySet<string>>(maxCachedNames)

      return TopLevelNames.of({
        namesOf: Effect.fnUntraced(function* ({ revision }) {
          const { children } = (yield* revisions.get(revision)).content
          const cachedNames = children === null ? noNames : cache.get(children)
          if (children === null || cachedNames !== undefined) return cachedNames ?? noNames
          const names = new Set((yield* Trie.entriesOfGroup<ChildEntry>(objects, children, "")).map(([name]) => name))
          cache.set(children, names, 1 + names.size)
          return names
        })
      })
    })
  )
}
