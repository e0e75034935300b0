/**
 * The content that is visible to a visitor. It leaves out pages with an unmet condition and all their descendants. It
 * leaves out files and reusable contents that no visible content refers to (see `VisibleReferences`), and the texts of
 * conditions. A condition that can't be parsed never holds.
 *
 * Pages with a condition are cached by node of the page map, so that an edit of one page costs only its change. Hidden
 * pages are computed once for all visitors who see equal content. For an earlier content, today's conditions apply in
 * addition to its own.
 */
import { Context, Effect } from "effect"
import * as Condition from "@lectern/document/condition/Condition"
import type { SpaceVisitor } from "../../space/SpacePolicy.ts"
import type { ObjectHash } from "../../storage/ObjectStore.ts"
import type { StorageError } from "../../storage/Storage.ts"
import type { Content, Root } from "../Content.ts"
import * as ContentReader from "../ContentReader.ts"
import { LruCache } from "../../storage/LruCache.ts"
import { Objects } from "../store/Objects.ts"
import type { PageEntry } from "./Page.ts"
import { isLeaf, type Node, readNodes } from "../store/TrieNode.ts"
import * as VisibleReferences from "../VisibleReferences.ts"
import { wired } from "../../wiring/Wired.ts"

/** Capacity of the cache of conditional pages: map nodes and their pages with a condition. */
const keptConditional = 200_000
/** Number of kinds of visitors for which hidden pages are cached. */
const keptKinds = 10_000
/** Total number of hidden pages that are cached. */
const keptHidden = 200_000
/** Number of nodes that are read at once. */
const sliceSize = 128

/** Content restricted to the parts that a visitor may see. */
export interface SeenContent {
  readonly reader: ContentReader.ContentReader
  /**
   * Cache key. It is equal for all visitors who see the same pages of this content, and empty if no page has a
   * condition or the actor sees everything.
   */
  readonly key: string
  readonly hiddenPages: ReadonlySet<string>
  /** Files and reusable contents that a visitor may read. Undefined for an actor who sees everything. */
  readonly reach?: Effect.Effect<VisibleReferences.VisibleReferences, StorageError>
}

interface Conditional {
  readonly id: string
  readonly condition: string
}

interface Hidden {
  readonly key: string
  readonly pages: ReadonlySet<string>
}

const nothing: Hidden = { key: "", pages: new Set() }
const none: ReadonlyArray<never> = []

export class PageConditions extends Context.Service<
  PageConditions,
  {
    /** Returns the content as a visitor sees it. Returns the complete content if there is no visitor. */
    readonly see: (content: Content, visitor: SpaceVisitor | undefined) => Effect.Effect<SeenContent, StorageError>
  }
