/** Tables of the core, and what their concepts must declare of them. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { concepts } from "@lectern/core/Concepts"
import { roots } from "@lectern/core/content/store/GarbageRoots"
import { eventTypes } from "@lectern/core/event/Event"
import { sealedTables } from "@lectern/core/identity/SealedTables"
import { SiteId } from "@lectern/core/site/Site"
import { SpaceId } from "@lectern/core/space/Space"
import { spaceDependents } from "@lectern/core/space/SpaceDependents"
import { BlobHash } from "@lectern/core/storage/BlobStore"
import { ObjectHash } from "@lectern/core/storage/ObjectStore"
import { SearchIndex } from "@lectern/core/storage/SearchIndex"
import { Storage } from "@lectern/core/storage/Storage"
import type { Table } from "@lectern/core/storage/Table"
import { Effect } from "effect"

const source = join(import.meta.dirname, "../src")

const tables = Effect.promise(async () => {
  const found = new Set<Table>()
  for (const file of globSync("**/*.ts", { cwd: source })) {
    if (!/^export const \w+ = Table\.make\b/m.test(readFileSync(join(source, file), "utf8"))) continue
    for (const [name, one] of Object.entries(await import(join(source, file)))) {
      if (name.endsWith("Table")) found.add(one as Table)
    }
  }
  return [...found]
})

const names = (tables: Iterable<Table>) => [...tables].map(({ name }) => name).toSorted()

const fieldsOf = ({ schema }: Table): object =>
  "fields" in schema && typeof schema.fields === "object" && schema.fields !== null ? schema.fields : {}

/** True where a schema is made of the hash of an object or a blob. */
const holds = (schema: unknown, seen = new Set<unknown>()): boolean => {
  if (schema === ObjectHash || schema === BlobHash) return true
  if (schema === null || (typeof schema !== "object" && typeof schema !== "function") || seen.has(schema)) return false
  seen.add(schema)
  return Object.values(schema).some((part) => holds(part, seen))
}

/** Tables that what goes with a space or site looks into. */
const lookedInto = Effect.fnUntraced(function* (
  remove: (storage: Storage["Service"]) => Effect.Effect<void, unknown, Storage | SearchIndex>
) {
  const seen = new Set<Table>()
  const storage = {
    repository: (table: Table) => {
      seen.add(table)
      return { list: () => Effect.succeed([]), remove: () => Effect.succeed(0) }
    },
    transaction: <A>(work: A) => work
  } as never
  yield* remove(storage).pipe(
    Effect.provideService(Storage, storage),
    Effect.provideService(SearchIndex, { pages: () => Effect.succeed([]) } as never)
  )
  return seen
})

describe("Concepts", () => {
  it.effect("declare every table with sealed fields", () =>
    Effect.gen(function* () {
      const all = yield* tables
      assert.isAbove(all.length, 50)
      assert.deepStrictEqual(names(sealedTables), names(all.filter(({ sealed }) => sealed.length > 0)))
    })
  )

  it.effect("declare every table that has rows of a space as dependents of the space", () =>
    Effect.gen(function* () {
      const removed = yield* lookedInto(() =>
        Effect.forEach(spaceDependents, (removeSome) => removeSome(SpaceId.make("none")), { discard: true })
      )
      const kept = (yield* tables).filter((table) => "space" in fieldsOf(table) && !removed.has(table))
      assert.deepStrictEqual(names(kept), [])
    })
  )

  it.effect("declare every table that has rows of a site as dependents of the site", () =>
    Effect.gen(function* () {
      const removed = yield* lookedInto((storage) =>
        Effect.forEach(
          concepts.flatMap(({ siteDependents }) => siteDependents),
          (remove) => remove(storage, SiteId.make("none")),
          { discard: true }
        )
      )
      const kept = (yield* tables).filter((table) => "site" in fieldsOf(table) && !removed.has(table))
      // Addresses are forgotten by the service that keeps them.
      assert.deepStrictEqual(names(kept), ["siteAddress"])
    })
  )

  it.effect("declare every table whose rows hold hashes as a root", () =>
    Effect.gen(function* () {
      const rooted = new Set(roots.map(({ table }) => table))
      const holding = (yield* tables).filter(({ schema }) => holds(schema))
      assert.deepStrictEqual(names(rooted), names(holding))
    })
  )

  it("tell of each type of events once", () => {
    assert.isAbove(eventTypes.length, 60)
    assert.strictEqual(new Set(eventTypes).size, eventTypes.length)
  })
})
