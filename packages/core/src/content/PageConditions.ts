/**
 * What the conditions of pages hide from a visitor: the pages whose condition does not hold for it,
 * all that is below them, and the files that nothing else shows. A condition that can't be read
 * never holds.
 *
 * Which pages have a condition is known by node of the map of pages, so that an edit of one page
 * costs what it changed. What is hidden is made once for all visitors who see the same.
 */
import { Context, Effect, Layer } from "effect"
import * as Condition from "../adaptive/Condition.ts"
import type { SpaceVisitor } from "../space/SpacePolicy.ts"
import type { ObjectHash } from "../storage/ObjectStore.ts"
import type { StorageError } from "../storage/Storage.ts"
import type { Content, Root } from "./Content.ts"
import * as ContentReader from "./ContentReader.ts"
import type { ContentRef, Document } from "./Document.ts"
import * as DocumentRefs from "./DocumentRefs.ts"
import { Lru } from "./Lru.ts"
import { Objects } from "./Objects.ts"
import type { PageEntry } from "./Page.ts"
import { isLeaf, type Node, readNodes } from "./TrieNode.ts"

/** How many nodes, and pages with a condition in each of them, are kept in memory. */
const keptConditional = 200_000
/** For how many kinds of visitors is kept what they see. */
const keptKinds = 10_000
/** How many pages and files in all that are hidden from someone. */
const keptHidden = 200_000
/** How many references to files are kept in memory, and documents. */
const keptRefs = 200_000
/** How many nodes or documents are read at once. */
const sliceSize = 128

/** A content as someone sees it. */
export interface SeenContent {
  readonly reader: ContentReader.ContentReader
  /** The same for all who see the same of this content; empty for who sees all of it. */
  readonly key: string
  readonly hiddenPages: ReadonlySet<string>
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
    /** The content as a visitor sees it; all of it where there is no visitor. */
    readonly see: (content: Content, visitor: SpaceVisitor | undefined) => Effect.Effect<SeenContent, StorageError>
  }
>()("@lectern/core/content/PageConditions") {
  static readonly layer = Layer.effect(
    PageConditions,
    Effect.gen(function* () {
      const objects = yield* Objects
      const conditional = new Lru<ObjectHash, ReadonlyArray<Conditional>>(keptConditional)
      const kinds = new Lru<string, Hidden>(keptKinds)
      const hiddenPages = new Lru<string, Hidden>(keptHidden)
      const hiddenFiles = new Lru<string, ReadonlySet<string>>(keptHidden)
      const refs = new Lru<ObjectHash, ReadonlyArray<string>>(keptRefs)

      /** The pages that have a condition. */
      const withCondition = Effect.fnUntraced(function* (root: Root) {
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
      }) as (root: Root) => Effect.Effect<ReadonlyArray<Conditional>, StorageError>

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
        let hidden = nothing
        if (shut.length > 0) {
          const key = objects.sha256(shut.join(" ")).slice(0, 22)
          const name = `${content.pages} ${key}`
          hidden = hiddenPages.get(name) ?? {
            key,
            pages: yield* withAllBelow(ContentReader.make(objects, content), shut)
          }
          hiddenPages.set(name, hidden, hidden.pages.size)
        }
        kinds.set(`${content.pages} ${kind}`, hidden, 1)
        return hidden
      })

      /** The files that documents show. */
      const shownBy = Effect.fnUntraced(function* (documents: ReadonlyArray<ObjectHash>) {
        const missing = documents.filter((hash) => refs.get(hash) === undefined)
        const read = yield* objects.readAll<Document>(missing)
        const fresh = new Map(missing.map((hash, i) => [hash, filesOf(DocumentRefs.refs(read[i]!))]))
        for (const [hash, files] of fresh) refs.set(hash, files, 1 + files.length)
        return documents.flatMap((hash) => fresh.get(hash) ?? refs.get(hash) ?? none)
      })

      /** Of hidden pages: the files that nothing shows that is not hidden. */
      const filesOnlyOn = Effect.fnUntraced(function* (content: Content, { key, pages }: Hidden) {
        const name = `${content.pages} ${content.reusableContents} ${key}`
        const known = hiddenFiles.get(name)
        if (known !== undefined) return known
        const reader = ContentReader.make(objects, content)
        const all = yield* reader.allPages
        const inSlices = (
          shown: ReadonlyArray<Pick<PageEntry, "document" | "cover" | "target">>,
          visit: (file: string) => void,
          goOn: () => boolean
        ) =>
          Effect.gen(function* () {
            for (let i = 0; i < shown.length && goOn(); i += sliceSize) {
              const slice = shown.slice(i, i + sliceSize)
              for (const page of slice) for (const file of filesOf(refsBeside(page))) visit(file)
              const documents = slice.flatMap(({ document }) => document ?? [])
              for (const file of yield* shownBy([...new Set(documents)])) visit(file)
              yield* Effect.yieldNow
            }
          })
        const files = new Set<string>()
        const isAnyLeft = () => files.size > 0
        yield* inSlices(
          all.filter(({ id }) => pages.has(id)),
          (file) => files.add(file),
          () => true
        )
        const others = [...(yield* reader.reusableContents), ...all.filter(({ id }) => !pages.has(id))]
        yield* inSlices(others, (file) => files.delete(file), isAnyLeft)
        hiddenFiles.set(name, files, 1 + files.size)
        return files
      })

      return PageConditions.of({
        see: Effect.fnUntraced(function* (content, visitor) {
          const reader = ContentReader.make(objects, content)
          const hidden = visitor === undefined ? nothing : yield* hiddenFrom(content, visitor)
          return {
            reader: hidden === nothing ? reader : without(reader, hidden.pages, filesOnlyOn(content, hidden)),
            key: hidden.key,
            hiddenPages: hidden.pages
          }
        })
      })
    })
  )
}

