/**
 * The content that is visible to a visitor. It leaves out pages with an unmet condition and all their descendants. It
 * leaves out files and reusable contents that no visible content refers to (see `VisibleReferences`), and the texts of
 * conditions. A condition that can't be parsed never holds.
 *
 * Pages with a condition are cached by node of the page map, so that an edit of one page costs only its change. Hidden
 * pages are computed once for all visitors who see equal content. For an earlier content, today's conditions apply in
 * addition to its own.
 */
import { Context, Effect, Layer } from "effect"
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

/** Capacity of the cache of conditional pages: map nodes and their pages with a condition. */
const maxCachedConditional = 200_000
/** Number of kinds of visitors for which hidden pages are cached. */
const maxCachedKinds = 10_000
/** Total number of hidden pages that are cached. */
const maxCachedHidden = 200_000
/** Number of nodes that are read at once. */
const sliceSize = 128

/** Content restricted to the parts that a visitor may see. */
export interface VisibleContent {
  readonly reader: ContentReader.ContentReader
  /**
   * Cache key. It is equal for all visitors who see the same pages of this content, and empty if no page has a
   * condition or the actor sees everything.
   */
  readonly key: string
  readonly hiddenPages: ReadonlySet<string>
  /** Files and reusable contents that a visitor may read. Undefined for an actor who sees everything. */
  readonly references?: Effect.Effect<VisibleReferences.VisibleReferences, StorageError>
}

interface ConditionalPage {
  readonly id: string
  readonly condition: string
}

interface HiddenPages {
  readonly key: string
  readonly pages: ReadonlySet<string>
}

const noHiddenPages: HiddenPages = { key: "", pages: new Set() }
const noPages: ReadonlyArray<never> = []

export class PageConditions extends Context.Service<
  PageConditions,
  {
    /** Returns the content as a visitor sees it. Returns the complete content if there is no visitor. */
    readonly visibleContent: (
      content: Content,
      visitor: SpaceVisitor | undefined
    ) => Effect.Effect<VisibleContent, StorageError>
  }
>()("@lectern/core/content/pages/PageConditions") {
  static readonly layer = Layer.effect(
    PageConditions,
    Effect.gen(function* () {
      const objects = yield* Objects
      const conditional = new LruCache<ObjectHash, ReadonlyArray<ConditionalPage>>(maxCachedConditional)
      const kinds = new LruCache<string, HiddenPages>(maxCachedKinds)
      const hiddenPages = new LruCache<string, HiddenPages>(maxCachedHidden)
      const reachOf = VisibleReferences.make(objects)

      /** Returns the pages that have a condition. */
      const withCondition = Effect.fnUntraced(function* (
        root: Root
      ): Effect.fn.Return<ReadonlyArray<ConditionalPage>, StorageError> {
        const cachedPages = root === null ? noPages : conditional.get(root)
        if (root === null || cachedPages !== undefined) return cachedPages ?? noPages
        const pagesByNode = new Map<ObjectHash, ReadonlyArray<ConditionalPage>>()
        const visitedNodes: Array<readonly [ObjectHash, Node<PageEntry>]> = []
        const pending = [root]
        while (pending.length > 0) {
          const slice = pending.splice(-sliceSize)
          for (const [i, node] of (yield* readNodes<PageEntry>(objects, slice)).entries()) {
            visitedNodes.push([slice[i]!, node])
            if (isLeaf(node)) continue
            for (const hash of node.nodes) {
              const cachedPages = conditional.get(hash)
              if (cachedPages === undefined) pending.push(hash)
              else pagesByNode.set(hash, cachedPages)
            }
          }
          yield* Effect.yieldNow
        }
        for (const [hash, node] of visitedNodes.reverse()) {
          const pages = isLeaf(node)
            ? conditionalOf(node.entries)
            : node.nodes.flatMap((child) => pagesByNode.get(child)!)
          pagesByNode.set(hash, pages.length === 0 ? noPages : pages)
          conditional.set(hash, pages.length === 0 ? noPages : pages, 1 + pages.length)
        }
        return pagesByNode.get(root)!
      })

      const withDescendants = Effect.fnUntraced(function* (
        reader: ContentReader.ContentReader,
        ids: ReadonlyArray<string>
      ) {
        const all = new Set<string>(ids)
        let level = ids
        while (level.length > 0) {
          const childIds = (yield* reader.childrenOf(level)).flat().flatMap(({ id }) => (all.has(id) ? [] : id))
          for (const id of childIds) all.add(id)
          level = childIds
          yield* Effect.yieldNow
        }
        return all
      })

      const hiddenFrom = Effect.fnUntraced(function* (content: Content, { claims, kind }: SpaceVisitor) {
        const conditionalPages = yield* withCondition(content.pages)
        if (conditionalPages.length === 0) return noHiddenPages
        const cachedResult = kinds.get(`${content.pages} ${kind}`)
        if (cachedResult !== undefined) return cachedResult
        const unmetPages = conditionalPages
          .filter(({ condition }) => !Condition.holds(condition, claims))
          .map(({ id }) => id)
        const key = objects.sha256(unmetPages.join(" ")).slice(0, 22)
        const name = `${content.pages} ${key}`
        const hidden = hiddenPages.get(name) ?? {
          key,
          pages: yield* withDescendants(ContentReader.make(objects, content), unmetPages)
        }
        hiddenPages.set(name, hidden, 1 + hidden.pages.size)
        kinds.set(`${content.pages} ${kind}`, hidden, 1)
        return hidden
      })

      /** Returns pages of an earlier content that its own conditions or today's conditions hide from the visitor. */
      const hiddenThenOrNow = Effect.fnUntraced(function* (content: Content, today: Content, visitor: SpaceVisitor) {
        const then = yield* hiddenFrom(content, visitor)
        const now = yield* hiddenFrom(today, visitor)
        if (now.pages.size === 0) return then
        const key = objects.sha256(`${then.key} ${today.pages} ${now.key}`).slice(0, 22)
        const name = `${content.pages} ${key}`
        const hidden = hiddenPages.get(name) ?? {
          key,
          pages: yield* withDescendants(ContentReader.make(objects, content), [...then.pages, ...now.pages])
        }
        hiddenPages.set(name, hidden, 1 + hidden.pages.size)
        return hidden
      })

      return PageConditions.of({
        visibleContent: Effect.fnUntraced(function* (content, visitor) {
          const reader = ContentReader.make(objects, content)
          if (visitor === undefined) return { reader, key: "", hiddenPages: noHiddenPages.pages }
          const { today } = visitor
          const hidden = yield* today === undefined
            ? hiddenFrom(content, visitor)
            : hiddenThenOrNow(content, today, visitor)
          const references = reachOf(content, visitor, hidden)
          return {
            reader: visibleReader(reader, hidden, references),
            key: hidden.key,
            hiddenPages: hidden.pages,
            references
          }
        })
      })
    })
  )
}

