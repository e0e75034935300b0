/** Operations on users: name and picture, which each changes alone. */
import { assert, type Vitest } from "@effect/vitest"
import { Effect } from "effect"
import { answers, Harness, has, refused, type Services } from "../Harness.ts"
import * as Shapes from "../Shapes.ts"

export const userOperations = (it: Vitest.MethodsNonLive<Services>) => {
  it.effect("shows the domains of an organization, and joins where one belongs already", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const path = `/v1/orgs/${organization}`
      yield* call("admin", "PATCH", path, { emailDomains: ["acme.example.com"] }).pipe(has(200))
      const { items } = yield* call("admin", "GET", `${path}/email-domains`).pipe(
        answers(200, Shapes.listOf(Shapes.EmailDomain))
      )
      assert.deepInclude(items[0], { domain: "acme.example.com", proved: false })
      // Nothing is looked up here.
      const asked = yield* call("admin", "PATCH", `${path}/email-domains/acme.example.com`).pipe(
        answers(200, Shapes.EmailDomain)
      )
      assert.include(asked.problem, "looks up no names")
      yield* call("read", "GET", "/v1/email-domains/acme.example.com/orgs").pipe(has(200))
      yield* call("read", "POST", `${path}/join`).pipe(has(204))
      yield* call("admin", "PATCH", path, { emailDomains: [] }).pipe(has(200))
    })
  )

  it.effect("makes, shows, changes and takes back links that invite", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const path = `/v1/orgs/${organization}/link-invites`
      const made = yield* call("admin", "POST", path, { role: "edit" }).pipe(answers(201, Shapes.InviteLink))
      const named = { ...made, id: made.id.split("_")[0]! }
      const { items } = yield* call("admin", "GET", `${path}?limit=1000`).pipe(
        answers(200, Shapes.listOf(Shapes.InviteLink))
      )
      assert.deepInclude(items, named)
      assert.deepStrictEqual(yield* call("read", "GET", `${path}/${made.id}`).pipe(answers(200, Shapes.InviteLink)), {
        ...named,
        redundant: false
      })
      const changed = yield* call("admin", "PATCH", `${path}/${named.id}`, { role: null }).pipe(
        answers(200, Shapes.InviteLink)
      )
      assert.deepStrictEqual(changed, { ...named, role: null })
      yield* call("create", "DELETE", `${path}/${named.id}`).pipe(refused(403))
      yield* call("admin", "DELETE", `${path}/${named.id}`).pipe(has(204))
    })
  )

  it.effect("changes one's own name and picture, and nobody else's", () =>
    Effect.gen(function* () {
      const { call, users } = yield* Harness
      const me = yield* call("review", "GET", "/v1/user").pipe(answers(200, Shapes.User))
      const path = `/v1/users/${users.review}`
      const photoURL = "https://example.com/me.png"
      const changed = yield* call("review", "PATCH", "/v1/user", { displayName: "Grace", photoURL }).pipe(
        answers(200, Shapes.User)
      )
      assert.deepStrictEqual(changed, { ...me, displayName: "Grace", photoURL })
      assert.deepStrictEqual(yield* call("admin", "GET", path).pipe(answers(200, Shapes.User)), changed)
      const plain = yield* call("review", "PATCH", path, { photoURL: null }).pipe(answers(200, Shapes.User))
      assert.deepStrictEqual(plain, { ...me, displayName: "Grace" })
      assert.deepStrictEqual(
        yield* call("review", "PATCH", path, { displayName: me.displayName, email: "x@y.z" }).pipe(
          answers(200, Shapes.User)
        ),
        me
      )
      for (const wrong of [{ displayName: "" }, { displayName: "x".repeat(101) }, { displayName: null }]) {
        yield* call("review", "PATCH", "/v1/user", wrong).pipe(refused(400))
      }
      for (const photoURL of ["javascript:alert(1)", "data:image/png;base64,AA", "me.png", 1]) {
        yield* call("review", "PATCH", path, { photoURL }).pipe(refused(400))
      }
      yield* call("admin", "PATCH", path, { displayName: "Theirs" }).pipe(refused(403))
      yield* call("outsider", "PATCH", path, { displayName: "Theirs" }).pipe(refused(404))
      yield* call("admin", "PATCH", "/v1/users/unknown", {}).pipe(refused(404))
      yield* call("nobody", "PATCH", "/v1/user", {}).pipe(has(401))
      assert.deepStrictEqual(yield* call("review", "GET", "/v1/user").pipe(answers(200, Shapes.User)), me)
    })
  )
}
