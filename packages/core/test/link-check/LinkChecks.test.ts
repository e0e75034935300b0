/** From a merge to the list of links, through the jobs and their schedule, over each adapter. */
import { MemoryStorage } from "@lectern/adapter-memory/MemoryStorage"
import { NodeHasher } from "@lectern/adapter-sqlite/NodeHasher"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { CurrentActor, host } from "@lectern/core/access/Actor"
import { ChangeRequestContents } from "@lectern/core/change-request/contents/ChangeRequestContents"
import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import * as Exchange from "@lectern/exchange/Exchange"
import { FolderImports } from "@lectern/exchange/import/FolderImports"
import * as Folder from "@lectern/exchange/import/Folder"
import { JobWorker } from "@lectern/core/job/JobWorker"
import * as Lectern from "@lectern/core/Lectern"
import { LinkCheckTable, LinkedSpaceTable, LinkHostTable } from "@lectern/core/link-check/LinkCheck"
import { LinkChecks } from "@lectern/core/link-check/LinkChecks"
import { Links } from "@lectern/core/link/Links"
import type { OrganizationId } from "@lectern/core/organization/Organization"
import { Organizations } from "@lectern/core/organization/Organizations"
import { GuardedFetch } from "@lectern/core/fetch/GuardedFetch"
import type { SpaceId } from "@lectern/core/space/Space"
import { Spaces } from "@lectern/core/space/Spaces"
import { Storage } from "@lectern/core/storage/Storage"
import { assert, describe, it } from "@effect/vitest"
import { Clock, type Duration, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { temporaryFile } from "../../../adapter-sqlite/test/TemporaryFile.ts"
import { eventsOf } from "../Actors.ts"
import { turns } from "../Turns.ts"
import { fetching, latency, Web } from "./Web.ts"
import { memoryLayer } from "../Adapters.ts"

const storages = {
  memory: memoryLayer,
  sqlite: Layer.unwrap(Effect.map(temporaryFile, (filename) => SqliteStorage.layer({ filename })))
}

const layerOf = (storage: (typeof storages)["memory"], checkLinks = true) =>
  Layer.unwrap(
    Effect.map(GuardedFetch, (fetcher) =>
      Lectern.layer({
        hasher: NodeHasher.layer,
        fetch: Layer.succeed(GuardedFetch, fetcher),
        checkLinks,
        extensions: [Exchange.extension()]
      })
    )
  ).pipe(
    Layer.provide(fetching),
    Layer.provideMerge(Web.layer),
    Layer.provideMerge(storage as (typeof storages)["memory"]),
    Layer.merge(Layer.succeed(CurrentActor, host))
  )

type Services = Layer.Success<ReturnType<typeof layerOf>>

/** Does what is due, while time goes by as it has to. */
const work = Effect.gen(function* () {
  const fiber = yield* Effect.forkChild(JobWorker.use(({ runDue }) => runDue))
  while (fiber.pollUnsafe() === undefined) {
    yield* turns(5)
    if (fiber.pollUnsafe() === undefined) yield* TestClock.adjust(latency)
  }
  yield* Fiber.join(fiber)
})

/** Lets time go by, and does what is due then. Jobs recur once a minute. */
const pass = (duration: Duration.Input) => Effect.andThen(TestClock.adjust(duration), work)

/** By then what was written is found, and asked for. */
const soon = Effect.repeat(pass("1 minute"), { times: 2 })

const newSpace = Effect.fnUntraced(function* (organization: OrganizationId, pages: Record<string, string>) {
  const { id } = yield* (yield* Spaces).create(organization, { title: "Docs" })
  yield* write(id, pages)
  return id
})

/** The space has these pages and no others. */
const write = Effect.fnUntraced(function* (space: SpaceId, pages: Record<string, string>) {
  const files = Object.entries(pages).map(([name, text]) => Folder.file(`${name}.md`, new TextEncoder().encode(text)))
  yield* (yield* FolderImports).importFolder(space, { files })
})

const newOrganization = Effect.flatMap(Organizations, (organizations) =>
  Effect.map(organizations.create({ title: "Acme" }), ({ id }) => id)
)

const brokenOf = Effect.fnUntraced(function* (space: SpaceId) {
  const { items, stats } = yield* (yield* Links).ofSpace({ space }, { status: "broken" })
  assert.strictEqual(stats.broken.total, items.length)
  return items.map(({ ref }) => (ref.kind === "url" ? ref.url : ref.kind))
})

const checksOf = (organization: OrganizationId) =>
  Storage.use((storage) => storage.repository(LinkCheckTable).list({ where: { organization, url: { prefix: "" } } }))

const asked = Effect.map(Web, ({ requests }) => requests.map(({ method, url }) => `${method} ${url}`))

const react = (reactions: Record<string, ReturnType<Web["Service"]["reactions"]["get"]>>) =>
  Web.use(({ reactions: all }) =>
    Effect.sync(() => {
      for (const [url, reaction] of Object.entries(reactions)) all.set(url, reaction!)
    })
  )

for (const [name, storage] of Object.entries(storages)) {
  const test = (title: string, body: Effect.Effect<void, unknown, Services>) =>
    it.effect(title, () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.UTC(2026, 0, 1))
        yield* Effect.provide(Effect.andThen(work, body), layerOf(storage as (typeof storages)["memory"]))
      })
    )

  describe(`Link checks (${name})`, () => {
    test(
      "ask for each URL within minutes, once however often it is linked, and once a week from then on",
      Effect.gen(function* () {
        const organization = yield* newOrganization
        yield* newSpace(organization, {
          one: "[a](https://a.example/x#part) [b](https://a.example/x#other) ![c](https://b.example/p.png) [d](two.md)",
          two: "[a](https://a.example/x) [mail](mailto:a@b.example) [in](http://127.0.0.1:4000/v1/orgs) [no](http://10.0.0.1/)"
        })
        yield* newSpace(organization, { one: "[a](https://a.example/x) [local](http://localhost:3000/)" })
        yield* soon
        const first = ["HEAD https://a.example/x", "HEAD https://b.example/p.png"]
        assert.sameMembers(yield* asked, first)
        yield* pass("6 days")
        assert.lengthOf(yield* asked, 2)
        yield* pass("1 day")
        yield* soon
        assert.sameMembers(yield* asked, [...first, ...first])
      })
    )

    test(
      "hold a URL broken when it was gone twice, and ok when it is there again",
      Effect.gen(function* () {
        const organization = yield* newOrganization
        const space = yield* newSpace(organization, {
          one: "[a](https://a.example/gone#part) [b](https://gone.example/) [c](https://c.example/) [d](/pages/none)"
        })
        yield* react({ "https://a.example/gone": 404, "gone.example": "unknown-host" })
        yield* soon
        assert.sameMembers(yield* asked, [
          "HEAD https://a.example/gone",
          "GET https://a.example/gone",
          "HEAD https://gone.example/",
          "HEAD https://c.example/"
        ])
        assert.deepStrictEqual(yield* brokenOf(space), ["page"])
        yield* pass("11 hours")
        assert.deepStrictEqual(yield* brokenOf(space), ["page"])
        yield* pass("1 hour")
        yield* soon
        const both = ["https://a.example/gone#part", "https://gone.example/", "page"]
        assert.sameMembers(yield* brokenOf(space), both)
        yield* react({ "https://a.example/gone": 200 })
        yield* pass("23 hours")
        assert.sameMembers(yield* brokenOf(space), both)
        yield* pass("2 hours")
        assert.sameMembers(yield* brokenOf(space), both.slice(1))
        const urls = (events: ReadonlyArray<{ readonly url: string }>) => events.map(({ url }) => url)
        assert.sameMembers(urls(yield* eventsOf("external_link_broken")), [
          "https://a.example/gone",
          "https://gone.example/"
        ])
        assert.deepStrictEqual(urls(yield* eventsOf("external_link_restored")), ["https://a.example/gone"])
      })
    )

    test(
      "break nothing by an answer that is no verdict",
      Effect.gen(function* () {
        const statuses = [400, 401, 403, 405, 418, 429, 451, 500, 501, 502, 503, 504]
        const reasons = ["refused", "timeout", "failed"] as const
        const organization = yield* newOrganization
        const hosts = [...statuses, ...reasons].map((each) => `h${each}.example`)
        const space = yield* newSpace(organization, { one: hosts.map((each) => `[x](https://${each}/)`).join(" ") })
        yield* react(Object.fromEntries([...statuses, ...reasons].map((each, i) => [hosts[i], each])))
        // To HEAD alone, as of servers that don't know it.
        yield* newSpace(organization, { one: "[x](https://head.example/)" })
        yield* react({ "HEAD https://head.example/": 404 })
        for (let day = 0; day < 8; day++) {
          yield* pass("1 day")
          yield* soon
        }
        assert.isEmpty(yield* brokenOf(space))
        for (const { url, state } of yield* checksOf(organization)) assert.strictEqual(state, "ok", url)
      })
    )

    test(
      "tell an organization nothing of what others link to",
      Effect.gen(function* () {
        const url = "https://a.example/gone"
        yield* react({ [url]: 404 })
        const known = yield* newSpace(yield* newOrganization, { one: `[a](${url})` })
        yield* soon
        yield* pass("12 hours")
        yield* soon
        assert.deepStrictEqual(yield* brokenOf(known), [url])
        const other = yield* newSpace(yield* newOrganization, { one: `[a](${url})` })
        yield* soon
        assert.isEmpty(yield* brokenOf(other))
        yield* pass("12 hours")
        yield* soon
        assert.deepStrictEqual(yield* brokenOf(other), [url])
      })
    )

    test(
      "hold in change requests, which they ask nothing of until they are merged",
      Effect.gen(function* () {
        yield* react({ "https://a.example/gone": 410 })
        const organization = yield* newOrganization
        const space = yield* newSpace(organization, { one: "[a](https://a.example/gone)" })
        yield* soon
        yield* pass("12 hours")
        yield* soon
        const contents = yield* ChangeRequestContents
        const request = yield* (yield* ChangeRequests).create(space, {})
        const markdown = "[a](https://a.example/gone) [n](https://new.example/)"
        yield* contents.write(space, request.id, [
          { operation: "insert_page", title: "New", document: { markdown } }
        ] as never)
        const from = { space, changeRequest: request.id }
        const { stats, items } = yield* (yield* Links).ofSpace(from, { status: "broken" })
        assert.deepStrictEqual(stats, { total: 2, broken: { total: 1, changeRequest: 1 } })
        assert.strictEqual(items[0]!.locationCount, 2)
        yield* pass("5 minutes")
        assert.notInclude(yield* asked, "HEAD https://new.example/")
        yield* contents.merge(space, request.id)
        yield* soon
        assert.include(yield* asked, "HEAD https://new.example/")
      })
    )

    test(
      "forget what nothing links to any more",
      Effect.gen(function* () {
        const organization = yield* newOrganization
        yield* react({ "https://gone.example/": 404 })
        const space = yield* newSpace(organization, {
          one: "[a](https://a.example/)",
          two: "[b](https://b.example/) [c](https://gone.example/)"
        })
        const other = yield* newSpace(organization, { one: "[d](https://d.example/)" })
        yield* soon
        yield* pass("12 hours")
        yield* soon
        const checks = yield* LinkChecks
        assert.deepStrictEqual([...(yield* checks.broken(organization))], ["https://gone.example/"])
        yield* write(space, { one: "[a](https://a.example/)" })
        yield* (yield* Spaces).remove(other)
        yield* soon
        assert.lengthOf(yield* checksOf(organization), 4)
        yield* pass("7 days")
        yield* pass("7 days")
        yield* pass("8 days")
        const left = yield* checksOf(organization)
        assert.deepStrictEqual(
          left.map(({ url }) => url),
          ["https://a.example/"]
        )
        assert.isEmpty(yield* checks.broken(organization))
        const hosts = (yield* Storage).repository(LinkHostTable)
        assert.deepStrictEqual(
          (yield* hosts.list({ where: {} })).map(({ host }) => host),
          ["a.example"]
        )
        // The space went for good with all that belongs to it.
        const linkedSpaces = (yield* Storage).repository(LinkedSpaceTable)
        assert.deepStrictEqual(
          (yield* linkedSpaces.list({ where: {} })).map(({ space }) => space),
          [space]
        )
      })
    )

    test(
      "follow a space to another organization and back out of the trash",
      Effect.gen(function* () {
        const [from, to] = [yield* newOrganization, yield* newOrganization]
        const space = yield* newSpace(from, { one: "[a](https://a.example/)" })
        yield* soon
        const spaces = yield* Spaces
        yield* spaces.transfer(space, to)
        yield* soon
        assert.lengthOf(yield* checksOf(to), 1)
        yield* spaces.remove(space)
        // As a sweep leaves it.
        yield* (yield* Storage).repository(LinkCheckTable).remove({ organization: to, url: { prefix: "" } })
        yield* soon
        assert.isEmpty(yield* checksOf(to))
        yield* spaces.restore(space)
        yield* soon
        assert.lengthOf(yield* checksOf(to), 1)
      })
    )

    test(
      "ask a host for one thing at a time with a pause, and leave it alone when it wants that",
      Effect.gen(function* () {
        const organization = yield* newOrganization
        const urls = Array.from({ length: 60 }, (_, i) => `[x](https://h${i % 12}.example/${i})`)
        yield* newSpace(organization, { one: urls.join(" ") })
        yield* react({ "h3.example": { status: 429, retryAfter: "7200" }, "h4.example": "timeout" })
        yield* soon
        const { requests, most } = yield* Web
        assert.strictEqual(most.ofHost, 1)
        assert.isAtMost(most.all, 8)
        const timesOf = (host: string) =>
          requests.filter(({ url }) => new URL(url).hostname === host).map(({ at }) => at)
        for (let i = 0; i < 12; i++) {
          const times = timesOf(`h${i}.example`)
          assert.lengthOf(times, i === 3 || i === 4 ? 1 : 5)
          for (const [n, at] of times.entries()) if (n > 0) assert.isAtLeast(at - times[n - 1]!, 1000)
        }
        yield* pass("57 minutes")
        yield* soon
        assert.deepStrictEqual([timesOf("h3.example").length, timesOf("h4.example").length], [1, 2])
        // What is added meanwhile waits too.
        yield* newSpace(organization, { one: "[x](https://h3.example/new)" })
        yield* soon
        assert.lengthOf(timesOf("h3.example"), 1)
        yield* pass("60 minutes")
        yield* soon
        assert.isAbove(timesOf("h3.example").length, 1)
      })
    )

    test(
      "let no host keep others waiting, however many of its URLs are linked",
      Effect.gen(function* () {
        const organization = yield* newOrganization
        const crowd = Array.from({ length: 10_000 }, (_, i) => `[x](https://crowd.example/${i})`)
        yield* newSpace(organization, { one: crowd.join(" ") })
        yield* soon
        yield* newSpace(yield* newOrganization, { one: "[a](https://a.example/) [b](https://crowd.example/mine)" })
        yield* soon
        const { requests, most } = yield* Web
        assert.include(yield* asked, "HEAD https://a.example/")
        assert.include(yield* asked, "HEAD https://crowd.example/mine")
        assert.strictEqual(most.ofHost, 1)
        // A run, which recurs once a minute, asks a host for 20 at most.
        const minutes = Math.ceil((yield* Clock.currentTimeMillis) / 60_000)
        assert.isAtMost(requests.filter(({ url }) => url.startsWith("https://crowd.")).length, 20 * minutes)
      })
    )
  })
}

