/**
 * Measures the content store in small and large spaces, on the core over a SQLite file: opening a change request,
 * duplicating a space, editing a page, and merging an edit. Figures are medians of 20 runs. "Logical" is the JSON of
 * written rows and the text of written objects. "WAL" is the number of bytes that SQLite appended to its log.
 */
import { statSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeHasher } from "@lectern/adapter-sqlite/NodeHasher"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { CurrentActor, host } from "@lectern/core/access/Actor"
import { ChangeRequestContents } from "@lectern/core/change-request/contents/ChangeRequestContents"
import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import type { ContentChange } from "@lectern/core/content/edits/ContentChange"
import { Contents } from "@lectern/core/content/Contents"
import * as Lectern from "@lectern/core/Lectern"
import { Organizations } from "@lectern/core/organization/Organizations"
import type { SpaceId } from "@lectern/core/space/Space"
import { Spaces } from "@lectern/core/space/Spaces"
import { ObjectStore } from "@lectern/core/storage/ObjectStore"
import { type Repository, Storage } from "@lectern/core/storage/Storage"
import type { Table } from "@lectern/core/storage/Table"
import Database from "better-sqlite3"
import { Effect, Layer } from "effect"

const runs = 20
const sizes = [10, 10_000] as const
const sectionSize = 100

const body = (text: string) =>
  `${text}\n\n## Why\n\n${"It has some words in it, as pages do. ".repeat(20)}\n\n- one\n- two\n- three\n`

let writeCount = 0

/** Storage that counts written characters. */
const CountedStorage = Layer.effect(
  Storage,
  Effect.map(Storage, (storage) => ({
    ...storage,
    repository: <T extends Table>(table: T): Repository<T> => {
      const repository = storage.repository(table)
      return {
        ...repository,
        insert: (row) => {
          writeCount += JSON.stringify(row).length
          return repository.insert(row)
        },
        update: (where, patch) =>
          Effect.tap(repository.update(where, patch), () =>
            Effect.map(repository.list({ where }), (rows) => {
              for (const row of rows) writeCount += JSON.stringify(row).length
            })
          )
      }
    }
  }))
)

const CountedObjects = Layer.effect(
  ObjectStore,
  Effect.map(ObjectStore, (store) => ({
    ...store,
    put: (objects) => {
      for (const { text } of objects) writeCount += text.length
      return store.put(objects)
    }
  }))
)

const median = (values: ReadonlyArray<number>) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

interface Figure {
  readonly ms: number
  readonly logical: number
  readonly wal: number
}

const measured = Effect.fnUntraced(function* <E, R>(
  file: string,
  effect: (run: number) => Effect.Effect<unknown, E, R>
) {
  const samples: Array<Figure> = []
  const log = new Database(file)
  for (let run = 0; run < runs; run++) {
    // SQLite overwrites the log from its start, so its size is the appended number of bytes only if it was empty.
    log.pragma("wal_checkpoint(TRUNCATE)")
    writeCount = 0
    const start = performance.now()
    yield* effect(run)
    samples.push({ ms: performance.now() - start, logical: writeCount, wal: statSync(`${file}-wal`).size })
  }
  log.close()
  return {
    ms: median(samples.map(({ ms }) => ms)),
    logical: median(samples.map(({ logical }) => logical)),
    wal: median(samples.map(({ wal }) => wal))
  }
})

const measure = (file: string) =>
  Effect.gen(function* () {
    const organizations = yield* Organizations
    const spaces = yield* Spaces
    const changeRequests = yield* ChangeRequests
    const contents = yield* ChangeRequestContents
    const reads = yield* Contents
    const organization = yield* organizations.create({ title: "Bench" })

    const write = (space: SpaceId, changes: ReadonlyArray<ContentChange>) =>
      Effect.gen(function* () {
        const { id } = yield* changeRequests.create(space, {})
        yield* contents.write(space, id, changes)
        yield* contents.merge(space, id)
      })

    const results: Record<string, Record<number, Figure>> = {}
    for (const size of sizes) {
      const { id: space } = yield* spaces.create(organization.id, { title: `${size} pages` })
      const insert = (title: string, parent?: string): ContentChange => ({
        operation: "insert_page",
        title,
        document: { markdown: body(title) },
        ...(parent !== undefined && { into: parent })
      })
      const sections = Math.ceil(size / sectionSize)
      for (let section = 0; section < sections; section++) {
        yield* write(space, [insert(`Section ${section}`)])
        const { pages } = yield* reads.pages(yield* reads.locate({ space }))
        const parent = pages.at(-1)!.id
        const children = Math.min(sectionSize, size - section * sectionSize) - 1
        for (let createdCount = 0; createdCount < children; createdCount += 50) {
          const batch = Array.from({ length: Math.min(50, children - createdCount) }, (_, i) =>
            insert(`Page ${section}-${createdCount + i}`, parent)
          )
          yield* write(space, batch)
        }
      }
      const { pages } = yield* reads.pages(yield* reads.locate({ space }))
      const page = pages[Math.floor(pages.length / 2)]!.id

      const record = (name: string, figure: Figure) => ((results[name] ??= {})[size] = figure)
      record("create a change request", yield* measured(file, () => changeRequests.create(space, {})))
      record("duplicate the space", yield* measured(file, () => spaces.duplicate(space)))
      const { id: changeRequest } = yield* changeRequests.create(space, {})
      record(
        "edit one page",
        yield* measured(file, (run) =>
          contents.write(space, changeRequest, [
            { operation: "update_page", page, document: { markdown: body(`Edit ${run}`) } }
          ])
        )
      )
      const pendingPages: Array<string> = []
      for (let run = 0; run < runs; run++) {
        const { id } = yield* changeRequests.create(space, {})
        const child = (pages[run % pages.length] as { readonly id: string }).id
        yield* contents.write(space, id, [{ operation: "update_page", page: child, description: `Merge ${run}` }])
        pendingPages.push(id)
      }
      record("merge it", yield* measured(file, (run) => contents.merge(space, pendingPages[run]!)))
    }

    return Object.entries(results).map(([operation, bySize]) => {
      const [smallFigure, largeFigure] = sizes.map((size) => bySize[size]!) as [Figure, Figure]
      const pair = (unit: keyof Figure, digits: number) =>
        `${smallFigure[unit].toFixed(digits)} : ${largeFigure[unit].toFixed(digits)}`
      return {
        operation,
        "ms (10 : 10,000 pages)": pair("ms", 2),
        ratio: (largeFigure.ms / smallFigure.ms).toFixed(2),
        "logical bytes": pair("logical", 0),
        "WAL bytes": pair("wal", 0)
      }
    })
  })

export const run = async () => {
  const folder = await mkdtemp(join(tmpdir(), "lectern-bench-"))
  const file = join(folder, "lectern.db")
  try {
    return await Effect.runPromise(
      measure(file).pipe(
        Effect.provideService(CurrentActor, host),
        Effect.provide(
          Lectern.layer({ hasher: NodeHasher.layer }).pipe(
            Layer.provide(Layer.merge(CountedStorage, CountedObjects)),
            Layer.provideMerge(SqliteStorage.layer({ filename: file }))
          )
        )
      )
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
