/** A filter that names what one may not see answers as one that names nothing at all. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Harness, has, onMemory, type Person } from "./Harness.ts"
import { addSection, createSite, ofSite, pathOfSite, publishSite, siteSpacesOf } from "./SiteSteps.ts"
import { installed } from "./IntegrationSteps.ts"
import { createCollection, createSpace, createTeam, openChangeRequest } from "./Steps.ts"

onMemory("A filter by what is not seen", (it) => {
  it.effect("finds what one by nothing at all finds", () =>
    Effect.gen(function* () {
      const { call, organization, users } = yield* Harness
      const [open, closed] = [yield* createSpace(), yield* createSpace()]
      const { id: site } = yield* createSite([open.id, closed.id])
      yield* publishSite(site)
      yield* openChangeRequest(closed.id, {}, "create")
      yield* createTeam
      yield* call("admin", "PATCH", `/v1/spaces/${closed.id}`, { defaultLevel: null }).pipe(has(200))
      const org = `/v1/orgs/${organization}`
      const found = Effect.fnUntraced(function* (person: Person, path: string) {
        return JSON.parse((yield* call(person, "GET", path).pipe(has(200))).text)
      })
      assert.strictEqual((yield* found("read", `${org}/sites?space=${open.id}`)).count, 1)
      assert.strictEqual((yield* found("admin", `${org}/sites?space=${closed.id}`)).count, 1)
      const filters = [
        (id: string) => `${org}/sites?space=${id}`,
        (id: string) => `${org}/sites?space=${id}&title=x`,
        (id: string) => `${org}/sites?space=${id}&published=true`
      ]
      for (const filter of filters) {
        assert.deepStrictEqual(yield* found("read", filter(closed.id)), yield* found("read", filter("nothing")))
      }
      // Those by people: who belongs to another organization is nobody here, and unseen work is not counted.
      const byPerson = [
        (id: string) => `${org}/teams?owner=${id}`,
        (id: string) => `${org}/change-requests?status=all&contributor=${id}`,
        (id: string) => `/v1/spaces/${open.id}/change-requests?status=all&contributor=${id}`,
        (id: string) => `${org}/change-requests?status=all&reviewer=${id}`,
        (id: string) => `/v1/spaces/${open.id}/change-requests?status=all&reviewer=${id}`,
        (id: string) => `/v1/spaces/${open.id}/comments?authors=${id}`
      ]
      for (const filter of byPerson) {
        for (const person of [users.outsider, users.create]) {
          assert.deepStrictEqual(yield* found("read", filter(person)), yield* found("read", filter("nobody")))
        }
      }
    })
  )
})

onMemory("A count of spaces that an installation is on", (it) => {
  it.effect("counts those that one sees", () =>
    Effect.gen(function* () {
      const { call, organization, users } = yield* Harness
      const { name, id, path } = yield* installed()
      const counts = Effect.fnUntraced(function* (person: Person) {
        const found = Effect.fnUntraced(function* (at: string) {
          return JSON.parse((yield* call(person, "GET", at).pipe(has(200))).text)
        })
        const all = [
          (yield* found(path)).spaces,
          (yield* found(`/v1/integrations/${name}/installations`)).items[0].spaces,
          (yield* found(`/v1/orgs/${organization}/installations`)).items.find(
            ({ installation }: { readonly installation: { readonly id: string } }) => installation.id === id
          ).installation.spaces
        ]
        assert.strictEqual(new Set(all).size, 1)
        return all[0] as number
      })
      const before = { admin: yield* counts("admin"), read: yield* counts("read"), guest: yield* counts("guest") }
      const { id: closed } = yield* createCollection()
      yield* call("admin", "PATCH", `/v1/collections/${closed}`, { defaultLevel: null }).pipe(has(200))
      const hidden = yield* createSpace({ parent: closed })
      const open = yield* createSpace()
      yield* call("admin", "POST", `/v1/spaces/${hidden.id}/permissions`, { users: [users.guest], role: "read" }).pipe(
        has(204)
      )
      assert.strictEqual(yield* counts("admin"), before.admin + 2)
      assert.strictEqual(yield* counts("read"), before.read + 1)
      assert.strictEqual(yield* counts("guest"), before.guest + 1)
      yield* call("admin", "PATCH", path, { space_selection: "selected" }).pipe(has(200))
      for (const space of [hidden.id, open.id]) {
        yield* call("admin", "POST", `${path}/spaces`, { space }).pipe(has(201))
      }
      assert.deepStrictEqual([yield* counts("admin"), yield* counts("read"), yield* counts("guest")], [2, 1, 1])
    })
  )
})

onMemory("What one may not see", (it) => {
  const found = Effect.fnUntraced(function* (person: Person, at: string) {
    const { call } = yield* Harness
    return JSON.parse((yield* call(person, "GET", at).pipe(has(200))).text)
  })

  it.effect("is where no redirect leads", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const [open, closed] = [yield* createSpace(), yield* createSpace()]
      const { id: site } = yield* createSite([open.id, closed.id])
      const [shown, hidden] = yield* siteSpacesOf(site)
      yield* call("admin", "PATCH", `/v1/spaces/${closed.id}`, { defaultLevel: null }).pipe(has(200))
      for (const [source, destination] of [
        ["/elsewhere", { kind: "external", url: "https://example.com/" }],
        ["/shown", { kind: "site-space", siteSpaceId: shown!.id }],
        ["/shown-page", { kind: "site-page", siteSpaceId: shown!.id, pageId: "one" }],
        ["/secret", { kind: "site-space", siteSpaceId: hidden!.id }],
        ["/secret-page", { kind: "site-page", siteSpaceId: hidden!.id, pageId: "one" }]
      ] as const) {
        yield* ofSite(site, "POST", "/redirects", { source, destination }).pipe(has(201))
      }
      const redirects = `/v1/orgs/${organization}/sites/${site}/redirects`
      const sourcesFor = Effect.fnUntraced(function* (person: Person) {
        const { items, count } = yield* found(person, redirects)
        assert.lengthOf(items, count)
        return items.map(({ source }: { readonly source: string }) => source)
      })
      assert.lengthOf(yield* sourcesFor("admin"), 5)
      assert.deepStrictEqual(yield* sourcesFor("read"), ["/elsewhere", "/shown", "/shown-page"])
    })
  )

  it.effect("is where no redirect leads in a section, which is none where all of it is hidden", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const [open, closed] = [yield* createSpace(), yield* createSpace()]
      const { id: site } = yield* createSite([open.id])
      const sections = [yield* addSection(site, open.id, "Open"), yield* addSection(site, closed.id, "Closed")]
      yield* call("admin", "PATCH", `/v1/spaces/${closed.id}`, { defaultLevel: null }).pipe(has(200))
      for (const [n, section] of sections.entries()) {
        const destination = { kind: "site-section", siteSectionId: section.id }
        yield* ofSite(site, "POST", "/redirects", { source: `/to-${n}`, destination }).pipe(has(201))
      }
      const { items } = yield* found("read", `/v1/orgs/${organization}/sites/${site}/redirects`)
      assert.deepStrictEqual(
        items.map(({ source }: { readonly source: string }) => source),
        ["/to-0"]
      )
    })
  )

  it.effect("is not counted among what was granted to others", () =>
    Effect.gen(function* () {
      const { call, organization, users } = yield* Harness
      const { id: shown } = yield* createCollection()
      const { id: hidden } = yield* createCollection()
      const [open, closed] = [yield* createSpace(), yield* createSpace()]
      yield* createSpace({ parent: hidden })
      const { id: kept } = yield* createSpace({ parent: shown })
      yield* createSpace({ parent: shown })
      const team = yield* createTeam
      const contents = [
        ...[shown, hidden].map((id) => `/v1/collections/${id}`),
        ...[open, closed].map(({ id }) => `/v1/spaces/${id}`)
      ]
      for (const content of contents) {
        for (const holders of [{ teams: [team] }, { users: [users.create] }]) {
          yield* call("admin", "POST", `${content}/permissions`, { ...holders, role: "edit" }).pipe(has(204))
        }
      }
      for (const content of [`/v1/collections/${hidden}`, `/v1/spaces/${closed.id}`, `/v1/spaces/${kept}`]) {
        yield* call("admin", "PATCH", content, { defaultLevel: null }).pipe(has(200))
      }
      const { id: site } = yield* createSite([open.id])
      const sites = `/v1/orgs/${organization}/sites/${site}/permissions`
      yield* call("admin", "POST", sites, { users: [users.create], role: "edit" }).pipe(has(204))
      const org = `/v1/orgs/${organization}`
      for (const [person, spaces, onSites] of [
        ["admin", 5, 1],
        ["create", 5, 1],
        ["read", 2, 1],
        ["guest", 0, 0]
      ] as const) {
        const counts = { spaces, sites: onSites }
        const member = yield* found(person, `${org}/members/${users.create}`)
        assert.deepInclude(member, counts, person)
        const listed = (yield* found(person, `${org}/members?limit=1000`)).items
        assert.deepInclude(
          listed.find(({ id }: { readonly id: string }) => id === users.create),
          counts
        )
        assert.strictEqual((yield* found(person, `${org}/teams/${team}`)).spaces, spaces, person)
      }
      yield* call("admin", "POST", `/v1/spaces/${kept}/permissions`, { users: [users.guest], role: "read" }).pipe(
        has(204)
      )
      assert.strictEqual((yield* found("guest", `${org}/teams/${team}`)).spaces, 1)
    })
  )

  it.effect("is neither counted nor named on a site", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const [open, closed] = [yield* createSpace({ title: "Open" }), yield* createSpace({ title: "Secret plan" })]
      const { id } = yield* createSite([open.id])
      const site = `/v1/orgs/${organization}/sites/${id}`
      yield* call("admin", "POST", `${site}/sections`, { spaceId: open.id, title: "Shown" }).pipe(has(201))
      const section = JSON.parse((yield* call("admin", "POST", `${site}/sections`, { spaceId: closed.id })).text)
      const group = { title: "Secret group", sections: [section.id] }
      yield* call("admin", "POST", `${site}/section-groups`, group).pipe(has(201))
      yield* call("admin", "PATCH", `/v1/spaces/${closed.id}`, { defaultLevel: null }).pipe(has(200))
      for (const [person, count] of [
        ["admin", 2],
        ["read", 1]
      ] as const) {
        assert.strictEqual((yield* found(person, site)).siteSpaces, count)
        const listed = (yield* found(person, `/v1/orgs/${organization}/sites`)).items
        assert.strictEqual(listed.find((one: { readonly id: string }) => one.id === id).siteSpaces, count)
        assert.strictEqual((yield* found(person, `${site}/site-spaces`)).count, count)
        assert.strictEqual((yield* found(person, `${site}/sections`)).count, count)
        assert.strictEqual((yield* found(person, `${site}/section-groups`)).count, count - 1)
        const { text } = yield* call(person, "GET", `${site}/structure`).pipe(has(200))
        assert.strictEqual(text.includes("Secret"), person === "admin")
      }
    })
  )
})

onMemory("Insights of a site that one does not see in whole", (it) => {
  it.effect("are of the parts that one sees, and of what was at none", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const [open, closed] = [yield* createSpace(), yield* createSpace()]
      const { id } = yield* createSite([open.id])
      yield* addSection(id, open.id, "Open")
      const hidden = yield* addSection(id, closed.id, "Closed")
      yield* publishSite(id)
      const [shown] = yield* siteSpacesOf(id)
      yield* call("admin", "PATCH", `/v1/spaces/${closed.id}`, { defaultLevel: null }).pipe(has(200))
      const session = { visitorId: "v", sessionId: "s", cookies: {}, userAgent: "x", language: null, referrer: null }
      const nowhere = {
        siteSection: null,
        siteSpace: null,
        siteShareKey: null,
        space: null,
        revision: null,
        page: null
      }
      const events = [
        { url: "https://docs.example.com/" },
        { url: "https://docs.example.com/open", siteSpace: shown!.id, space: open.id, page: "page" },
        { url: "https://docs.example.com/closed", siteSection: hidden.id },
        { url: "https://docs.example.com/closed/a", siteSpace: hidden.siteSpaces[0]!.id },
        { url: "https://docs.example.com/closed/b", space: closed.id, page: "page" }
      ].map((at) => ({ type: "page_view", session, location: { ...nowhere, ...at } }))
      yield* ofSite(id, "POST", "/insights/events", { events }).pipe(has(204))
      const seen = Effect.fnUntraced(function* (person: Person) {
        const query = { range: "last24Hours", groupBy: [{ column: "url" }] }
        const at = `${yield* pathOfSite(id)}/insights/events/aggregate`
        const { columns } = JSON.parse((yield* call(person, "POST", at, query).pipe(has(200))).text)
        return columns[0].values.map((url: string) => new URL(url).pathname).toSorted()
      })
      assert.deepStrictEqual(yield* seen("admin"), ["/", "/closed", "/closed/a", "/closed/b", "/open"])
      assert.deepStrictEqual(yield* seen("edit"), ["/", "/open"])
    })
  )
})
