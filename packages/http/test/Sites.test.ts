/**
 * Sites beside what else there is: spaces that go and come back, who may handle which part, and
 * addresses that no two sites have.
 */
import { GrantTable } from "@lectern/core/grant/Grant"
import { AdaptiveSchemaTable } from "@lectern/core/adaptive/SiteAdaptiveSchema"
import { CustomizationTable } from "@lectern/core/customization/Customization"
import { OrganizationId } from "@lectern/core/organization/Organization"
import { PublishingAuthTable } from "@lectern/core/publishing/PublishingAuth"
import { ShareLinkTable } from "@lectern/core/publishing/ShareLink"
import { RedirectTable } from "@lectern/core/redirect/Redirect"
import { TrashedSiteSpaceTable } from "@lectern/core/site/TrashedSiteSpace"
import { SiteId } from "@lectern/core/site/Site"
import { Storage } from "@lectern/core/storage/Storage"
import { TeamMemberTable } from "@lectern/core/team/TeamMember"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { answers, Harness, has, onEachAdapter, refused } from "./Harness.ts"
import * as Shapes from "./Shapes.ts"
import {
  addSection,
  addSiteSpace,
  ask,
  createShareLink,
  createSite,
  isNoPage,
  ofSite,
  patchSite,
  patchSiteSpace,
  pathOfSite,
  publishedSite,
  siteSpacesOf,
  spaceOf
} from "./SiteSteps.ts"
import { createCollection, createSpace, createTeam } from "./Steps.ts"

const placesOf = (site: string) =>
  Effect.map(siteSpacesOf(site), (found) => found.map(({ space, path, default: first }) => [space.id, path, first]))

const remove = Effect.fnUntraced(function* (space: string) {
  yield* (yield* Harness).call("admin", "DELETE", `/v1/spaces/${space}`).pipe(has(204))
})

const restore = Effect.fnUntraced(function* (space: string) {
  yield* (yield* Harness).call("admin", "POST", `/v1/spaces/${space}/restore`).pipe(has(200))
})

const createTarget = Effect.gen(function* () {
  const { call } = yield* Harness
  return yield* call("admin", "POST", "/v1/orgs", { title: "Target" }).pipe(answers(201, Shapes.Organization))
})

