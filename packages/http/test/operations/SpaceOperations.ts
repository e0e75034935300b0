/** Users, organizations and spaces: each operation once, with its status and the shape of its answer. */
import { assert, type Vitest } from "@effect/vitest"
import { Effect } from "effect"
import { answers, Harness, has, refused } from "../Harness.ts"
import * as Shapes from "../Shapes.ts"
import { createSpace } from "../Steps.ts"

export const spaceOperations = (it: Vitest.MethodsNonLive<Harness>) => {
  it.effect("shows the user behind the token", () =>
    Effect.gen(function* () {
      const { call, users } = yield* Harness
      const me = yield* call("edit", "GET", "/v1/user").pipe(answers(200, Shapes.User))
      assert.strictEqual(me.id, users.edit)
      assert.strictEqual(me.displayName, "edit")
      assert.strictEqual(me.email, "edit@example.com")
    })
  )

  it.effect("shows a user to those who share an organization with it, and to nobody else", () =>
    Effect.gen(function* () {
      const { call, users } = yield* Harness
      const path = `/v1/users/${users.edit}`
      for (const person of ["edit", "admin", "read", "guest"] as const) {
        const shown = yield* call(person, "GET", path).pipe(answers(200, Shapes.User))
        assert.deepInclude(shown, { id: users.edit, displayName: "edit", email: "edit@example.com" })
        assert.isTrue(shown.urls.location.endsWith(path))
      }
      const unseen = yield* call("outsider", "GET", path).pipe(refused(404))
      const unknown = yield* call("outsider", "GET", "/v1/users/nobody").pipe(refused(404))
      assert.strictEqual(unseen.message.replace(users.edit, "nobody"), unknown.message)
      yield* call("nobody", "GET", path).pipe(refused(401))
    })
  )

  it.effect("tells whose a subdomain is to its members, and to nobody else", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const { hostname } = yield* call("guest", "GET", `/v1/orgs/${organization}`).pipe(
        answers(200, Shapes.Organization)
      )
      for (const name of [hostname, hostname.toUpperCase()]) {
        const shown = yield* call("guest", "GET", `/v1/subdomains/${name}`).pipe(answers(200, Shapes.Subdomain))
        assert.deepInclude(shown, { subdomain: hostname, target: { type: "organization", organization } })
        assert.isTrue(shown.isActive)
      }
      yield* call("outsider", "GET", `/v1/subdomains/${hostname}`).pipe(refused(404))
      yield* call("admin", "GET", "/v1/subdomains/no-such-subdomain").pipe(refused(404))
    })
  )

  it.effect("keeps as an organization's first site one that it has, and only a web address as its logo", () =>
    Effect.gen(function* () {
      const { call, elsewhere, organization } = yield* Harness
      const path = `/v1/orgs/${elsewhere}`
      const change = (patch: unknown) => call("outsider", "PATCH", path, patch)
      for (const logo of ["nowhere", "/logo.png", "javascript:alert(1)", "ftp://a.example/logo.png", ""]) {
        const { issues } = yield* change({ logo }).pipe(refused(400))
        assert.strictEqual(issues?.[0]?.path, "body.logo")
      }
      const foreign = yield* call("admin", "POST", `/v1/orgs/${organization}/sites`).pipe(answers(201, Shapes.Site))
      for (const site of ["nope", foreign.id]) {
        const { issues } = yield* change({ defaultContent: { type: "site", site } }).pipe(refused(400))
        assert.strictEqual(issues?.[0]?.path, "body.defaultContent.site")
      }
      const own = yield* call("outsider", "POST", `${path}/sites`).pipe(answers(201, Shapes.Site))
      const defaultContent = { type: "site", site: own.id }
      const set = yield* change({ defaultContent }).pipe(answers(200, Shapes.Organization))
      assert.deepStrictEqual(set.defaultContent, defaultContent)
      yield* call("outsider", "DELETE", `${path}/sites/${own.id}`).pipe(has(204))
      const left = yield* call("outsider", "GET", path).pipe(answers(200, Shapes.Organization))
      assert.isUndefined(left.defaultContent)
    })
  )

  it.effect("makes, lists, shows and changes organizations", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const made = yield* call("outsider", "POST", "/v1/orgs", { title: "Mine", emailDomains: ["mine.example"] }).pipe(
        answers(201, Shapes.Organization)
      )
      assert.strictEqual(made.title, "Mine")
      assert.deepStrictEqual(made.emailDomains, ["mine.example"])
      assert.isTrue(made.permissions.admin)

      const list = yield* call("outsider", "GET", "/v1/orgs").pipe(answers(200, Shapes.listOf(Shapes.Organization)))
      assert.strictEqual(list.count, list.items.length)
      assert.sameMembers(
        list.items.map(({ title }) => title),
        ["Elsewhere", "Mine"]
      )
      const path = `/v1/orgs/${made.id}`
      assert.deepStrictEqual(yield* call("outsider", "GET", path).pipe(answers(200, Shapes.Organization)), made)

      const hostname = `mine-${made.id.slice(-8).toLowerCase()}`
      const patch = { title: "Ours", hostname, defaultRole: null, ai: true, logo: "https://mine.example/logo.png" }
      const changed = yield* call("outsider", "PATCH", path, patch).pipe(answers(200, Shapes.Organization))
      assert.deepInclude(changed, { title: "Ours", hostname, defaultRole: null, ai: true, sso: false })
      assert.strictEqual(changed.urls.logo, patch.logo)
      const cleared = yield* call("outsider", "PATCH", path, { logo: null }).pipe(answers(200, Shapes.Organization))
      assert.isUndefined(cleared.urls.logo)
      assert.strictEqual(cleared.title, "Ours")
    })
  )

  it.effect("makes a space from nothing, with everything that a space must have", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const bare = yield* call("create", "POST", `/v1/orgs/${organization}/spaces`).pipe(answers(201, Shapes.Space))
      assert.deepInclude(bare, {
        title: "Untitled",
        emoji: "📄",
        visibility: "private",
        editMode: "live",
        organization,
        comments: 0,
        changeRequests: 0,
        changeRequestsOpen: 0,
        changeRequestsDraft: 0
      })
      assert.isUndefined(bare.deletedAt)
      const full = yield* createSpace({ title: "Guide", emoji: "🎉", language: "de", editMode: "locked" })
      assert.deepInclude(full, { title: "Guide", emoji: "🎉", language: "de", editMode: "locked" })
    })
  )

  it.effect("lists spaces in the order they stand in", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const made = yield* Effect.forEach(["One", "Two", "Three"], (title) => createSpace({ title }))
      const list = yield* call("read", "GET", `/v1/orgs/${organization}/spaces?limit=1000`).pipe(
        answers(200, Shapes.listOf(Shapes.Space))
      )
      assert.strictEqual(list.count, list.items.length)
      assert.deepStrictEqual(
        list.items.slice(-3).map(({ id }) => id),
        made.map(({ id }) => id)
      )
    })
  )

  it.effect("shows and changes a space", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const space = yield* createSpace({ title: "Before", language: "en" })
      const path = `/v1/spaces/${space.id}`
      assert.deepStrictEqual(yield* call("admin", "GET", path).pipe(answers(200, Shapes.Space)), space)
      yield* call("admin", "GET", `${path}?shareKey=unknown`).pipe(answers(200, Shapes.Space))
      const patch = {
        title: "After",
        emoji: "🚀",
        language: "fr",
        editMode: "locked",
        visibility: "unlisted",
        defaultLevel: "comment"
      } as const
      const changed = yield* call("admin", "PATCH", path, patch).pipe(answers(200, Shapes.Space))
      assert.deepInclude(changed, patch)
      assert.isFalse(changed.permissions.edit)
      const hidden = yield* call("admin", "PATCH", path, { defaultLevel: null }).pipe(answers(200, Shapes.Space))
      assert.deepInclude(hidden, { ...patch, defaultLevel: null })
      const inherited = yield* call("admin", "PATCH", path, { defaultLevel: "inherit" }).pipe(
        answers(200, Shapes.Space)
      )
      assert.strictEqual(inherited.defaultLevel, "read")
      assert.deepStrictEqual(yield* call("admin", "PATCH", path).pipe(answers(200, Shapes.Space)), inherited)
    })
  )

  it.effect("removes a space to the trash and takes it back", () =>
    Effect.gen(function* () {
      const { call, organization, users } = yield* Harness
      const space = yield* createSpace({ title: "Short-lived" })
      const path = `/v1/spaces/${space.id}`
      const removed = yield* call("admin", "DELETE", path).pipe(has(204))
      assert.isNull(removed.headers.get("content-type"))
      const trashed = yield* call("admin", "GET", path).pipe(answers(200, Shapes.Space))
      assert.isString(trashed.deletedAt)
      const trash = yield* call("admin", "GET", `/v1/orgs/${organization}/deleted-spaces`).pipe(
        answers(200, Shapes.listOf(Shapes.DeletedSpace))
      )
      assert.deepStrictEqual(trash.items[0]!.space, trashed)
      assert.strictEqual(trash.items[0]!.deletedBy.id, users.admin)
      const restored = yield* call("admin", "POST", `${path}/restore`).pipe(answers(200, Shapes.Space))
      assert.isUndefined(restored.deletedAt)
      assert.strictEqual(restored.title, "Short-lived")
    })
  )

  it.effect("copies a space", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const space = yield* createSpace({ title: "é".repeat(50), emoji: "🎉", language: "ja" })
      const copy = yield* call("admin", "POST", `/v1/spaces/${space.id}/duplicate`).pipe(answers(201, Shapes.Space))
      assert.notStrictEqual(copy.id, space.id)
      assert.deepInclude(copy, { title: `${"é".repeat(43)} (copy)`, emoji: "🎉", language: "ja", changeRequests: 0 })
    })
  )
}
