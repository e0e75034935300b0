import type { Actor } from "@lectern/core/access/Actor"
import { CurrentActor } from "@lectern/core/access/Actor"
import { Members } from "@lectern/core/organization/Members"
import { Invitations } from "@lectern/core/organization/Invitations"
import type { OrganizationPatch } from "@lectern/core/organization/Organization"
import { OrganizationCreation } from "@lectern/core/organization/OrganizationCreation"
import { Organizations } from "@lectern/core/organization/Organizations"
import { Sites } from "@lectern/core/site/Sites"
import { Storage } from "@lectern/core/storage/Storage"
import { Users } from "@lectern/core/user/Users"
import { assert, describe } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { emitted, members, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { as } from "../comment/Discussion.ts"
import { adapters } from "../Instances.ts"
import { invalidPathsOf } from "../Issues.ts"
import { disable } from "./DisabledMember.ts"

for (const [name, services] of onEach(adapters)) {
  describe(`Organizations (${name})`, () => {
    const rule = ruleOn(services)
    const ruleWith = (options: typeof OrganizationCreation.Service) =>
      ruleOn(Layer.provide(services, Layer.succeed(OrganizationCreation, options)))

    rule("create an organization with defaults, and its administrator", () =>
      Effect.gen(function* () {
        const organizations = yield* Organizations
        const { id: ada } = yield* (yield* Users).create({ email: "ada@example.com" })
        const create = organizations.create({ title: "Acme", emailDomains: ["example.com"] }, ada)
        assert.deepStrictEqual(yield* emitted(create), ["organization_created", "member_joined"])
        const [created] = (yield* organizations.list({})).items
        assert.deepInclude(created, {
          title: "Acme",
          emailDomains: ["example.com"],
          defaultRole: "read",
          sso: false,
          ai: false,
          inviteLinks: true,
          requireSecondFactor: false
        })
        assert.match(created!.hostname, /^org-[a-z0-9]+$/)
        assert.deepStrictEqual(yield* organizations.get(created!.id).pipe(as(ada)), created)
        assert.strictEqual((yield* (yield* Members).get(created!.id, ada)).role, "admin")
      })
    )

    rule("are created by administrators of another organization by default", () =>
      Effect.gen(function* () {
        const { people } = yield* members
        const create = (yield* Organizations).create({ title: "New" })
        assert.deepStrictEqual(yield* outcomes(people, create), {
          ok: "host admin outsider",
          Forbidden: "create review edit comment read guest"
        })
      })
    )

    ruleWith({ creators: "anyone", perUser: 2 })("are created by all users if allowed, up to a number per user", () =>
      Effect.gen(function* () {
        const { people } = yield* members
        const create = (yield* Organizations).create({ title: "New" })
        assert.deepStrictEqual(yield* outcomes(people, create), {
          ok: "host admin create review edit comment read guest outsider"
        })
        yield* outcomes(people, create)
        assert.deepStrictEqual(yield* outcomes(people, create), {
          ok: "host",
          TooManyOrganizations: "admin create review edit comment read guest outsider"
        })
      })
    )

    ruleWith({ creators: "operator", perUser: 100 })("are created by the host only, if users may not", () =>
      Effect.gen(function* () {
        const { people } = yield* members
        assert.deepStrictEqual(yield* outcomes(people, (yield* Organizations).create({ title: "New" })), {
          ok: "host",
          Forbidden: "admin create review edit comment read guest outsider"
        })
      })
    )

    rule("are neither created by sessions of one organization nor by actors that are no users", () =>
      Effect.gen(function* () {
        const { org, people } = yield* members
        const organizations = yield* Organizations
        const actors: ReadonlyArray<Actor> = [
          { type: "user", user: people.admin, organization: org },
          { type: "integration", integration: "sync" },
          { type: "token", user: people.admin, token: "t", scopes: ["organization:write"] }
        ]
        for (const actor of actors) {
          const create = outcome(organizations.create({ title: "New" }))
          assert.strictEqual(yield* Effect.provideService(create, CurrentActor, actor), "Forbidden")
        }
      })
    )

    rule("are visible to their members, also to guests", () =>
      Effect.gen(function* () {
        const { org, people } = yield* members
        const organizations = yield* Organizations
        assert.deepStrictEqual(yield* outcomes(people, organizations.get(org)), {
          ok: "host admin create review edit comment read guest",
          OrganizationNotFound: "outsider"
        })
        yield* disable(org, people.read)
        assert.strictEqual(yield* outcome(organizations.get(org)).pipe(as(people.read)), "OrganizationNotFound")
        assert.deepStrictEqual((yield* organizations.list({}).pipe(as(people.read))).items, [])
      })
    )

    rule("state the permissions of the actor", () =>
      Effect.gen(function* () {
        const { org, people } = yield* members
        const organizations = yield* Organizations
        const granted = Effect.fnUntraced(function* (user: typeof people.admin | "host") {
          const { permissions } = yield* organizations.get(org).pipe(as(user))
          const listed = (yield* organizations.list({}).pipe(as(user))).items.find(({ id }) => id === org)
          assert.deepStrictEqual(listed?.permissions, permissions)
          return (["view", "ingestConversations", "createContent", "admin"] as const)
            .filter((permission) => permissions[permission])
            .join(" ")
        })
        assert.strictEqual(yield* granted("host"), "view ingestConversations createContent admin")
        assert.strictEqual(yield* granted(people.admin), "view ingestConversations createContent admin")
        assert.strictEqual(yield* granted(people.create), "view ingestConversations createContent")
        assert.strictEqual(yield* granted(people.edit), "view ingestConversations")
        assert.strictEqual(yield* granted(people.comment), "view")
        assert.strictEqual(yield* granted(people.guest), "view")
      })
    )

    rule("are listed by membership, oldest first and page by page", () =>
      Effect.gen(function* () {
        const organizations = yield* Organizations
        const users = yield* Users
        const { id: ada } = yield* users.create({ email: "ada@example.com" })
        const { id: eve } = yield* users.create({ email: "eve@example.com" })
        const [first, second, third] = yield* Effect.forEach([ada, eve, ada], (administrator) =>
          Effect.andThen(TestClock.adjust(1), organizations.create({ title: "Acme" }, administrator))
        )
        const ids = (user: typeof ada | "host") =>
          Effect.map(organizations.list({}).pipe(as(user)), ({ items }) => items.map(({ id }) => id))
        assert.deepStrictEqual(yield* ids("host"), [first!.id, second!.id, third!.id])
        assert.deepStrictEqual(yield* ids(ada), [first!.id, third!.id])
        assert.deepStrictEqual(yield* ids(eve), [second!.id])
        const page = yield* organizations.list({ limit: 1 }).pipe(as(ada))
        assert.deepStrictEqual([page.count, page.items[0]?.id], [2, first!.id])
        const next = organizations.list({ page: page.next!.page })
        assert.strictEqual((yield* next.pipe(as(ada))).items[0]?.id, third!.id)
        assert.strictEqual(yield* outcome(next), "InvalidCursor")
        const session = { type: "user", user: ada, organization: third!.id } as const
        const inSession = yield* Effect.provideService(organizations.list({}), CurrentActor, session)
        assert.deepStrictEqual(
          inSession.items.map(({ id }) => id),
          [third!.id]
        )
      })
    )

    rule("are changed by administrators only", () =>
      Effect.gen(function* () {
        const { org, people } = yield* members
        const organizations = yield* Organizations
        assert.deepStrictEqual(
          yield* outcomes(people, (actor) => organizations.update(org, { title: `By ${actor}` })),
          {
            ok: "host admin",
            Forbidden: "create review edit comment read guest",
            OrganizationNotFound: "outsider"
          }
        )
        assert.strictEqual((yield* organizations.get(org)).title, "By admin")
      })
    )

    rule("keep fields that a patch omits, and write nothing if nothing changes", () =>
      Effect.gen(function* () {
        const { org } = yield* members
        const organizations = yield* Organizations
        const { generation } = yield* Storage
        const { id: site } = yield* (yield* Sites).create(org, { title: "Docs" })
        const patch = {
          title: "New",
          hostname: "acme",
          defaultRole: null,
          defaultContent: { type: "site", site },
          logo: "https://example.com/logo.png",
          inviteLinks: false,
          requireSecondFactor: true
        } as const satisfies OrganizationPatch
        assert.deepStrictEqual(yield* emitted(organizations.update(org, patch)), ["organization_updated"])
        const { logo, ...fields } = patch
        const changed = yield* organizations.get(org)
        assert.deepInclude(changed, fields)
        assert.strictEqual(changed.urls.logo, logo)
        const before = yield* generation
        assert.deepStrictEqual(yield* organizations.update(org, patch), changed)
        assert.deepStrictEqual(yield* organizations.update(org, {}), changed)
        assert.strictEqual(yield* generation, before)
        const removed = yield* organizations.update(org, { defaultContent: null, logo: null })
        assert.notProperty(removed, "defaultContent")
        assert.notProperty(removed.urls, "logo")
        assert.strictEqual(removed.title, "New")
      })
    )

    rule("have unique hostnames, even if two organizations claim one at the same time", () =>
      Effect.gen(function* () {
        const { org, elsewhere } = yield* members
        const organizations = yield* Organizations
        const claim = (id: typeof org) => outcome(organizations.update(id, { title: "Claimed", hostname: "acme" }))
        const results = yield* Effect.all([claim(org), claim(elsewhere)], { concurrency: "unbounded" })
        assert.sameMembers(results, ["ok", "HostnameInUse"])
        const titles = (yield* organizations.list({})).items.map(({ title }) => title)
        assert.strictEqual(titles.filter((title) => title === "Claimed").length, 1)
      })
    )

    rule("reject invalid input with the paths of the fields", () =>
      Effect.gen(function* () {
        const { org, elsewhere } = yield* members
        const organizations = yield* Organizations
        const { id: site } = yield* (yield* Sites).create(elsewhere, { title: "Docs" })
        assert.deepStrictEqual(
          yield* invalidPathsOf(
            [
              { title: "A" },
              { title: " A " },
              { title: "a".repeat(256) },
              { title: "AB", emailDomains: Array.from({ length: 101 }, () => "a") }
            ],
            (input) => organizations.create(input)
          ),
          ["title", "title", "title", "emailDomains"]
        )
        assert.deepStrictEqual(
          yield* invalidPathsOf<OrganizationPatch, CurrentActor>(
            [
              { hostname: "ab" },
              { hostname: "-abc" },
              { hostname: "Abc" },
              { hostname: "a".repeat(33) },
              { defaultRole: "owner" as "admin" },
              { logo: "ftp://example.com/logo.png" },
              { defaultContent: { type: "site", site } }
            ],
            (patch) => organizations.update(org, patch)
          ),
          ["hostname", "hostname", "hostname", "hostname", "defaultRole", "logo", "body.defaultContent.site"]
        )
      })
    )

    rule("admit a user with a role, who then has no pending invitation", () =>
      Effect.gen(function* () {
        const { org, people } = yield* members
        const organizations = yield* Organizations
        const invitations = yield* Invitations
        const membership = (yield* Members).get(org, people.outsider)
        yield* invitations.invite(org, { emails: ["OUTSIDER@example.com"] }).pipe(as(people.admin))
        const join = organizations.join(org, people.outsider, "edit")
        assert.deepStrictEqual(yield* emitted(join), ["member_joined"])
        assert.deepStrictEqual((yield* invitations.list(org, {})).items, [])
        assert.deepInclude(yield* membership, { role: "edit", disabled: false })
        yield* disable(org, people.outsider)
        assert.deepStrictEqual(yield* emitted(organizations.join(org, people.outsider, null)), [
          "member_updated",
          "member_role_updated"
        ])
        assert.deepInclude(yield* membership, { role: null, disabled: false })
      })
    )

    rule("require the role of an action", () =>
      Effect.gen(function* () {
        const { org, people } = yield* members
        const organizations = yield* Organizations
        const all = "host admin create review edit comment read guest"
        for (const [action, ok] of [
          ["see this organization", all],
          ["leave this organization", all],
          ["upload files to this organization", "host admin create"],
          ["create content at the top of this organization", "host admin create"],
          ["manage the members of this organization", "host admin"]
        ] as const) {
          const rest = all.slice(ok.length + 1)
          assert.deepStrictEqual(yield* outcomes(people, organizations.require(org, action)), {
            ok,
            ...(rest !== "" && { Forbidden: rest }),
            OrganizationNotFound: "outsider"
          })
        }
      })
    )

    rule("are not created if the surrounding transaction fails", () =>
      Effect.gen(function* () {
        const { people } = yield* members
        const organizations = yield* Organizations
        const storage = yield* Storage
        const before = yield* organizations.list({})
        const create = organizations.create({ title: "New" }, people.read)
        const types = emitted(Effect.flip(storage.transaction(Effect.andThen(create, Effect.fail("undone" as const)))))
        assert.deepStrictEqual(yield* types, [])
        assert.deepStrictEqual(yield* organizations.list({}), before)
        assert.deepStrictEqual((yield* organizations.list({}).pipe(as(people.read))).count, 1)
      })
    )
  })
}