onEachAdapter("Sites", (it) => {
  it.effect("lets go of a space in the trash, and takes it back to its place", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const [one, two] = [yield* spaceOf("One", ["Start"]), yield* spaceOf("Two", ["Begin"])]
      const { id: site, urls } = yield* publishedSite([one.id, two.id])
      const [first] = yield* siteSpacesOf(site)
      yield* patchSiteSpace(site, first!.id, { path: "kept", condition: "1 < 2" })
      yield* remove(one.id)
      assert.deepStrictEqual(yield* placesOf(site), [[two.id, "two", true]])
      const shown = yield* ofSite(site, "GET", "").pipe(answers(200, Shapes.Site))
      assert.strictEqual(shown.siteSpaces, 1)
      const list = yield* call("admin", "GET", `/v1/orgs/${organization}/sites?space=${one.id}`).pipe(
        answers(200, Shapes.listOf(Shapes.Site))
      )
      assert.strictEqual(list.count, 0)
      yield* isNoPage(`${urls.published}kept/start`)
      const trashed = yield* call("admin", "GET", `/v1/spaces/${one.id}`).pipe(answers(200, Shapes.Space))
      assert.isUndefined(trashed.urls.published)
      for (const body of [{ spaceId: one.id }, { spaceId: one.id, title: "Section" }]) {
        yield* ofSite(site, "POST", "title" in body ? "/sections" : "/site-spaces", body).pipe(refused(400))
      }

      yield* restore(one.id)
      assert.deepStrictEqual(yield* placesOf(site), [
        [one.id, "kept", true],
        [two.id, "two", false]
      ])
      const [back] = (yield* ofSite(site, "GET", "/site-spaces").pipe(answers(200, Shapes.listOf(Shapes.SiteSpace))))
        .items
      assert.deepInclude(back, { id: first!.id, condition: "1 < 2" })
      yield* ask(`${urls.published}kept/start`).pipe(answers(200, Shapes.PublishedUrl))
      yield* restore(one.id)
      assert.strictEqual((yield* placesOf(site)).length, 2)
    })
  )

  it.effect("takes a space back only where its place still is, with a path that is free", () =>
    Effect.gen(function* () {
      const space = yield* createSpace({ title: "Goes" })
      const [root, gone, sectioned, again] = yield* Effect.forEach([0, 1, 2, 3], () => createSite([space.id]))
      const { id: other } = yield* createSpace({ title: "Goes" })
      const stays = yield* addSection(sectioned!.id, space.id, "Stays")
      const goes = yield* addSection(sectioned!.id, space.id, "Goes away")
      yield* remove(space.id)
      assert.deepStrictEqual(yield* placesOf(sectioned!.id), [])
      const sections = ofSite(sectioned!.id, "GET", "/sections").pipe(answers(200, Shapes.listOf(Shapes.SiteSection)))
      assert.strictEqual((yield* sections).count, 2)
      yield* addSiteSpace(root!.id, other)
      yield* ofSite(gone!.id, "DELETE", "").pipe(has(204))
      yield* ofSite(sectioned!.id, "DELETE", `/sections/${goes.id}`).pipe(has(204))
      yield* addSection(again!.id, other, "First")

      yield* restore(space.id)
      assert.deepStrictEqual(yield* placesOf(root!.id), [
        [other, "goes", true],
        [space.id, "goes-2", false]
      ])
      const [only] = (yield* sections).items
      assert.strictEqual(only!.id, stays.id)
      assert.deepStrictEqual(
        only!.siteSpaces.map((entry) => [entry.space.id, entry.default]),
        [[space.id, true]]
      )
      // Where it stood at the root there are sections now.
      assert.deepStrictEqual(yield* placesOf(again!.id), [[other, "goes", true]])
    })
  )

  it.effect("lets go of spaces in a collection that goes, and for good of those that are handed over", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const [removed, moved] = [yield* createCollection(), yield* createCollection()]
      const [inRemoved, inMoved, alone] = [
        yield* createSpace({ parent: removed.id, title: "Removed" }),
        yield* createSpace({ parent: moved.id, title: "Moved" }),
        yield* createSpace({ title: "Alone" })
      ]
      const { id: site } = yield* createSite([inRemoved.id, inMoved.id, alone.id])
      yield* call("admin", "DELETE", `/v1/collections/${removed.id}`).pipe(has(204))
      assert.deepStrictEqual(yield* placesOf(site), [
        [inMoved.id, "moved", true],
        [alone.id, "alone", false]
      ])
      const target = yield* createTarget
      const over = { organization: target.id }
      yield* call("admin", "POST", `/v1/collections/${moved.id}/transfer`, over).pipe(has(200))
      yield* call("admin", "POST", `/v1/spaces/${alone.id}/transfer`, over).pipe(has(200))
      assert.deepStrictEqual(yield* placesOf(site), [])
      for (const { id } of [inMoved, alone]) {
        yield* call("admin", "POST", `/v1/spaces/${id}/transfer`, { organization }).pipe(has(200))
      }
      assert.deepStrictEqual(yield* placesOf(site), [])
      yield* restore(inRemoved.id)
      assert.deepStrictEqual(yield* placesOf(site), [[inRemoved.id, "removed", true]])
    })
  )

  it.effect("remembers no place of a space that is handed over from the trash, or copied", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const collection = yield* createCollection()
      const space = yield* createSpace({ parent: collection.id })
      const { id: site } = yield* createSite([space.id])
      const copy = yield* call("admin", "POST", `/v1/spaces/${space.id}/duplicate`).pipe(answers(201, Shapes.Space))
      assert.isFalse((yield* placesOf(site)).some(([id]) => id === copy.id))
      assert.isUndefined(copy.urls.published)
      yield* remove(space.id)
      const target = yield* createTarget
      for (const to of [target.id, organization]) {
        yield* call("admin", "POST", `/v1/collections/${collection.id}/transfer`, { organization: to }).pipe(has(200))
      }
      yield* restore(space.id)
      assert.deepStrictEqual(yield* placesOf(site), [])
    })
  )

  it.effect("shows a site to who was given a part in it, and hides spaces that are not for them", () =>
    Effect.gen(function* () {
      const { call, organization, users } = yield* Harness
      const [open, closed] = [yield* createSpace({ title: "Open" }), yield* createSpace({ title: "Closed" })]
      const { id: site } = yield* publishedSite([closed.id, open.id])
      const path = yield* pathOfSite(site)
      const grant = (content: string, role: string) =>
        call("admin", "POST", `${content}/permissions`, { users: [users.guest], role }).pipe(has(204))
      const listed = () =>
        call("guest", "GET", `/v1/orgs/${organization}/sites?limit=1000`).pipe(
          answers(200, Shapes.listOf(Shapes.Site)),
          Effect.map(({ items }) => items.map(({ id }) => id))
        )
      assert.notInclude(yield* listed(), site)
      yield* grant(path, "read")
      yield* grant(`/v1/spaces/${open.id}`, "read")
      assert.include(yield* listed(), site)
      const seen = () =>
        call("guest", "GET", `${path}/site-spaces`).pipe(
          answers(200, Shapes.listOf(Shapes.SiteSpace)),
          Effect.map(({ items, count }) => {
            assert.strictEqual(count, items.length)
            return items.map(({ space }) => space.id)
          })
        )
      assert.deepStrictEqual(yield* seen(), [open.id])
      // What is published it sees as anyone does.
      const { structure } = yield* call("guest", "GET", `${path}/published`).pipe(answers(200, Shapes.PublishedSite))
      assert.strictEqual(structure.structure.length, 2)
      for (const [method, at, body] of [
        ["PATCH", "", { title: "X-Y" }],
        ["POST", "/publish", undefined],
        ["GET", "/share-links", undefined],
        ["GET", "/publishing/auth", undefined],
        ["DELETE", "", undefined]
      ] as const) {
        yield* call("guest", method, path + at, body).pipe(refused(403))
      }

      yield* grant(path, "admin")
      const [hidden, shown] = yield* siteSpacesOf(site)
      const at = `${path}/site-spaces/${hidden!.id}`
      yield* call("guest", "PATCH", at, { path: "mine" }).pipe(refused(404))
      yield* call("guest", "PATCH", at, { spaceId: open.id }).pipe(refused(404))
      yield* call("guest", "POST", `${at}/move`, {}).pipe(refused(404))
      const item = { type: "site-space", id: hidden!.id }
      yield* call("guest", "PATCH", `${path}/structure/sort`, { item, position: {} }).pipe(refused(404))
      yield* call("guest", "DELETE", at).pipe(has(204))
      assert.deepStrictEqual(yield* placesOf(site), [
        [closed.id, "closed", true],
        [open.id, "open", false]
      ])
      const other = `${path}/site-spaces/${shown!.id}`
      yield* call("guest", "PATCH", other, { path: "ours" }).pipe(answers(200, Shapes.SiteSpace))
      // A space is put on a published site by who administers it.
      yield* call("guest", "PATCH", other, { spaceId: closed.id }).pipe(refused(400))
      yield* call("guest", "POST", `${path}/site-spaces`, { spaceId: closed.id }).pipe(refused(400))
      yield* call("guest", "POST", `${path}/sections`, { spaceId: open.id }).pipe(refused(403))
      yield* grant(`/v1/spaces/${open.id}`, "create")
      yield* call("guest", "POST", `${path}/sections`, { spaceId: open.id }).pipe(refused(403))
      yield* grant(`/v1/spaces/${open.id}`, "admin")
      const section = yield* call("guest", "POST", `${path}/sections`, { spaceId: open.id }).pipe(
        answers(201, Shapes.SiteSection)
      )
      assert.deepStrictEqual(
        section.siteSpaces.map(({ space }) => space.id),
        [open.id]
      )
      yield* call("guest", "POST", `/v1/orgs/${organization}/sites`).pipe(refused(403))
      yield* call("guest", "DELETE", path).pipe(has(204))
      yield* call("admin", "GET", path).pipe(refused(404))
    })
  )

  it.effect("gives members of a team what it was given on a site, and others nothing", () =>
    Effect.gen(function* () {
      const { call, organization, users } = yield* Harness
      const { id: site } = yield* createSite([])
      const path = yield* pathOfSite(site)
      const team = yield* createTeam
      const row = { organization: OrganizationId.make(organization), team, user: users.guest, role: "member" } as const
      yield* (yield* Storage).repository(TeamMemberTable).insert(row).pipe(Effect.orDie)
      yield* call("guest", "GET", path).pipe(refused(404))
      yield* call("admin", "POST", `${path}/permissions`, { teams: [team], role: "admin" }).pipe(has(204))
      yield* call("guest", "PATCH", path, { title: "Ours" }).pipe(has(200))
      for (const person of ["read", "comment", "edit", "review", "create"] as const) {
        const { permissions } = yield* call(person, "GET", path).pipe(answers(200, Shapes.Site))
        assert.deepStrictEqual(permissions, { view: true, admin: false })
        yield* call(person, "PATCH", path, { title: "Theirs" }).pipe(refused(403))
      }
      yield* call("admin", "DELETE", `${path}/permissions/teams/${team}`).pipe(has(204))
      yield* call("guest", "GET", path).pipe(refused(404))
    })
  )

  it.effect("removes all that is kept with a site that goes, and nothing else", () =>
    Effect.gen(function* () {
      const { call, organization, users } = yield* Harness
      const space = yield* createSpace()
      const trashed = yield* createSpace()
      const { id: site, basename } = yield* createSite([space.id, trashed.id])
      const path = yield* pathOfSite(site)
      yield* createShareLink(site)
      const [first] = yield* siteSpacesOf(site)
      const destination = { kind: "site-space", siteSpaceId: first!.id }
      yield* ofSite(site, "POST", "/redirects", { source: "/old", destination }).pipe(has(201))
      yield* ofSite(site, "PUT", "/customization", { title: "Looks" }).pipe(has(200))
      const jsonSchema = { type: "object", properties: {}, additionalProperties: false }
      yield* ofSite(site, "PUT", "/adaptive-schema", { jsonSchema }).pipe(has(200))
      yield* call("admin", "POST", `${path}/permissions`, { users: [users.guest], role: "read" }).pipe(has(204))
      yield* remove(trashed.id)
      const storage = yield* Storage
      const tables = [
        AdaptiveSchemaTable,
        CustomizationTable,
        TrashedSiteSpaceTable,
        PublishingAuthTable,
        RedirectTable,
        ShareLinkTable
      ] as const
      const id = SiteId.make(site)
      const kept = Effect.forEach(tables, (table) => storage.repository(table).count({ site: id })).pipe(Effect.orDie)
      const grants = storage.repository(GrantTable).count({ content: site }).pipe(Effect.orDie)
      assert.deepStrictEqual([...(yield* kept), yield* grants], [1, 1, 1, 1, 1, 1, 1])
      yield* ofSite(site, "DELETE", "").pipe(has(204))
      assert.deepStrictEqual([...(yield* kept), yield* grants], [0, 0, 0, 0, 0, 0, 0])
      yield* restore(trashed.id)
      yield* patchSite((yield* createSite([space.id])).id, { basename })
      const list = yield* call("admin", "GET", `/v1/orgs/${organization}/sites?space=${space.id}`).pipe(
        answers(200, Shapes.listOf(Shapes.Site))
      )
      assert.deepStrictEqual(
        list.items.map((one) => one.basename),
        [basename]
      )
    })
  )

  it.effect("answers deletes of what is not there with 204, within a site that is seen", () =>
    Effect.gen(function* () {
      const { call, elsewhere } = yield* Harness
      const space = yield* createSpace()
      const { id: site } = yield* createSite([space.id])
      const section = yield* addSection(site, space.id, "Section")
      const { id: link } = yield* createShareLink(site)
      const inside = [
        "/sections/unknown",
        `/sections/${section.id}`,
        "/section-groups/unknown",
        "/section-groups/unknown/sections/unknown",
        "/site-spaces/unknown",
        `/site-spaces/${section.siteSpaces[0]!.id}`,
        "/site-spaces/unknown/customization",
        "/share-links/unknown",
        `/share-links/${link}`,
        "/redirects/unknown"
      ]
      const path = yield* pathOfSite(site)
      for (const at of inside) {
        for (const person of ["outsider", "guest"] as const) yield* call(person, "DELETE", path + at).pipe(refused(404))
        yield* call("create", "DELETE", path + at).pipe(refused(403))
        // A site is there under its own organization alone.
        yield* call("outsider", "DELETE", `/v1/orgs/${elsewhere}/sites/${site}${at}`).pipe(refused(404))
        yield* call("admin", "DELETE", `${yield* pathOfSite("unknown")}${at}`).pipe(refused(404))
      }
      yield* call("outsider", "DELETE", path).pipe(refused(404))
      yield* call("outsider", "DELETE", `/v1/orgs/${elsewhere}/sites/${site}`).pipe(has(204))
      assert.strictEqual((yield* siteSpacesOf(site)).length, 1)
      for (const at of inside) {
        yield* call("admin", "DELETE", path + at).pipe(has(204))
        yield* call("admin", "DELETE", path + at).pipe(has(204))
      }
      assert.strictEqual((yield* siteSpacesOf(site)).length, 0)
    })
  )

  it.effect("changes nothing where a change is refused, and nothing of what is left out", () =>
    Effect.gen(function* () {
      const space = yield* createSpace()
      const { id: site } = yield* createSite([space.id])
      const taken = yield* createSite([])
      const section = yield* addSection(site, space.id, "Section")
      yield* addSection(site, space.id, "Other")
      const told = Effect.all([
        ofSite(site, "GET", "").pipe(answers(200, Shapes.Site)),
        ofSite(site, "GET", "/structure").pipe(answers(200, Shapes.Structure))
      ])
      const before = yield* told
      yield* ofSite(site, "PATCH", "", { title: "New", basename: taken.basename }).pipe(refused(409))
      yield* ofSite(site, "PATCH", "", { title: "New", defaultSiteSection: "unknown" }).pipe(refused(400))
      yield* ofSite(site, "PATCH", "", { title: "New", visibility: "private" }).pipe(refused(400))
      const at = `/sections/${section.id}`
      yield* ofSite(site, "PATCH", at, { title: "New", path: "OTHER" }).pipe(refused(409))
      yield* ofSite(site, "PATCH", at, { title: "New", defaultSiteSpace: "unknown" }).pipe(refused(400))
      yield* ofSite(site, "POST", "/section-groups", { title: "New", sections: [section.id, "unknown"] }).pipe(
        refused(400)
      )
      yield* ofSite(site, "PATCH", "", {}).pipe(has(200))
      yield* ofSite(site, "PATCH", "").pipe(has(200))
      yield* ofSite(site, "PATCH", at, {}).pipe(has(200))
      assert.deepStrictEqual(yield* told, before)
    })
  )

  it.effect("makes a basename of its own for each site, however many are made at once", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const title = `Ünique ${(yield* createSpace()).id}`
      const made = yield* Effect.all(
        Array.from({ length: 8 }, () =>
          call("create", "POST", `/v1/orgs/${organization}/sites`, { title }).pipe(answers(201, Shapes.Site))
        ),
        { concurrency: "unbounded" }
      )
      const names = new Set(made.map(({ basename }) => basename.toLowerCase()))
      assert.strictEqual(names.size, 8)
      assert.isTrue([...names].every((name) => name.startsWith("unique-")))
      // What one gave up is not given to the next one as it were nobody's.
      const free = made.find(({ basename }) => !/-\d$/.test(basename)) ?? made[0]!
      yield* patchSite(free.id, { basename: `${free.basename}-moved` })
      const { basename } = yield* call("create", "POST", `/v1/orgs/${organization}/sites`, { title }).pipe(
        answers(201, Shapes.Site)
      )
      assert.isFalse(names.has(basename))
      yield* ofSite(made[1]!.id, "DELETE", "").pipe(has(204))
      yield* patchSite(made[2]!.id, { basename: made[1]!.basename })
    })
  )

  it.effect("keeps one path for one sibling when two are asked for at once", () =>
    Effect.gen(function* () {
      const spaces = yield* Effect.forEach(["A1", "B1", "C1", "D1"], (title) => createSpace({ title }))
      const { id: site } = yield* createSite(spaces.map(({ id }) => id))
      const entries = yield* siteSpacesOf(site)
      const statuses = yield* Effect.all(
        entries.map(({ id }, i) =>
          ofSite(site, "PATCH", `/site-spaces/${id}`, { path: i % 2 === 0 ? "same" : "SAME" })
        ),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(statuses.map(({ status }) => status).sort(), [200, 409, 409, 409])
    })
  )
})
