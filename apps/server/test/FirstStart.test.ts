import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { NodeHasher } from "@lectern/adapter-sqlite/NodeHasher"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { CurrentActor, host } from "@lectern/core/access/Actor"
import * as Lectern from "@lectern/core/Lectern"
import { Customizations } from "@lectern/core/customization/Customizations"
import * as Exchange from "@lectern/exchange/Exchange"
import { Links } from "@lectern/core/link/Links"
import { SiteTable } from "@lectern/core/site/Site"
import * as SiteStructure from "@lectern/core/site/SiteStructure"
import { SpaceTable } from "@lectern/core/space/Space"
import { OrganizationTable } from "@lectern/core/organization/Organization"
import { Storage } from "@lectern/core/storage/Storage"
import { afterEach, assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as SignIn from "@lectern/sign-in/SignIn"
import { firstStart } from "../src/FirstStart.ts"
import { cleanUp, temporaryFolder } from "./LecternProcess.ts"

/** Sections in the \`site.yaml\` of the manual. */
const sections = ["Use", "Embed", "Run", "Reference"]

const none = pathToFileURL("/nowhere/docs")

const over = (filename: string, maxPages?: number) =>
  Lectern.layer({ hasher: NodeHasher.layer, extensions: [Exchange.extension(), SignIn.extension()] }).pipe(
    Layer.provideMerge(SqliteStorage.layer({ filename, ...(maxPages !== undefined && { maxPages }) }))
  )

const organizations = Effect.flatMap(Storage, (storage) => storage.repository(OrganizationTable).count({}))

describe("firstStart", () => {
  afterEach(cleanUp)

  it.effect("on a full disk says so and leaves nothing behind that is half", () =>
    Effect.gen(function* () {
      const filename = join(temporaryFolder(), "lectern.db")
      const failures: Array<string> = []
      let pages = 1
      // Room is added bit by bit, so that each of its writes is once the one that fails.
      for (let done = false; !done && pages < 2000; pages += 3) {
        const attempt = Effect.flatMap(firstStart({ documentation: none }), () => Effect.void).pipe(
          Effect.provide(over(filename, pages), { local: true })
        )
        const result = yield* Effect.result(attempt)
        if (result._tag === "Success") done = true
        else failures.push(result.failure._tag === "StorageError" ? result.failure.reason : result.failure._tag)
      }
      assert.isAbove(failures.length, 0)
      assert.deepStrictEqual([...new Set(failures)], ["full"])
      const begun = yield* firstStart({ documentation: none }).pipe(
        Effect.tap((begun) => Effect.orDie(begun!.finish)),
        Effect.flatMap((begun) => Effect.map(organizations, (count) => ({ begun, count }))),
        Effect.provide(over(filename), { local: true })
      )
      assert.strictEqual(begun.count, 1)
      const second = yield* firstStart({ documentation: none }).pipe(Effect.provide(over(filename), { local: true }))
      assert.isUndefined(second)
    })
  )

  it.effect("imports a manual in which every link leads somewhere, and publishes it in sections", () =>
    Effect.gen(function* () {
      const begun = yield* firstStart({})
      assert.isAbove(begun?.importedCount ?? 0, 120)
      assert.strictEqual(begun?.manual, "http://127.0.0.1:4000/sites/lectern-manual/")
      const links = yield* Links
      const spaces = yield* (yield* Storage).repository(SpaceTable).list({ where: {} })
      assert.lengthOf(spaces, sections.length)
      for (const { id } of spaces) {
        const { items } = yield* links
          .ofSpace({ space: id }, { status: "broken" })
          .pipe(Effect.provideService(CurrentActor, host))
        assert.deepStrictEqual(
          items.map(({ ref }) => ref),
          []
        )
      }
      const [site] = yield* (yield* Storage).repository(SiteTable).list({ where: {} })
      assert.deepStrictEqual(
        SiteStructure.sections(site!.structure).map(({ section }) => section.title),
        sections
      )
      const { header, footer } = yield* (yield* Customizations)
        .get(site!.organization, site!.id)
        .pipe(Effect.provideService(CurrentActor, host))
      assert.deepStrictEqual(
        header.links.map(({ title }) => title),
        ["Changelog", "API"]
      )
      assert.deepStrictEqual(header.links[1]?.to, { kind: "url", url: "/docs" })
      assert.deepStrictEqual(
        footer.groups.map(({ links }) => links.length),
        [4, 5, 3]
      )
    }).pipe(Effect.provide(over(join(temporaryFolder(), "lectern.db"))))
  )
})
