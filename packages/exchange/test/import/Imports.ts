/** Shared steps of import tests: an instance in memory with one space, and functions to read the space. */
import { MemoryStorage } from "@lectern/adapter-memory/MemoryStorage"
import { CurrentActor, host } from "@lectern/core/access/Actor"
import * as ContentReader from "@lectern/core/content/ContentReader"
import * as Exchange from "@lectern/exchange/Exchange"
import * as Folder from "@lectern/exchange/import/Folder"
import { FolderImports } from "@lectern/exchange/import/FolderImports"
import { makeMarkdowns } from "@lectern/core/content/documents/Markdowns"
import { Objects } from "@lectern/core/content/store/Objects"
import * as PageTree from "@lectern/core/content/pages/PageTree"
import { RevisionTable } from "@lectern/core/content/revisions/Revision"
import { Revisions } from "@lectern/core/content/revisions/Revisions"
import * as Lectern from "@lectern/core/Lectern"
import { Organizations } from "@lectern/core/organization/Organizations"
import { type SpaceId, SpaceTable } from "@lectern/core/space/Space"
import { Spaces } from "@lectern/core/space/Spaces"
import { Storage } from "@lectern/core/storage/Storage"
import { Threads, type TooCostly, tooCostly } from "@lectern/core/thread/Threads"
import { Effect, Layer } from "effect"
import { documentOf } from "../../../core/test/content/Documents.ts"

const instance = (threads?: Layer.Layer<Threads>) =>
  Lectern.layer({ extensions: [Exchange.extension()], ...(threads && { threads }) }).pipe(
    Layer.provideMerge(MemoryStorage.testLayer)
  )
const Instance = instance()

/** Runs a test as the host, on an instance of its own. */
export const onInstance = <A, E>(
  test: Effect.Effect<A, E, Layer.Success<typeof Instance> | CurrentActor>,
  threads?: Layer.Layer<Threads>
): Effect.Effect<A, E | Layer.Error<typeof Instance>> =>
  test.pipe(
    Effect.provideService(CurrentActor, host),
    Effect.provide(threads === undefined ? Instance : instance(threads))
  )

/** Returns `Threads` that run in place. The named computation fails with `TooCostly`, or with the effect `how`. */
export const refusing = (name: string, how: Effect.Effect<never, TooCostly> = Effect.fail(tooCostly)) =>
  Layer.effect(
    Threads,
    Effect.map(Threads, ({ run, inPlace }) =>
      Threads.of({
        inPlace,
        run: (computation, input, options) => (computation.name === name ? how : run(computation, input, options))
      })
    )
  ).pipe(Layer.provide(Threads.layer))

export const newSpace = Effect.gen(function* () {
  const { id } = yield* (yield* Organizations).create({ title: "Acme" })
  return (yield* (yield* Spaces).create(id, { title: "Docs" })).id
})

export const files = (contents: Readonly<Record<string, string | Uint8Array>>): ReadonlyArray<Folder.FolderFile> =>
  Object.entries(contents).map(([path, bytes]) => Folder.file(path, bytes))

export const importFiles = Effect.fnUntraced(function* (
  space: SpaceId,
  contents: Readonly<Record<string, string | Uint8Array>>
) {
  return yield* (yield* FolderImports).importFolder(space, { files: files(contents) })
})

export const revisionOf = Effect.fnUntraced(function* (space: SpaceId) {
  const row = yield* (yield* Storage).repository(SpaceTable).get({ id: space })
  return yield* (yield* Revisions).get(row!.revision)
})

export const revisionCount = (space: SpaceId) =>
  Effect.flatMap(Storage, (storage) => storage.repository(RevisionTable).count({ space }))

export const reader = Effect.fnUntraced(function* (space: SpaceId) {
  return ContentReader.make(yield* Objects, (yield* revisionOf(space)).content)
})

/**
 * Returns the page tree as lines `title (path)`, indented by two spaces per level. The type follows unless it is
 * `document`.
 */
export const outline = Effect.fnUntraced(function* (space: SpaceId) {
  const lines: Array<string> = []
  const visit = (nodes: ReadonlyArray<PageTree.PageNode>, depth: number) => {
    for (const { page, path, pages } of nodes) {
      const kind = page.type === "document" ? "" : ` ${page.type}`
      lines.push(`${"  ".repeat(depth)}${page.title} (${path})${kind}${page.hidden ? " hidden" : ""}`)
      visit(pages, depth + 1)
    }
  }
  visit(yield* PageTree.tree(yield* reader(space)), 0)
  return lines
})

export const pageAt = Effect.fnUntraced(function* (space: SpaceId, path: string) {
  const page = yield* PageTree.byPath(yield* reader(space), path)
  if (page === undefined) return yield* Effect.die(new Error(`There is no page at ${path}`))
  return page
})

export const markdownAt = Effect.fnUntraced(function* (space: SpaceId, path: string) {
  return yield* (yield* makeMarkdowns).get((yield* pageAt(space, path)).document)
})

export const documentAt = Effect.fnUntraced(function* (space: SpaceId, path: string) {
  return yield* documentOf(yield* reader(space), (yield* pageAt(space, path)).document)
})
