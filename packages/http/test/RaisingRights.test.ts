/**
 * Nobody who may not create raises its own rights, by any route: each of them tries every operation
 * that writes, in its own favour, and then may do exactly what it might before.
 */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { operations } from "./AuthorityTable.ts"
import { endpoints } from "./Endpoints.ts"
import { answers, Harness, has, onEachAdapter } from "./Harness.ts"
import { manifest } from "./IntegrationSteps.ts"
import * as Shapes from "./Shapes.ts"
import { createCollection, createSpace, foundOrganization, insertPage } from "./Steps.ts"
import { makeThings, type Things } from "./Things.ts"

interface Own {
  readonly user: string
  readonly email: string
  /** Organization that it administers. */
  readonly organization: string
  /** A collection there. */
  readonly collection: string
  /** One of the organization where everyone has `admin`. */
  readonly open: string
  /** Things that it does not administer. */
  readonly things: Things
}

const all = { view: true, admin: true }

/** Input in the caller's own favour, for each operation that writes. */
const inOwnFavour: Readonly<Record<string, (own: Own) => ReadonlyArray<unknown>>> = {
  "users.updateMe": () => [{ displayName: "Administrator" }],
  "users.update": () => [{ displayName: "Administrator" }],
  "userTokens.create": () => [{}, { scopes: ["organization:write", "access:write"] }],
  "userTokens.revoke": () => [undefined],
  "siteInsightsSums.aggregate": () => [{ range: "last7Days" }],
  "search.prewarm": () => [undefined],
  "search.site": () => [{ query: "Page" }],
  "organizations.create": () => [{ title: "Mine" }],
  "organizations.update": () => [{ defaultRole: "admin" }, { defaultRole: "create", title: "Taken" }],
  "organizations.join": () => [undefined],
  "emailDomains.prove": () => [undefined],
  "members.update": () => [{ role: "admin" }, { role: "create" }],
  "members.remove": () => [undefined],
  "invitations.invite": ({ email }) => [{ emails: [email], role: "admin" }, { emails: [{ email, role: "admin" }] }],
  "invitations.accept": () => [undefined],
  "invitations.remove": () => [undefined],
  "glossaries.update": () => [{ operations: [] }],
  "redirects.writeAll": () => [{ redirects: [{ source: "/old", destination: null }] }],
  "importRuns.start": ({ things }) => [
    { source: { type: "website", url: "https://example.com/" }, target: { space: things.space } }
  ],
  "importRuns.cancel": () => [undefined],
  "uploads.begin": () => [{ file: { name: "x.png", type: "image/png", size: 1 }, kind: "organization_file" }],
  "uploadedFiles.put": () => [{}],
  "fonts.create": () => [{ fontFamily: "Mine", fontFaces: [{ weight: 400, storageKey: "none" }] }],
  "fonts.update": () => [{ fontFamily: "Mine" }],
  "fonts.remove": () => [undefined],
  "inviteLinks.create": () => [{ role: "admin" }, { role: "read" }],
  "inviteLinks.update": () => [{ role: "admin" }],
  "inviteLinks.remove": () => [undefined],
  "teams.create": ({ user }) => [{ title: "Mine", members: [user] }],
  "teams.update": () => [{ title: "Mine" }],
  "teams.remove": () => [undefined],
  "teams.updateMembers": ({ user }) => [{ add: [user] }, { memberships: { [user]: { role: "owner" } } }],
  "teams.putMember": () => [{ role: "owner" }],
  "teams.removeMember": () => [undefined],
  "collections.create": ({ collection, open }) => [{}, { parent: collection }, { parent: open }],
  "collections.update": () => [{ defaultLevel: "admin" }, { defaultLevel: "inherit" }],
  "collections.remove": () => [undefined],
  "collections.move": ({ collection, open }) => [
    { parent: open },
    { parent: collection },
    { parent: null },
    {},
    { access: "inherit" }
  ],
  "collections.transfer": ({ organization }) => [{ organization }],
  "spaces.create": ({ collection, open }) => [{}, { parent: collection }, { parent: open }],
  "spaces.update": () => [{ defaultLevel: "admin" }, { visibility: "public", editMode: "live" }],
  "spaces.remove": () => [undefined],
  "spaces.duplicate": () => [undefined, { access: "inherit" }],
  "spaces.restore": () => [undefined, { access: "inherit" }],
  "spaces.move": ({ collection, open }) => [
    { parent: open },
    { parent: collection },
    { parent: null },
    {},
    { access: "inherit" }
  ],
  "spaces.transfer": ({ organization }) => [{ organization }],
  "changeRequests.create": () => [{ subject: "Mine" }],
  "changeRequests.update": () => [{ status: "open", createdBy: "me" }],
  "changeRequests.write": () => [{ changes: [insertPage("Mine")] }],
  "changeRequests.pull": () => [undefined],
  "changeRequests.resolve": () => [{ keep: "ours" }],
  "changeRequests.merge": () => [undefined],
  ...Object.fromEntries(
    ["spaceComments", "changeRequestComments"].flatMap((group) => [
      [`${group}.post`, () => [{ body: { markdown: "Mine" } }]],
      [`${group}.update`, () => [{ resolved: true }, { body: { markdown: "Mine" } }, { permissions: all }]],
      [`${group}.remove`, () => [undefined]],
      [`${group}.postReply`, () => [{ body: {} }]],
      [`${group}.updateReply`, () => [{ resolved: true }, { body: { markdown: "Mine" } }]],
      [`${group}.removeReply`, () => [undefined]]
    ])
  ),
  "reviews.submit": () => [{ status: "approved" }],
  "reviews.request": ({ user }) => [{ users: [user] }],
  "reviews.removeRequested": () => [undefined],
  ...Object.fromEntries(
    ["spaceGrants", "collectionGrants", "siteGrants"].flatMap((group) => [
      [`${group}.give`, ({ user }: Own) => [{ users: [user], role: "admin" }]],
      [`${group}.changeUser`, () => [{ role: "admin" }, { role: "create" }]],
      [`${group}.removeUser`, () => [undefined]],
      [`${group}.changeTeam`, () => [{ role: "admin" }]],
      [`${group}.removeTeam`, () => [undefined]]
    ])
  ),
  "sites.create": ({ things }) => [{}, { spaces: [things.space] }, { spaces: "sample" }, { permissions: all }],
  "sites.update": () => [{ visibility: "public" }, { hostname: "mine.example.com" }, { permissions: all }],
  "sites.remove": () => [undefined],
  "sites.publish": () => [undefined],
  "sites.unpublish": () => [undefined],
  "sites.sort": ({ things }) => [{ item: { type: "site-space", id: things.siteSpace }, position: {} }],
  "siteSections.create": ({ things }) => [{ spaceId: things.spare }, { spaceId: things.space }],
  "siteSections.update": () => [{ condition: null, title: "Mine" }],
  "siteSections.remove": () => [undefined],
  "siteSections.move": () => [{}],
  "siteSectionGroups.create": ({ things }) => [{ title: "Mine", sections: [things.section] }],
  "siteSectionGroups.update": () => [{ title: "Mine" }],
  "siteSectionGroups.remove": () => [undefined],
  "siteSectionGroups.addSection": ({ things }) => [{ sectionId: things.section }],
  "siteSectionGroups.removeSection": () => [undefined],
  "siteSectionGroups.move": () => [{}],
  "siteSpaces.add": ({ things }) => [{ spaceId: things.spare }],
  "siteSpaces.update": ({ things }) => [{ spaceId: things.spare }, { condition: null }],
  "siteSpaces.remove": () => [undefined],
  "siteSpaces.move": () => [{}],
  "shareLinks.create": () => [{ name: "Mine" }],
  "shareLinks.update": () => [{ active: true }],
  "shareLinks.remove": () => [undefined],
  "publishingAuth.update": () => [{ fallbackURL: "https://mine.example.com/" }],
  "publishingAuth.regenerate": () => [undefined],
  "adaptiveSchema.put": () => [{ jsonSchema: { type: "object", properties: {}, additionalProperties: false } }],
  "customization.put": () => [{ title: "Mine" }],
  "customization.patchOfSiteSpace": () => [{ title: "Mine" }],
  "customization.removeOfSiteSpace": () => [undefined],
  "redirects.create": ({ things }) => [
    { source: "/mine", destination: { kind: "site-space", siteSpaceId: things.siteSpace } }
  ],
  "redirects.update": () => [{ source: "/mine" }],
  "redirects.remove": () => [undefined],
  "siteInsights.track": () => [{ events: [] }],
  "published.url": ({ things }) => [{ url: `https://${things.hostname}/` }],
  "openApiSpecs.create": () => [{ slug: "mine", source: { text: "{}" } }],
  "openApiSpecs.put": () => [{ source: { text: "{}" } }],
  "openApiSpecs.update": () => [{ visibility: "public" }],
  "openApiSpecs.remove": () => [undefined],
  "translations.create": ({ things }) => [{ language: "de", source: { space: things.space, language: "en" } }],
  "translations.put": () => [{ instructions: { markdown: "Mine" } }],
  "translations.remove": () => [undefined],
  "translations.run": () => [undefined],
  "customHostnames.prove": () => [undefined],
  "customHostnames.remove": () => [undefined],
  "contentImports.space": () => [{ url: "data:text/markdown,Mine", source: "markdown" }],
  "contentImports.changeRequest": () => [{ url: "data:text/markdown,Mine", source: "markdown" }],
  "git.import": () => [{ url: "https://mine.example.com/docs.git", ref: "refs/heads/main" }],
  "git.export": () => [{ url: "https://mine.example.com/docs.git", ref: "refs/heads/main", commitMessage: "Mine" }],
  "spaceContent.computedPages": () => [{ source: { type: "builtin:openapi" }, seed: "x" }],
  "spaceContent.computedDocument": () => [{ source: { type: "builtin:openapi" }, seed: "x" }],
  "templates.apply": () => [{ id: "changelog" }],
  "samlProviders.create": ({ things }) => [{ label: "Mine", defaultRole: "admin", defaultTeam: things.team }],
  "samlProviders.update": ({ things }) => [{ defaultRole: "admin" }, { defaultTeam: things.team, entityID: "mine" }],
  "samlProviders.remove": () => [undefined],
  "integrations.publish": ({ organization, things }) => [
    { ...manifest, organization: things.org, scopes: ["space:metadata:write"] },
    { ...manifest, organization }
  ],
  "integrations.unpublish": () => [undefined],
  "integrations.renderByPost": ({ things }) => [
    { componentId: "x", props: {}, context: { type: "configuration_space", spaceId: things.space } },
    {
      componentId: "x",
      props: {},
      context: { type: "configuration_contentsource", organizationId: things.org, spaceId: things.space }
    }
  ],
  "integrations.beginDevelopment": () => [{ tunnelUrl: "https://mine.example.com/", all: true }],
  "integrations.endDevelopment": () => [undefined],
  "integrations.queueTask": () => [{ task: {} }],
  "installations.install": ({ organization, things }) => [{ organization }, { organization: things.org }],
  "installations.update": () => [{ space_selection: "all", site_selection: "all" }, { scopes: [] }],
  "installations.uninstall": () => [undefined],
  "installations.makeToken": () => [undefined],
  "spacePlacements.place": ({ things }) => [{ space: things.space }],
  "spacePlacements.update": () => [{ configuration: { mine: true } }],
  "spacePlacements.remove": () => [undefined],
  "sitePlacements.place": ({ things }) => [{ siteId: things.site }],
  "sitePlacements.update": () => [{ configuration: { mine: true } }],
  "sitePlacements.remove": () => [undefined]
}

