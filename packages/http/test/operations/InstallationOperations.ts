/** Installations and placements of integrations: each operation with its status and the shape of its answer. */
import { assert, type Vitest } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { answers, has, Harness, refused, type Services } from "../Harness.ts"
import * as Shapes from "../IntegrationShapes.ts"
import { freshName, install, installed, publishIntegration } from "../IntegrationSteps.ts"
import { listOf, SiteScripts } from "../Shapes.ts"
import { createSite } from "../SiteSteps.ts"
import { createSpace } from "../Steps.ts"

const city = { type: "string", title: "City" }

export const installationOperations = (it: Vitest.MethodsNonLive<Services>) => {
  it.effect("installs once, is pending until what is required is configured, and can be paused", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const { name, id, path } = yield* installed({
        configurations: {
          account: {
            properties: {
              city,
              unit: { type: "string", enum: ["C", "F"], default: "C" },
              days: { type: "number" },
              on: { type: "boolean" }
            },
            required: ["city", "unit"]
          }
        }
      })
      const made = yield* call("admin", "GET", path).pipe(answers(200, Shapes.Installation))
      assert.deepInclude(made, {
        status: "pending",
        space_selection: "all",
        site_selection: "all",
        configuration: { unit: "C" },
        externalIds: [],
        target: { organization }
      })
      assert.deepStrictEqual((yield* install(name)).id, id)
      const patch = (body: unknown) => call("admin", "PATCH", path, body).pipe(answers(200, Shapes.Installation))
      // Whatever is not declared is kept as it is.
      const configuration = { city: "Oslo", credentials: { token: "t" } }
      const configured = yield* patch({ configuration, externalIds: ["team-1"] })
      assert.deepInclude(configured, { status: "active", externalIds: ["team-1"] })
      assert.deepStrictEqual(configured.configuration, { unit: "C", ...configuration })
      assert.deepStrictEqual(yield* patch({}), configured)
      for (const wrong of [{ city: 1 }, { unit: "K" }, { days: "1" }, { on: "yes" }]) {
        const { issues } = yield* call("admin", "PATCH", path, { configuration: wrong }).pipe(refused(400))
        assert.strictEqual(issues?.[0]?.path, `body.configuration.${Object.keys(wrong)[0]}`)
      }
      yield* call("admin", "PATCH", path, { configuration: { big: "x".repeat(70_000) } }).pipe(refused(400))
      yield* call("admin", "PATCH", path, { externalIds: ["1", "2", "3", "4", "5", "6"] }).pipe(refused(400))
      assert.strictEqual((yield* patch({ status: "paused" })).status, "paused")
      assert.strictEqual((yield* patch({ status: "active" })).status, "active")
      assert.strictEqual((yield* patch({ configuration: { city: null } })).status, "pending")
      yield* patch({ configuration })

      // Members see that it is there, and not what is kept in it.
      const seen = yield* call("read", "GET", path).pipe(answers(200, Shapes.Installation))
      assert.deepStrictEqual(seen.configuration, {})
      yield* call("read", "PATCH", path, {}).pipe(refused(403))
      yield* call("outsider", "GET", path).pipe(refused(404))

      const found = yield* call("admin", "GET", `/v1/integrations/${name}/installations?externalId=team-1`).pipe(
        answers(200, listOf(Shapes.Installation))
      )
      assert.deepStrictEqual(
        found.items.map((item) => item.id),
        [id]
      )
      const none = yield* call("admin", "GET", `/v1/integrations/${name}/installations?externalId=team-2`).pipe(
        answers(200, listOf(Shapes.Installation))
      )
      assert.strictEqual(none.count, 0)

      const here = yield* call("read", "GET", `/v1/orgs/${organization}/installations?search=${name}`).pipe(
        answers(200, listOf(Schema.Struct({ integration: Shapes.Integration, installation: Shapes.Installation })))
      )
      assert.deepStrictEqual(
        here.items.map(({ installation }) => installation.id),
        [id]
      )
      const Statuses = listOf(Schema.Struct({ integration: Shapes.Integration, status: Schema.String }))
      const statuses = yield* call(
        "read",
        "GET",
        `/v1/orgs/${organization}/integrations/installations-status?limit=1000`
      ).pipe(answers(200, Statuses))
      assert.deepStrictEqual(
        statuses.items.flatMap(({ integration, status }) => (integration.name === name ? [status] : [])),
        ["active"]
      )
      const status = `/v1/orgs/${organization}/integrations/${name}/installation_status`
      assert.strictEqual((yield* call("read", "GET", status).pipe(has(200))).text, '{"status":"active"}')

      yield* call("admin", "DELETE", path).pipe(has(204))
      yield* call("admin", "DELETE", path).pipe(has(204))
      yield* call("admin", "GET", path).pipe(refused(404))
      yield* call("read", "GET", status).pipe(refused(404))
    })
  )

  it.effect("asks each installer for what a later version wants beyond what was agreed to", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { name, path } = yield* installed({ scopes: ["space:content:read", "site:script:inject"] })
      const get = call("admin", "GET", path).pipe(answers(200, Shapes.Installation))
      assert.deepInclude(yield* get, { scopes: ["space:content:read", "site:script:inject"], requestedScopes: [] })
      yield* publishIntegration(name, { scopes: ["space:content:read", "space:content:write"] })
      assert.deepInclude(yield* get, { scopes: ["space:content:read"], requestedScopes: ["space:content:write"] })
      // Installing once more agrees to nothing.
      assert.deepInclude(yield* install(name), { requestedScopes: ["space:content:write"] })
      yield* call("admin", "PATCH", path, { scopes: ["site:script:inject"] }).pipe(refused(400))
      yield* call("admin", "PATCH", path, { scopes: ["space:content:read", "space:content:write"] }).pipe(has(200))
      assert.deepInclude(yield* get, { requestedScopes: [] })
    })
  )

  it.effect("places an installation on spaces and sites, with settings of their own", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const { id: space } = yield* createSpace()
      const { id: site } = yield* createSite([space])
      for (const [kind, content, body, shape] of [
        ["space", space, { space }, Shapes.SpacePlacement],
        ["site", site, { siteId: site }, Shapes.SitePlacement]
      ] as const) {
        const { name, id, path } = yield* installed({
          target: kind,
          scopes: ["site:script:inject"],
          blocks: [{ id: "b", title: "Block" }],
          configurations: { [kind]: { properties: { city }, required: ["city"] } }
        })
        const placements = `${path}/${kind}s`
        const one = `${placements}/${content}`
        const unsuitable = kind === "space" ? [`${path}/sites`, { siteId: site }] : [`${path}/spaces`, { space }]
        yield* call("admin", "POST", unsuitable[0] as string, unsuitable[1]).pipe(refused(409))
        yield* call("admin", "GET", one).pipe(refused(404))
        yield* call("admin", "PATCH", one, {}).pipe(refused(404))
        const placed = yield* call("admin", "POST", placements, body).pipe(answers(201, shape))
        assert.deepInclude(placed, { integration: name, installation: id, status: "pending", [kind]: content })
        assert.deepStrictEqual(yield* call("admin", "POST", placements, body).pipe(answers(201, shape)), placed)
        const configured = yield* call("admin", "PATCH", one, {
          configuration: { city: "Oslo" },
          externalIds: ["channel-1"]
        }).pipe(answers(200, shape))
        assert.deepInclude(configured, { status: "active", externalIds: ["channel-1"] })
        yield* call("admin", "PATCH", one, { configuration: { city: 5 } }).pipe(refused(400))
        assert.deepStrictEqual(yield* call("admin", "GET", one).pipe(answers(200, shape)), configured)
        // Members see that it is there, and not what is kept in it.
        const seen = yield* call("read", "GET", one).pipe(answers(200, shape))
        assert.deepStrictEqual(seen.configuration, {})
        const whole = yield* call("read", "GET", `${one}?extended=true`).pipe(answers(200, shape))
        assert.deepInclude((whole as Record<string, unknown>)[kind], { object: kind, id: content })

        const all = `/v1/integrations/${name}/${kind}s`
        for (const [list, count] of [
          [placements, 1],
          [all, 1],
          [`${all}?externalId=channel-1&extended=true`, 1],
          [`${all}?externalId=channel-2`, 0]
        ] as const) {
          const found = yield* call("read", "GET", list).pipe(answers(200, listOf(shape)))
          assert.strictEqual(found.count, count, list)
        }
        const working =
          kind === "space"
            ? `/v1/spaces/${space}/integrations?search=${name}`
            : `/v1/orgs/${organization}/sites/${site}/integrations?search=${name}`
        const atWork = Effect.map(
          call("read", "GET", working).pipe(answers(200, listOf(Shapes.Integration))),
          ({ count }) => count
        )
        assert.strictEqual(yield* atWork, 1)
        if (kind === "space") {
          const blocks = yield* call("read", "GET", `/v1/spaces/${space}/integration-blocks`).pipe(
            answers(
              200,
              Schema.Array(Schema.Struct({ name: Schema.String, blocks: Schema.Array(Shapes.IntegrationBlock) }))
            )
          )
          assert.deepStrictEqual(
            blocks.find((found) => found.name === name)?.blocks.map((block) => block.id),
            ["b"]
          )
        } else {
          const scripts = yield* call("read", "GET", `/v1/orgs/${organization}/sites/${site}/integration-scripts`).pipe(
            answers(200, SiteScripts)
          )
          assert.isTrue(scripts.some(({ script, cookies }) => script.includes(name.toLowerCase()) && !cookies))
        }
        yield* call("admin", "PATCH", path, { status: "paused" }).pipe(has(200))
        assert.strictEqual(yield* atWork, 0)
        yield* call("admin", "PATCH", path, { status: "active" }).pipe(has(200))

        yield* call("read", "DELETE", one).pipe(refused(403))
        yield* call("admin", "DELETE", one).pipe(has(204))
        yield* call("admin", "DELETE", one).pipe(has(204))
        assert.strictEqual(yield* atWork, 0)
        // On all of them it is there without being placed.
        yield* call("admin", "PATCH", path, { [`${kind}_selection`]: "all" }).pipe(has(200))
        assert.strictEqual((yield* call("admin", "GET", one).pipe(answers(200, shape))).status, "pending")
        yield* call("admin", "PATCH", one, { configuration: { city: "Oslo" } }).pipe(has(200))
        assert.strictEqual(yield* atWork, 1)
      }
    })
  )

  it.effect("shows the publisher where it is installed, and nothing of what it is installed on", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const name = yield* freshName
      yield* publishIntegration(name, {}, "outsider")
      const { id } = yield* install(name)
      const { id: space } = yield* createSpace({ title: "Confidential" })
      const path = `/v1/integrations/${name}/installations/${id}`
      yield* call("admin", "PATCH", path, { configuration: { key: "ours" } }).pipe(has(200))
      yield* call("admin", "POST", `${path}/spaces`, { space }).pipe(has(201))
      for (const query of [path, `${path}/spaces?extended=true`, `${path}/spaces/${space}?extended=true`]) {
        const { text } = yield* call("outsider", "GET", query).pipe(has(200))
        assert.notInclude(text, "Confidential")
        assert.notInclude(text, "ours")
      }
      const listed = yield* call("outsider", "GET", `/v1/integrations/${name}/spaces?extended=true`).pipe(
        answers(200, listOf(Shapes.SpacePlacement))
      )
      assert.deepStrictEqual(
        listed.items.map((item) => item.space),
        [space]
      )
      yield* call("outsider", "PATCH", path, { status: "paused" }).pipe(refused(403))
      // What can't be seen counts as removed, and stays.
      yield* call("outsider", "DELETE", `${path}/spaces/${space}`).pipe(has(204))
      yield* call("admin", "GET", `${path}/spaces/${space}`).pipe(has(200))
      // A space that is closed to a member is in no list of its own.
      yield* call("admin", "PATCH", `/v1/spaces/${space}`, { defaultLevel: null }).pipe(has(200))
      const seen = yield* call("read", "GET", `/v1/integrations/${name}/spaces`).pipe(
        answers(200, listOf(Shapes.SpacePlacement))
      )
      assert.strictEqual(seen.count, 0)
      yield* call("read", "GET", `${path}/spaces/${space}`).pipe(refused(404))
    })
  )
}
