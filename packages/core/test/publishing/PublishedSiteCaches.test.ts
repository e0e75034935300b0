/**
 * Cached data of published sites equals the stored data. After each write that changes it, committed and rolled back,
 * an instance with caches returns the same as a new instance. Over SQLite a second instance writes to the same file.
 */
import { MemoryStorage } from "@lectern/adapter-memory/MemoryStorage"
import { NodeHasher } from "@lectern/adapter-sqlite/NodeHasher"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { CurrentActor, host, type Visitor } from "@lectern/core/access/Actor"
import { AdaptiveSchemas } from "@lectern/core/adaptive/AdaptiveSchemas"
import { ChangeRequestContents } from "@lectern/core/change-request/contents/ChangeRequestContents"
import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import type { ContentChange } from "@lectern/core/content/edits/ContentChange"
import { Contents } from "@lectern/core/content/Contents"
import { Customizations } from "@lectern/core/customization/Customizations"
import * as Lectern from "@lectern/core/Lectern"
import { Organizations } from "@lectern/core/organization/Organizations"
import { PublishedSites } from "@lectern/core/publishing/PublishedSites"
import { PublishedUrls } from "@lectern/core/publishing/urls/PublishedUrls"
import { VisitorTokens } from "@lectern/core/visitor/VisitorTokens"
import { Sites } from "@lectern/core/site/Sites"
import { SiteSections } from "@lectern/core/site/SiteSections"
import { SiteSorting } from "@lectern/core/site/SiteSorting"
import { SiteSpaces } from "@lectern/core/site/SiteSpaces"
import type { SpaceId } from "@lectern/core/space/Space"
import { Spaces } from "@lectern/core/space/Spaces"
import { Storage } from "@lectern/core/storage/Storage"
import { assert, describe, it } from "@effect/vitest"
import { type Context, Effect, Layer, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { temporaryFile } from "../../../adapter-sqlite/test/TemporaryFile.ts"

const instance = <E>(storage: Layer.Layer<Storage, E>) =>
  Layer.fresh(
    Lectern.layer({ hasher: NodeHasher.layer }).pipe(Layer.provideMerge(storage as Layer.Layer<any, E>))
  ) as Layer.Layer<Instance, E>

type Instance = Lectern.LecternServices

/** A new instance over the same store, with empty caches. */
const begun = Layer.unwrap(
  Effect.map(Effect.context<never>(), (services) => instance(Layer.succeedContext(services) as Layer.Layer<Storage>))
)

const edit = Effect.fnUntraced(function* (space: SpaceId, changes: ReadonlyArray<ContentChange>) {
  const { id } = yield* (yield* ChangeRequests).create(space, {})
  yield* (yield* ChangeRequestContents).write(space, id, changes)
  yield* (yield* ChangeRequestContents).merge(space, id)
})

/** A published site of two sections, with two spaces in the first; a page in each space. */
const begin = Effect.gen(function* () {
  const { id: organization } = yield* (yield* Organizations).create({ title: "Acme" })
  const made: Array<SpaceId> = []
  for (const title of ["One", "Two", "Three"]) {
    const { id } = yield* (yield* Spaces).create(organization, { title })
    yield* edit(id, [
      { operation: "insert_page", title: `Top of ${title}`, ref: "top" },
      { operation: "insert_page", title: "Below", into: "top" }
    ])
    made.push(id)
  }
  const [one, two, three] = made as [SpaceId, SpaceId, SpaceId]
  const sites = yield* Sites
  const sections = yield* SiteSections
  const site = (yield* sites.create(organization, { title: "Docs" })).id
  const first = (yield* sections.create(organization, site, { spaceId: one, title: "First" })).id
  yield* (yield* SiteSpaces).add(organization, site, { spaceId: two, sectionId: first })
  const second = (yield* sections.create(organization, site, { spaceId: three, title: "Second" })).id
  const { urls } = yield* sites.publish(organization, site)
  const { items } = yield* (yield* SiteSpaces).list(organization, site, {})
  const contents = yield* Contents
  const { pages } = yield* contents.pages(yield* contents.locate({ space: three }))
  const base = urls.published!
  const paths = ["", "top-of-one/below", "two", "two/top-of-two", "second/top-of-three/below", "second/other", "old"]
  return {
    organization,
    site,
    one,
    two,
    three,
    first,
    second,
    siteSpaces: items.map(({ id }) => id),
    page: pages.at(-1)!.id,
    urls: paths.flatMap((path) => [`${base}${path}`, `${base}${path}?visitor.plan=pro`])
  }
})
type World = Effect.Success<typeof begin>

const refused = <E extends { readonly _tag: string }>({ _tag }: E) => Effect.succeed(_tag as unknown)

/** Returns the data of the site for the host and for two visitors. */
const siteDataFor = Effect.fnUntraced(function* ({ organization, site }: World, visitors: ReadonlyArray<Visitor>) {
  const published = yield* PublishedSites
  const sorting = yield* SiteSorting
  const said: Array<unknown> = []
  for (const actor of [host, ...visitors]) {
    const as = Effect.provideService(CurrentActor, actor)
    said.push(yield* published.get(organization, site, {}).pipe(as, Effect.catch(refused)))
    said.push(yield* sorting.get(organization, site, {}).pipe(as, Effect.catch(refused)))
  }
  return said
})

/** Returns the resolved URLs and the data of the site. All instances sign equal read tokens. */
const dataFor = Effect.fnUntraced(function* (world: World, visitors: ReadonlyArray<Visitor>) {
  const urls = yield* PublishedUrls
  const led = yield* Effect.forEach(world.urls, (url) =>
    Effect.map(urls.resolve({ url }).pipe(Effect.catch(refused)), (answer) => [url, answer])
  )
  return [...led, ...(yield* siteDataFor(world, visitors))]
})

const writes: ReadonlyArray<
  readonly [string, (world: World) => Effect.Effect<unknown, unknown, Instance | CurrentActor>]
> = [
  ["the title of a space", ({ one }) => Spaces.use((spaces) => spaces.update(one, { title: "Other" }))],
  ["the emoji of a space", ({ one }) => Spaces.use((spaces) => spaces.update(one, { emoji: "1f600" }))],
  ["closing a space", ({ one }) => Spaces.use((spaces) => spaces.update(one, { visibility: "private" }))],
  ["opening a space", ({ one }) => Spaces.use((spaces) => spaces.update(one, { visibility: "public" }))],
  ["the level of a space", ({ two }) => Spaces.use((spaces) => spaces.update(two, { defaultLevel: "comment" }))],
  [
    "the level of an organization",
    ({ organization }) => Organizations.use((all) => all.update(organization, { defaultRole: "create" }))
  ],
  ["the slug of a page", ({ three, page }) => edit(three, [{ operation: "update_page", page, slug: "other" }])],
  [
    "the condition of a page",
    ({ three, page }) =>
      edit(three, [{ operation: "update_page", page, condition: 'visitor.claims.unsigned.plan == "pro"' }])
  ],
  ["removing a space", ({ two }) => Spaces.use((spaces) => spaces.remove(two))],
  ["restoring a space", ({ two }) => Spaces.use((spaces) => spaces.restore(two))],
  [
    "the customization of a site",
    ({ organization, site }) => Customizations.use((all) => all.put(organization, site, { title: "Looks" }))
  ],
  [
    "the title of a site",
    ({ organization, site }) => Sites.use((sites) => sites.update(organization, site, { title: "Guide" }))
  ],
  [
    "the path of a section",
    ({ organization, site, second }) =>
      SiteSections.use((sections) => sections.update(organization, site, second, { path: "Moved" }))
  ],
  [
    "the condition of a section",
    ({ organization, site, first }) =>
      SiteSections.use((sections) =>
        sections.update(organization, site, first, { condition: 'visitor.claims.unsigned.plan == "pro"' })
      )
  ],
  [
    "turning adaptive content off",
    ({ organization, site }) =>
      Sites.use((sites) => sites.update(organization, site, { adaptiveContent: { enabled: false } }))
  ],
  [
    "turning adaptive content on",
    ({ organization, site }) =>
      Sites.use((sites) => sites.update(organization, site, { adaptiveContent: { enabled: true } }))
  ],
  [
    "the schema of claims",
    ({ organization, site }) =>
      AdaptiveSchemas.use((schemas) =>
        schemas.put(organization, site, {
          jsonSchema: { type: "object", properties: { plan: { type: "string" } }, additionalProperties: false }
        } as never)
      )
  ],
  [
    "removing a space from a site",
    ({ organization, site, siteSpaces }) => SiteSpaces.use((all) => all.remove(organization, site, siteSpaces[0]!))
  ],
  [
    "the basename of a site",
    ({ organization, site }) => Sites.use((sites) => sites.update(organization, site, { basename: "elsewhere" }))
  ],
  [
    "the audience of a site",
    ({ organization, site }) => Sites.use((sites) => sites.update(organization, site, { visibility: "share-link" }))
  ],
  ["unpublishing a site", ({ organization, site }) => Sites.use((sites) => sites.unpublish(organization, site))]
]

class RolledBack {
  readonly _tag = "RolledBack"
}

const hold = (instances: Effect.Effect<ReadonlyArray<Context.Context<Instance>>, unknown, Scope.Scope>) =>
  Effect.gen(function* () {
    const all = yield* instances
    const on = <A, E>(at: number, effect: Effect.Effect<A, E, Instance | CurrentActor>) =>
      effect.pipe(Effect.provideService(CurrentActor, host), Effect.provide(all[at % all.length]!))
    const world = yield* on(0, begin)
    const visitors: Array<Visitor> = []
    for (const url of world.urls.slice(0, 2)) {
      const answer = yield* on(
        0,
        PublishedUrls.use((urls) => urls.resolve({ url }))
      )
      const token = "apiToken" in answer ? answer.apiToken : ""
      visitors.push(
        (yield* on(
          0,
          VisitorTokens.use((tokens) => tokens.visitor(token))
        ))!
      )
    }
    const agree = Effect.fnUntraced(function* (when: string) {
      const said = yield* dataFor(world, visitors)
      assert.deepStrictEqual(said, yield* dataFor(world, visitors), `repeated, ${when}`)
      assert.deepStrictEqual(said, yield* dataFor(world, visitors).pipe(Effect.provide(Layer.fresh(begun))), when)
      return said
    })

    let before = yield* on(0, agree("before any write"))
    for (const [i, [name, write]] of writes.entries()) {
      const undone = Effect.gen(function* () {
        yield* write(world)
        yield* siteDataFor(world, visitors)
        return yield* Effect.fail(new RolledBack())
      })
      // A merge prepares its content outside of the transaction.
      if (!name.endsWith("of a page")) {
        const end = yield* Effect.flip(
          on(
            i,
            Storage.use((storage) => storage.transaction(undone))
          )
        )
        assert.instanceOf(end, RolledBack)
      }
      for (const at of all.keys()) assert.deepStrictEqual(yield* on(at, agree(`${name}, rolled back`)), before)
      yield* on(i, write(world))
      const after: Array<unknown> = []
      for (const at of all.keys()) after.push(yield* on(at, agree(`${name}, on instance ${at}`)))
      assert.notDeepEqual(after[0], before, `${name} changes the data`)
      before = after[0] as typeof before
    }
  }).pipe(Effect.scoped)

describe("Caches of published sites", () => {
  it.effect("return the stored data (memory)", () =>
    hold(Effect.map(Layer.build(instance(MemoryStorage.testLayer)), (context) => [context]))
  )

  it.effect("return the stored data after writes of another instance (two instances on one SQLite file)", () =>
    hold(
      Effect.gen(function* () {
        const filename = yield* temporaryFile
        const open = Layer.build(instance(SqliteStorage.layer({ filename })))
        return [yield* open, yield* open]
      })
    )
  )

  it.effect("return the same objects until a write, except for the token of the day", () =>
    Effect.gen(function* () {
      const { urls, organization, site } = yield* begin
      const resolve = PublishedUrls.use((all) => all.resolve({ url: urls[2]! }))
      const published = PublishedSites.use((all) => all.get(organization, site, {}))
      const answer = yield* resolve
      const shown = yield* published
      // A write to another organization does not end the entries.
      yield* (yield* Organizations).create({ title: "Other" })
      assert.strictEqual(yield* resolve, answer)
      assert.strictEqual(yield* published, shown)
      yield* TestClock.adjust("24 hours")
      const next = yield* resolve
      assert.deepStrictEqual({ ...next, apiToken: "" }, { ...answer, apiToken: "" })
      assert.notStrictEqual("apiToken" in next && next.apiToken, "apiToken" in answer && answer.apiToken)
      assert.strictEqual(yield* published, shown)
    }).pipe(Effect.provideService(CurrentActor, host), Effect.provide(instance(MemoryStorage.testLayer)))
  )
})
