/** Which integrations of the catalogue a start publishes, and which it leaves alone. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { MemoryStorage } from "@lectern/adapter-memory/MemoryStorage"
import { CurrentActor, host } from "@lectern/core/access/Actor"
import { Integrations } from "@lectern/core/integration/Integrations"
import * as Lectern from "@lectern/core/Lectern"
import { OrganizationTable } from "@lectern/core/organization/Organization"
import { Organizations } from "@lectern/core/organization/Organizations"
import { Storage } from "@lectern/core/storage/Storage"
import { afterEach, assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { publishAll, items, state } from "../src/Catalogue.ts"
import { CatalogueEntryTable } from "../src/CatalogueEntry.ts"
import { cleanUp, temporaryFolder } from "./LecternProcess.ts"

afterEach(cleanUp)

const program = (title: string) => ({
  title,
  description: "",
  visibility: "public",
  scopes: [],
  runtime: "v2",
  script: "export default {}"
})

/** A folder with these integrations, by their titles. */
const folderOf = (titles: Record<string, string>, folder = temporaryFolder()) => {
  rmSync(folder, { recursive: true })
  mkdirSync(folder)
  for (const [name, title] of Object.entries(titles)) {
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(program(title)))
  }
  return folder
}

const states = (folder: string) =>
  Effect.flatMap(items(folder), (all) =>
    Effect.forEach(all, (item) => Effect.map(state(item), (state) => `${item.name} ${state}`))
  )

const published = (name: string) =>
  Effect.gen(function* () {
    const { title, version } = yield* (yield* Integrations).get(name)
    return [title, version]
  })

const overMemory = <A, E>(test: Effect.Effect<A, E, Layer.Success<ReturnType<typeof everything>> | CurrentActor>) =>
  test.pipe(Effect.provideService(CurrentActor, host), Effect.provide(everything(), { local: true }))

const everything = () => Lectern.layer().pipe(Layer.provideMerge(MemoryStorage.testLayer))

describe("A start with a catalogue", () => {
  it.effect("publishes what is missing, and the next version of what came otherwise before, once each", () =>
    overMemory(
      Effect.gen(function* () {
        const folder = folderOf({ one: "One", two: "Two" })
        assert.deepStrictEqual(yield* states(folder), ["one missing", "two missing"])
        yield* publishAll(folder)
        yield* publishAll(folder)
        assert.deepStrictEqual(yield* states(folder), ["one published", "two published"])
        assert.deepStrictEqual(yield* published("one"), ["One", 1])
        folderOf({ one: "One", two: "Two, anew", three: "Three" }, folder)
        assert.deepStrictEqual(yield* states(folder), ["one published", "three missing", "two older"])
        yield* publishAll(folder)
        assert.deepStrictEqual(yield* published("two"), ["Two, anew", 2])
        assert.deepStrictEqual(yield* published("three"), ["Three", 1])
        assert.strictEqual(yield* (yield* Storage).repository(OrganizationTable).count({}), 1)
      })
    )
  )

  it.effect("leaves alone what is somebody else's, and what was changed or unpublished", () =>
    overMemory(
      Effect.gen(function* () {
        const integrations = yield* Integrations
        const { id: theirs } = yield* (yield* Organizations).create({ title: "Somebody else" })
        yield* integrations.publish("Taken", { ...program("Theirs"), organization: theirs } as never)
        const titles = { taken: "Ours", changed: "Changed", gone: "Gone" }
        const folder = folderOf(titles)
        yield* publishAll(folder)
        const [entry] = yield* (yield* Storage).repository(CatalogueEntryTable).list({ where: {}, limit: 1 })
        yield* integrations.publish("changed", {
          ...program("Changed here"),
          organization: entry!.organization
        } as never)
        yield* integrations.unpublish("gone")
        folderOf({ taken: "Ours", changed: "Anew", gone: "Anew" }, folder)
        yield* publishAll(folder)
        assert.deepStrictEqual(yield* states(folder), ["changed changed", "gone unpublished", "taken taken"])
        assert.deepStrictEqual(yield* published("taken"), ["Theirs", 1])
        assert.deepStrictEqual(yield* published("changed"), ["Changed here", 2])
      })
    )
  )

  it.effect("goes on where one before it was killed, before it published or behind that", () =>
    overMemory(
      Effect.gen(function* () {
        const entries = (yield* Storage).repository(CatalogueEntryTable)
        const folder = folderOf({ one: "One", two: "Two" })
        yield* publishAll(folder)
        const [one, two] = yield* entries.list({ where: {}, order: [] })
        // What was noted before the second version of the first was published, and behind the first of the second.
        yield* entries.update({ integration: one!.integration }, { version: 2, hash: "next", isPublished: false })
        yield* entries.update({ integration: two!.integration }, { isPublished: false })
        assert.deepStrictEqual(yield* states(folder), ["one missing", "two published"])
        yield* publishAll(folder)
        assert.deepStrictEqual(yield* published("one"), ["One", 2])
        assert.deepStrictEqual(yield* published("two"), ["Two", 1])
      })
    )
  )
})