const writing = endpoints.filter(({ method }) => method !== "GET").map(({ name }) => name)

const people = ["guest", "read", "comment", "edit", "review"] as const

onEachAdapter("Raising rights", (it) => {
  it.effect("is tried by every operation that writes", () =>
    Effect.sync(() => assert.sameMembers(Object.keys(inOwnFavour), writing))
  )

  for (const person of people) {
    it.effect(`does not succeed by any route for ${person}`, () =>
      Effect.gen(function* () {
        const { call, organization, users } = yield* Harness
        const things = yield* makeThings
        const inner = yield* createSpace({ parent: things.collection })
        const closed = [yield* createSpace(), yield* createCollection()]
        const open = yield* createCollection()
        yield* call("admin", "PATCH", `/v1/collections/${open.id}`, { defaultLevel: "admin" }).pipe(has(200))
        for (const { id, object } of closed) {
          yield* call("admin", "PATCH", `/v1/${object}s/${id}`, { defaultLevel: null }).pipe(has(200))
        }
        // It has a grant, and so the grant's own address to change it at.
        const site = `/v1/orgs/${organization}/sites/${things.site}`
        for (const content of [`/v1/spaces/${things.space}`, `/v1/collections/${things.collection}`, site]) {
          yield* call("admin", "POST", `${content}/permissions`, { users: [users[person]], role: "read" }).pipe(
            has(204)
          )
        }
        const contents = [
          `/v1/spaces/${things.space}`,
          `/v1/spaces/${inner.id}`,
          `/v1/collections/${things.collection}`,
          `/v1/spaces/${things.spare}`,
          site,
          ...closed.map(({ id, object }) => `/v1/${object}s/${id}`)
        ]
        const rights = Effect.gen(function* () {
          const me = yield* call("admin", "GET", `/v1/orgs/${organization}/members/${users[person]}`).pipe(
            answers(200, Shapes.Member)
          )
          const told: Array<unknown> = [me.role, me.spaces, me.teams]
          // Nor does it change what is published, and to whom.
          for (const path of ["", "/structure", "/share-links", "/publishing/auth", "/customization", "/redirects"]) {
            const { text } = yield* call("admin", "GET", site + path).pipe(has(200))
            // How many change requests a space has counts for nothing here.
            told.push(JSON.parse(text, (key, value) => (key === "space" ? value.id : value)))
          }
          for (const path of [`/v1/orgs/${organization}`, ...contents]) {
            const { status, text } = yield* call(person, "GET", path)
            told.push([path, status, JSON.parse(text).permissions])
          }
          return told
        })
        const before = yield* rights
        const mine = yield* foundOrganization("Mine", users[person])
        const collection = yield* call(person, "POST", `/v1/orgs/${mine.id}/collections`).pipe(
          answers(201, Shapes.Collection)
        )
        const own: Own = {
          user: users[person],
          email: `${person}@example.com`,
          organization: mine.id,
          collection: collection.id,
          open: open.id,
          things
        }
        const targets: ReadonlyArray<Things> = [
          { ...things, user: own.user, member: own.user },
          { ...things, space: inner.id, user: own.user, member: own.user },
          { ...things, space: closed[0]!.id, collection: closed[1]!.id, user: own.user, member: own.user },
          { ...things, org: own.organization, user: own.user, member: own.user }
        ]
        let tried = 0
        const distinct = operations.filter((one, i) => operations.findIndex(({ name }) => name === one.name) === i)
        for (const operation of distinct) {
          if (operation.method === "GET") continue
          for (const body of inOwnFavour[operation.name]!(own)) {
            for (const target of targets) {
              yield* call(person, operation.method, operation.path(target), body)
              tried++
            }
          }
          assert.deepStrictEqual(yield* rights, before, operation.says)
        }
        assert.isAbove(tried, writing.length)
      })
    )
  }
})
