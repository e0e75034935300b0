/** The environment that a program is told is kept between its events, and never longer than it holds. */
import { InstallationId } from "@lectern/core/integration/Installation"
import { makeIntegrationTokens } from "@lectern/core/integration/IntegrationTokens"
import { JobWorker } from "@lectern/core/job/JobWorker"
import { Storage } from "@lectern/core/storage/Storage"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Harness, has, onMemory, refused } from "./Harness.ts"
import { install, installed, program, publishIntegration } from "./IntegrationSteps.ts"
import { json } from "./SiteSteps.ts"
import { createSpace } from "./Steps.ts"
import { UnsafeRuntime } from "./UnsafeRuntime.ts"

const telling = program(`
  return event.type === "ui_render" ? Response.json({ type: "complete", environment }) : new Response("OK")`)

const asked = Effect.fnUntraced(function* (name: string, space: string) {
  const { call } = yield* Harness
  return call("admin", "POST", `/v1/integrations/${name}/render`, {
    componentId: "block",
    props: {},
    context: { type: "document", spaceId: space }
  })
})

onMemory(
  "What a program is told",
  (it) => {
    it.effect("is as it is now, whatever of it has changed since the last event", () =>
      Effect.gen(function* () {
        const { call, organization } = yield* Harness
        const { id: space } = yield* createSpace()
        const { name, id, path } = yield* installed({ script: telling, secrets: { key: "one" } })
        const render = yield* asked(name, space)
        const told = Effect.map(render.pipe(json(200)), ({ environment }) => environment)

        const first = yield* told
        assert.deepStrictEqual((yield* told).apiTokens, first.apiTokens)
        assert.deepStrictEqual(first.secrets, { key: "one" })
        assert.strictEqual(first.spaceInstallation.space, space)

        const { id: another } = yield* createSpace()
        assert.strictEqual((yield* told).installation.spaces, first.installation.spaces + 1)
        yield* call("admin", "DELETE", `/v1/spaces/${another}`).pipe(has(204))
        assert.strictEqual((yield* told).installation.spaces, first.installation.spaces)

        yield* call("admin", "PATCH", path, { configuration: { a: "b" }, externalIds: ["x"] }).pipe(has(200))
        assert.deepInclude((yield* told).installation, { configuration: { a: "b" }, externalIds: ["x"] })
        yield* call("admin", "PATCH", path, { space_selection: "selected" }).pipe(has(200))
        yield* render.pipe(has(404))
        yield* call("admin", "POST", `${path}/spaces`, { space }).pipe(has(201))
        assert.strictEqual((yield* told).installation.spaces, 1)
        yield* call("admin", "PATCH", `${path}/spaces/${space}`, { configuration: { c: "d" } }).pipe(has(200))
        assert.deepStrictEqual((yield* told).spaceInstallation.configuration, { c: "d" })

        yield* call("admin", "PATCH", `/v1/orgs/${organization}`, { title: "Renamed" }).pipe(has(200))
        assert.strictEqual((yield* told).integration.owner.title, "Renamed")
        yield* publishIntegration(name, { script: telling, secrets: { key: "two" }, title: "Second" })
        const second = yield* told
        assert.deepStrictEqual(second.secrets, { key: "two" })
        assert.deepInclude(second.integration, { title: "Second", version: first.integration.version + 1 })

        yield* call("admin", "PATCH", path, { status: "paused" }).pipe(has(200))
        yield* render.pipe(has(404))
        yield* call("admin", "PATCH", path, { status: "active" }).pipe(has(200))
        yield* render.pipe(has(200))
        yield* call("admin", "DELETE", `${path}/spaces/${space}`).pipe(has(204))
        yield* render.pipe(has(404))
        yield* call("admin", "DELETE", path).pipe(has(204))
        yield* render.pipe(has(404))
        // Installed again it is another one, with keys of its own.
        const again = yield* install(name)
        assert.notStrictEqual(again.id, id)
        const last = yield* told
        assert.strictEqual(last.installation.id, again.id)
        assert.notStrictEqual(last.apiTokens.installation, first.apiTokens.installation)
        assert.notStrictEqual(last.signingSecrets.installation, first.signingSecrets.installation)
        yield* call("admin", "DELETE", `/v1/integrations/${name}`).pipe(has(204))
        yield* render.pipe(has(404))
      })
    )

    it.effect("holds tokens that are good for long enough", () =>
      Effect.gen(function* () {
        const { id: space } = yield* createSpace()
        const { name, id } = yield* installed({ script: telling })
        const render = yield* asked(name, space)
        const token = Effect.map(render.pipe(json(200)), ({ environment }) => environment.apiTokens.installation)
        const { bearer } = yield* makeIntegrationTokens
        const first: string = yield* token
        yield* TestClock.adjust("59 seconds")
        assert.strictEqual(yield* token, first)
        yield* TestClock.adjust("59 minutes")
        assert.deepInclude(yield* bearer(first), { installation: InstallationId.make(id) })
        assert.notStrictEqual(yield* token, first)
      })
    )

    it.effect("holds tokens and a key that are worth nothing to what is published by the name later", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { id: space } = yield* createSpace()
        const { name } = yield* installed({ script: telling })
        const path = `/v1/integrations/${name}`
        const told = (yield* asked(name, space)).pipe(json(200))
        const { apiTokens, signingSecrets } = (yield* told).environment
        // A version more ends none of it.
        yield* TestClock.adjust("1 second")
        yield* publishIntegration(name, { script: telling })
        assert.strictEqual((yield* told).environment.signingSecrets.integration, signingSecrets.integration)
        const ask = (token: string) => call({ token }, "GET", `${path}/installations`)
        yield* ask(apiTokens.integration).pipe(has(200))

        yield* call("admin", "DELETE", path).pipe(has(204))
        yield* JobWorker.use(({ runDue }) => runDue)
        yield* publishIntegration(name, { script: telling }, "outsider")
        yield* install(name, "outsider")
        for (const token of Object.values<string>(apiTokens)) yield* ask(token).pipe(refused(401))
        yield* install(name)
        const { environment } = yield* told
        assert.notStrictEqual(environment.signingSecrets.integration, signingSecrets.integration)
        yield* ask(environment.apiTokens.integration).pipe(has(200))
      })
    )

    it.effect("is told to all receivers at once, with one commit for what became of that", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { id: space } = yield* createSpace()
        const names: Array<string> = []
        for (let i = 0; i < 5; i++) {
          names.push((yield* installed({ script: telling, scopes: ["space:metadata:read"] })).name)
        }
        const { runDue } = yield* JobWorker
        const { generation } = yield* Storage
        yield* runDue
        for (const visibility of ["public", "private", "public"]) {
          yield* TestClock.adjust("1 second")
          yield* call("admin", "PATCH", `/v1/spaces/${space}`, { visibility }).pipe(has(200))
          const before = (yield* generation)!
          yield* runDue
          // The job is claimed, its outcomes are written, it ends; the other jobs are claimed and end.
          assert.isAtMost((yield* generation)! - before, 6)
        }
        for (const name of names) {
          const { items } = yield* call("admin", "GET", `/v1/integrations/${name}/events`).pipe(json(200))
          assert.deepStrictEqual(
            items
              .filter(({ payload }: any) => payload.type === "space_visibility_updated")
              .map(({ payload, status }: any) => [payload.visibility, status]),
            [
              ["public", "success"],
              ["private", "success"],
              ["public", "success"]
            ]
          )
        }
      })
    )
  },
  { integrationRuntime: UnsafeRuntime.layer }
)
