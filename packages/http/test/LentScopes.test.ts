/** A token with scopes lets no integration do what it may not do itself. */
import { IntegrationScope } from "@lectern/core/integration/IntegrationManifest"
import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { answers, Harness, has, onMemory, refused } from "./Harness.ts"
import { freshName, install, installed, manifest, publishIntegration } from "./IntegrationSteps.ts"
import * as Shapes from "./Shapes.ts"
import { createSpace } from "./Steps.ts"

const Token = Schema.Struct({ token: Schema.String })

/** The scope of tokens that comes to the same as one of integrations, as it was decided. */
const needed = (scope: IntegrationScope): string | undefined => {
  const elsewhere: Partial<Record<IntegrationScope, string>> = {
    "page:feedback:read": "site:metadata:read",
    "site:views:read": "site:metadata:read",
    "site:script:inject": "site:metadata:write",
    "site:script:cookies": "site:metadata:write",
    "site:visitor:auth": "site:publish",
    "site:visitor:claims": "site:metadata:read"
  }
  return scope === "conversations:ingest" ? undefined : (elsewhere[scope] ?? scope)
}

onMemory("Scopes that integrations are lent", (it) => {
  const tokenOf = Effect.fnUntraced(function* (...scopes: ReadonlyArray<string>) {
    const { call } = yield* Harness
    return yield* call("admin", "POST", "/v1/user/tokens", { scopes }).pipe(answers(201, Shapes.MadeToken))
  })

  it.effect("are no more than those of the token that publishes, installs, develops or agrees", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const scopes = ["space:content:read", "site:visitor:auth"]
      const narrow = yield* tokenOf("integration:write", "site:publish")
      const wide = yield* tokenOf("integration:write", "site:publish", "space:content:write")
      const { name, path } = yield* installed({ scopes })
      const fresh = yield* freshName
      yield* publishIntegration(fresh, { scopes })
      yield* call("admin", "PATCH", path, { scopes: [] }).pipe(has(200))
      const asks = [
        ["POST", `/v1/integrations/${name}`, { ...manifest, organization, scopes }, 200],
        ["PUT", `/v1/integrations/${name}/dev`, { tunnelUrl: "https://tunnel.example" }, 204],
        ["POST", `/v1/integrations/${fresh}/installations`, { organization }, 201],
        ["PATCH", path, { scopes }, 200],
        ["POST", `${path}/tokens`, undefined, 200]
      ] as const
      for (const [method, at, body, status] of asks) {
        const { message } = yield* call(narrow, method, at, body).pipe(refused(403))
        assert.include(message, "needs the scope space:content:read", `${method} ${at}`)
        yield* call(wide, method, at, body).pipe(has(status))
      }
      // What lends nothing more is done with what it always took.
      yield* call(narrow, "PATCH", path, { scopes: ["site:visitor:auth"], configuration: {} }).pipe(has(200))
      yield* call(narrow, "DELETE", `/v1/integrations/${name}/dev`).pipe(has(204))
      yield* call(narrow, "POST", `/v1/integrations/${name}`, { ...manifest, organization }).pipe(has(200))
      yield* call(narrow, "POST", `${path}/tokens`).pipe(has(200))
    })
  )

  for (const scope of IntegrationScope.literals) {
    it.effect(`${scope} takes ${needed(scope) ?? "nothing more"}`, () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { path } = yield* installed({ scopes: [scope] })
        const own = needed(scope)
        const without = yield* tokenOf("integration:write")
        yield* call(without, "POST", `${path}/tokens`).pipe(has(own === undefined ? 200 : 403))
        const within = yield* tokenOf("integration:write", ...(own === undefined ? [] : [own]))
        yield* call(within, "POST", `${path}/tokens`).pipe(has(200))
      })
    )
  }

  it.effect("end with the token that a token of an installation was asked for with", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id: space } = yield* createSpace()
      const name = yield* freshName
      yield* publishIntegration(name, { scopes: ["space:content:read"] })
      const { id } = yield* install(name)
      const path = `/v1/integrations/${name}/installations/${id}/tokens`
      const lend = Effect.fnUntraced(function* (input: object) {
        const by = yield* call("admin", "POST", "/v1/user/tokens", input).pipe(answers(201, Shapes.MadeToken))
        const { token } = yield* call(by, "POST", path).pipe(answers(200, Token))
        const ask = (status: number) => call({ token }, "GET", `/v1/spaces/${space}/content`).pipe(has(status))
        yield* ask(200)
        return { by, ask }
      })
      const revoked = yield* lend({})
      yield* call("admin", "DELETE", `/v1/user/tokens/${revoked.by.id}`).pipe(has(204))
      yield* revoked.ask(401)

      const good = yield* lend({})
      const expiresAt = new Date((yield* Effect.clockWith((clock) => clock.currentTimeMillis)) + 60_000).toISOString()
      const short = yield* lend({ expiresAt })
      yield* TestClock.adjust("61 seconds")
      yield* short.ask(401)
      yield* good.ask(200)
      yield* TestClock.adjust("60 minutes")
      yield* good.ask(401)
    })
  )
})