const conditionalOf = (entries: ReadonlyArray<readonly [string, PageEntry]>): ReadonlyArray<ConditionalPage> =>
  entries.flatMap(([id, { condition }]) => (condition === undefined ? [] : { id, condition }))

/** Returns a reader without hidden pages, and with only the reachable files and reusable contents. */
const visibleReader = (
  reader: ContentReader.ContentReader,
  hidden: HiddenPages,
  references: Effect.Effect<VisibleReferences.VisibleReferences, StorageError>
): ContentReader.ContentReader => ({
  ...(hidden === noHiddenPages ? reader : withoutPages(reader, hidden.pages)),
  file: (id) =>
    Effect.flatMap(references, ({ files }) => (files.has(id) ? reader.file(id) : Effect.succeed(undefined))),
  files: Effect.flatMap(references, ({ files }) =>
    Effect.map(reader.files, (all) => all.filter(({ id }) => files.has(id)))
  ),
  // A single reusable content is read for every visitor, since only includes request it.
  reusableContents: Effect.flatMap(references, ({ reusableContents }) =>
    Effect.map(reader.reusableContents, (all) => all.filter(({ id }) => reusableContents.has(id)))
  )
})

/**
 * Returns a reader without these pages and without the conditions of pages. The ids must include all descendants of the
 * hidden pages.
 */
const withoutPages = (reader: ContentReader.ContentReader, pages: ReadonlySet<string>): ContentReader.ContentReader => {
  const isVisible = ({ id }: { readonly id: string }) => !pages.has(id)
  const visibleOnly = <A extends { readonly id: string }>(all: ReadonlyArray<A>) => all.filter(isVisible)
  const withoutCondition = (page: PageEntry | undefined): PageEntry | undefined => {
    if (page?.condition === undefined) return page
    const { condition: _, ...rest } = page
    return rest
  }
  return {
    ...reader,
    page: (id) => (pages.has(id) ? Effect.succeed(undefined) : Effect.map(reader.page(id), withoutCondition)),
    pages: (ids) =>
      Effect.map(reader.pages(ids), (all) =>
        all.map((page) => (page && isVisible(page) ? withoutCondition(page) : undefined))
      ),
    allPages: Effect.map(reader.allPages, (all) =>
      all.flatMap((page) => (isVisible(page) ? withoutCondition(page)! : []))
    ),
    pageCount: Effect.map(reader.pageCount, (count) => count - pages.size),
    children: (parent) => Effect.map(reader.children(parent), visibleOnly),
    childrenOf: (parents) => Effect.map(reader.childrenOf(parents), (all) => all.map(visibleOnly)),
    child: (parent, slug) =>
      Effect.map(reader.child(parent, slug), (id) => (id !== undefined && pages.has(id) ? undefined : id))
  }
}