describe("Link checks of a space with many URLs", () => {
  it.effect("take 20,000 of them, and none that is too long", () =>
    Effect.gen(function* () {
      const organization = yield* newOrganization
      const pages = Array.from({ length: 21 }, (_, page) => [
        `page-${page}`,
        Array.from({ length: 1000 }, (_, i) => `[x](https://h.example/${page}/${i})`).join(" ")
      ])
      const space = yield* newSpace(organization, {
        ...Object.fromEntries(pages),
        long: `[long](https://long.example/${"a".repeat(2048)})`
      })
      yield* work
      yield* soon
      const count = yield* (yield* Storage).repository(LinkCheckTable).count({ organization, url: { prefix: "" } })
      assert.isAtMost(count, 20_000)
      assert.isAtLeast(count, 19_000)
      assert.isEmpty(yield* brokenOf(space))
    }).pipe(Effect.provide(layerOf(MemoryStorage.testLayer)))
  )
})

describe("Link checks that are off", () => {
  it.effect("ask for nothing, and hold nothing broken", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 0, 1))
      const data = yield* Layer.build(MemoryStorage.testLayer)
      const ports = Layer.succeedContext(data)
      const on = <A, E>(body: Effect.Effect<A, E, Services>, checkLinks: boolean) =>
        Effect.provide(Effect.andThen(work, body), layerOf(ports as (typeof storages)["memory"], checkLinks), {
          local: true
        })
      const url = "https://a.example/gone"
      const space = yield* on(
        Effect.gen(function* () {
          yield* react({ [url]: 404 })
          const space = yield* newSpace(yield* newOrganization, { one: `[a](${url})` })
          yield* soon
          yield* pass("12 hours")
          yield* soon
          assert.deepStrictEqual(yield* brokenOf(space), [url])
          return space
        }),
        true
      )
      yield* on(
        Effect.gen(function* () {
          assert.isEmpty(yield* brokenOf(space))
          yield* newSpace(yield* newOrganization, { one: "[b](https://b.example/)" })
          yield* pass("30 days")
          assert.isEmpty(yield* asked)
        }),
        false
      )
      yield* on(
        Effect.gen(function* () {
          yield* soon
          // What was written meanwhile is found.
          assert.include(yield* asked, "HEAD https://b.example/")
          assert.isEmpty(yield* brokenOf(space))
        }),
        true
      )
    })
  )
})