const conditionalOf = (entries: ReadonlyArray<readonly [string, PageEntry]>): ReadonlyArray<Conditional> =>
  entries.flatMap(([id, { condition }]) => (condition === undefined ? [] : { id, condition }))

const refsBeside = ({ cover, target }: Pick<PageEntry, "cover" | "target">): ReadonlyArray<ContentRef> =>
  [cover?.ref, cover?.refDark, target].filter((ref) => ref !== undefined)

const filesOf = (refs: ReadonlyArray<ContentRef>): ReadonlyArray<string> => {
  const files = refs.flatMap((ref) => (ref.kind === "file" ? ref.file : []))
  return files.length === 0 ? none : [...new Set(files)]
}

/** A content without these pages, which are all there is below any of them, and without these files. */
const without = (
  reader: ContentReader.ContentReader,
  pages: ReadonlySet<string>,
  files: Effect.Effect<ReadonlySet<string>, StorageError>
): ContentReader.ContentReader => {
  const isShown = ({ id }: { readonly id: string }) => !pages.has(id)
  const shown = <A extends { readonly id: string }>(all: ReadonlyArray<A>) => all.filter(isShown)
  return {
    ...reader,
    page: (id) => (pages.has(id) ? Effect.succeed(undefined) : reader.page(id)),
    pages: (ids) =>
      Effect.map(reader.pages(ids), (all) => all.map((page) => (page && isShown(page) ? page : undefined))),
    allPages: Effect.map(reader.allPages, shown),
    pageCount: Effect.map(reader.pageCount, (count) => count - pages.size),
    children: (parent) => Effect.map(reader.children(parent), shown),
    childrenOf: (parents) => Effect.map(reader.childrenOf(parents), (all) => all.map(shown)),
    child: (parent, slug) =>
      Effect.map(reader.child(parent, slug), (id) => (id !== undefined && pages.has(id) ? undefined : id)),
    file: (id) => Effect.flatMap(files, (hidden) => (hidden.has(id) ? Effect.succeed(undefined) : reader.file(id))),
    files: Effect.flatMap(files, (hidden) => Effect.map(reader.files, (all) => all.filter(({ id }) => !hidden.has(id))))
  }
}