>()("@lectern/core/content/pages/PageConditions") {
  static readonly layer = wired(
    PageConditions,
    Effect.gen(function* () {
      const objects = yield* Objects
      const conditional = new LruCache<ObjectHash, ReadonlyArray<Conditional>>(keptConditional)
      const kinds = new LruCache<string, Hidden>(keptKinds)
      const hiddenPages = new LruCache<string, Hidden>(keptHidden)
      const reachOf = VisibleReferences.make(objects)

      /** Returns the pages that have a condition. */
      const withCondition = Effect.fnUntraced(function* (
        root: Root
      ): Effect.fn.Return<ReadonlyArray<Conditional>, StorageError> {
        const known = root === null ? none : conditional.get(root)
        if (root === null || known !== undefined) return known ?? none
        const found = new Map<ObjectHash, ReadonlyArray<Conditional>>()
        const read: Array<readonly [ObjectHash, Node<PageEntry>]> = []
        const pending = [root]
        while (pending.length > 0) {
          const slice = pending.splice(-sliceSize)
          for (const [i, node] of (yield* readNodes<PageEntry>(objects, slice)).entries()) {
            read.push([slice[i]!, node])
            if (isLeaf(node)) continue
            for (const hash of node.nodes) {
              const known = conditional.get(hash)
              if (known === undefined) pending.push(hash)
              else found.set(hash, known)
            }
          }
          yield* Effect.yieldNow
        }
        for (const [hash, node] of read.reverse()) {
          const pages = isLeaf(node) ? conditionalOf(node.entries) : node.nodes.flatMap((below) => found.get(below)!)
          found.set(hash, pages.length === 0 ? none : pages)
          conditional.set(hash, pages.length === 0 ? none : pages, 1 + pages.length)
        }
        return found.get(root)!
      })

      const withAllBelow = Effect.fnUntraced(function* (
        reader: ContentReader.ContentReader,
        ids: ReadonlyArray<string>
      ) {
        const all = new Set<string>(ids)
        let level = ids
        while (level.length > 0) {
          const below = (yield* reader.childrenOf(level)).flat().flatMap(({ id }) => (all.has(id) ? [] : id))
          for (const id of below) all.add(id)
          level = below
          yield* Effect.yieldNow
        }
        return all
      })

      const hiddenFrom = Effect.fnUntraced(function* (content: Content, { claims, kind }: SpaceVisitor) {
        const asked = yield* withCondition(content.pages)
        if (asked.length === 0) return nothing
        const known = kinds.get(`${content.pages} ${kind}`)
        if (known !== undefined) return known
        const shut = asked.filter(({ condition }) => !Condition.holds(condition, claims)).map(({ id }) => id)
        const key = objects.sha256(shut.join(" ")).slice(0, 22)
        const name = `${content.pages} ${key}`
        const hidden = hiddenPages.get(name) ?? {
          key,
          pages: yield* withAllBelow(ContentReader.make(objects, content), shut)
        }
        hiddenPages.set(name, hidden, 1 + hidden.pages.size)
        kinds.set(`${content.pages} ${kind}`, hidden, 1)
        return hidden
      })

      /** Returns pages of an earlier content that its own conditions or today's conditions hide from the visitor. */
      const hiddenThenOrToday = Effect.fnUntraced(function* (content: Content, today: Content, visitor: SpaceVisitor) {
        const then = yield* hiddenFrom(content, visitor)
        const now = yield* hiddenFrom(today, visitor)
        if (now.pages.size === 0) return then
        const key = objects.sha256(`${then.key} ${today.pages} ${now.key}`).slice(0, 22)
        const name = `${content.pages} ${key}`
        const hidden = hiddenPages.get(name) ?? {
          key,
          pages: yield* withAllBelow(ContentReader.make(objects, content), [...then.pages, ...now.pages])
        }
        hiddenPages.set(name, hidden, 1 + hidden.pages.size)
        return hidden
      })

      return PageConditions.of({
        see: Effect.fnUntraced(function* (content, visitor) {
          const reader = ContentReader.make(objects, content)
          if (visitor === undefined) return { reader, key: "", hiddenPages: nothing.pages }
          const { today } = visitor
          const hidden = yield* today === undefined
            ? hiddenFrom(content, visitor)
            : hiddenThenOrToday(content, today, visitor)
          const reach = reachOf(content, visitor, hidden)
          return { reader: asSeen(reader, hidden, reach), key: hidden.key, hiddenPages: hidden.pages, reach }
        })
      })
    }),
    [Objects.layer]
  )
}

const conditionalOf = (entries: ReadonlyArray<readonly [string, PageEntry]>): ReadonlyArray<Conditional> =>
  entries.flatMap(([id, { condition }]) => (condition === undefined ? [] : { id, condition }))

/** Returns a reader without hidden pages, and with only the reachable files and reusable contents. */
const asSeen = (
  reader: ContentReader.ContentReader,
  hidden: Hidden,
  reach: Effect.Effect<VisibleReferences.VisibleReferences, StorageError>
): ContentReader.ContentReader => ({
  ...(hidden === nothing ? reader : without(reader, hidden.pages)),
  file: (id) => Effect.flatMap(reach, ({ files }) => (files.has(id) ? reader.file(id) : Effect.succeed(undefined))),
  files: Effect.flatMap(reach, ({ files }) => Effect.map(reader.files, (all) => all.filter(({ id }) => files.has(id)))),
  // A single reusable content is read for every visitor, since only includes request it.
  reusableContents: Effect.flatMap(reach, ({ reusableContents }) =>
    Effect.map(reader.reusableContents, (all) => all.filter(({ id }) => reusableContents.has(id)))
  )
})

/**
 * Returns a reader without these pages and without the conditions of pages. The ids must include all descendants of the
 * hidden pages.
 */
const without = (reader: ContentReader.ContentReader, pages: ReadonlySet<string>): ContentReader.ContentReader => {
  const isShown = ({ id }: { readonly id: string }) => !pages.has(id)
  const shown = <A extends { readonly id: string }>(all: ReadonlyArray<A>) => all.filter(isShown)
  const told = (page: PageEntry | undefined): PageEntry | undefined => {
    if (page?.condition === undefined) return page
    const { condition: _, ...rest } = page
    return rest
  }
  return {
    ...reader,
    page: (id) => (pages.has(id) ? Effect.succeed(undefined) : Effect.map(reader.page(id), told)),
    pages: (ids) =>
      Effect.map(reader.pages(ids), (all) => all.map((page) => (page && isShown(page) ? told(page) : undefined))),
    allPages: Effect.map(reader.allPages, (all) => all.flatMap((page) => (isShown(page) ? told(page)! : []))),
    pageCount: Effect.map(reader.pageCount, (count) => count - pages.size),
    children: (parent) => Effect.map(reader.children(parent), shown),
    childrenOf: (parents) => Effect.map(reader.childrenOf(parents), (all) => all.map(shown)),
    child: (parent, slug) =>
      Effect.map(reader.child(parent, slug), (id) => (id !== undefined && pages.has(id) ? undefined : id))
  }
}
