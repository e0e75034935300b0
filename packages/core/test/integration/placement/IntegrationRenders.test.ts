import type { RenderRequest } from "@lectern/core/integration/IntegrationRender"
import { IntegrationRenders } from "@lectern/core/integration/placement/IntegrationRenders"
import { Spaces } from "@lectern/core/space/Spaces"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { outcome, outcomes, ruleOn } from "../../Actors.ts"
import { onEach } from "../../Adapters.ts"
import { as } from "../../comment/Discussion.ts"
import { adapters, adaptersWith } from "../../Instances.ts"
import { installed } from "../IntegrationMembers.ts"
import { type ProgramEvent, type ProgramResponse, programs } from "../Programs.ts"

const element = { type: "element", element: { type: "block", children: [] } }

/** Responses by the property `mode` of a request. */
const responses: Readonly<Record<string, ProgramResponse>> = {
  cached: { body: JSON.stringify(element), headers: [["cache-control", "max-age=60"]] },
  claiming: { body: JSON.stringify({ ...element, canAccessVisitorClaims: true }) },
  refused: { status: 400, body: '{"error":"No such city"}' },
  broken: { status: 500 },
  unusable: { body: '{"type":"text"}' }
}

let renders: Array<ProgramEvent> = []

const services = adaptersWith(
  programs((event) => {
    if (event.type !== "ui_render") return {}
    renders.push(event)
    const { mode } = event["props"] as { readonly mode?: string }
    return responses[mode ?? ""] ?? { body: JSON.stringify(element) }
  })
)

const ready = Effect.gen(function* () {
  const fixture = yield* installed({ blocks: [{ id: "forecast", title: "Forecast" }] })
  const { id: space } = yield* (yield* Spaces).create(fixture.org, {})
  const integrationRenders = yield* IntegrationRenders
  const context = { type: "document", spaceId: space } as const
  const render = (mode: string, fields: Partial<RenderRequest> = {}) =>
    integrationRenders.render("weather", { componentId: "forecast", props: { mode }, context, ...fields })
  renders = []
  return { ...fixture, space, render }
})

for (const [name, adapter] of onEach(services)) {
  describe(`IntegrationRenders (${name})`, () => {
    const rule = ruleOn(adapter)

    rule("return the element of the program, which receives the request and the user", () =>
      Effect.gen(function* () {
        const { people, installation, space, render } = yield* ready
        const { json, maxAge } = yield* render("").pipe(as(people.read))
        assert.deepStrictEqual(JSON.parse(json), element)
        assert.strictEqual(maxAge, 0)
        assert.deepInclude(renders[0], { installationId: installation, spaceId: space, componentId: "forecast" })
        assert.deepStrictEqual(renders[0]!["auth"], { userId: people.read })
      })
    )

    rule("state whether the program sees claims of visitors, whatever it states itself", () =>
      Effect.gen(function* () {
        const { render } = yield* ready
        assert.isFalse(JSON.parse((yield* render("claiming")).json).canAccessVisitorClaims)
      })
    )

    rule("are repeated for every request, unless the program allows to cache them", () =>
      Effect.gen(function* () {
        const { render } = yield* ready
        for (const [mode, count] of [
          ["", 2],
          ["cached", 1]
        ] as const) {
          renders = []
          yield* render(mode)
          yield* render(mode)
          assert.strictEqual(renders.length, count)
        }
        yield* TestClock.adjust("61 seconds")
        yield* render("cached")
        assert.strictEqual(renders.length, 2)
      })
    )

    rule("fail with the program's message, or without one if the program fails", () =>
      Effect.gen(function* () {
        const { render } = yield* ready
        const refused = yield* Effect.flip(render("refused"))
        assert.deepInclude(refused, { _tag: "RenderRejected", message: "No such city" })
        for (const mode of ["broken", "unusable"]) {
          assert.strictEqual(yield* outcome(render(mode)), "RenderFailed", mode)
        }
      })
    )

    rule("of a document are for everyone who reads the space, of a configuration for administrators", () =>
      Effect.gen(function* () {
        const { people, space, render } = yield* ready
        assert.deepStrictEqual(yield* outcomes(people, render("")), {
          ok: "host admin create review edit comment read",
          SpaceNotFound: "guest outsider"
        })
        const configuration = render("", { context: { type: "configuration_space", spaceId: space } })
        const { admin, read, outsider } = people
        assert.notInclude((yield* outcomes({ read, outsider }, configuration))["ok"] ?? "", "read")
        assert.notProperty(yield* outcomes({ admin }, configuration), "Forbidden")
      })
    )

    rule("are absent while the installation is paused, and for a missing integration", () =>
      Effect.gen(function* () {
        const { installations, installation, render } = yield* ready
        yield* installations.update("weather", installation, { status: "paused" })
        assert.strictEqual(yield* outcome(render("")), "IntegrationNotFound")
        yield* installations.update("weather", installation, { status: "active" })
        assert.strictEqual(yield* outcome(render("")), "ok")
        yield* installations.uninstall("weather", installation)
        assert.strictEqual(yield* outcome(render("")), "IntegrationNotFound")
      })
    )

    rule("reject invalid requests, and more than 256 KiB", () =>
      Effect.gen(function* () {
        const { render } = yield* ready
        for (const fields of [
          { componentId: "" },
          { props: { text: "x".repeat(256 * 1024) } },
          { context: {} as never }
        ]) {
          assert.strictEqual(yield* outcome(render("", fields)), "InvalidInput")
        }
        assert.strictEqual(renders.length, 0)
      })
    )
  })
}

for (const [name, adapter] of onEach(adapters)) {
  describe(`IntegrationRenders without a runtime (${name})`, () => {
    ruleOn(adapter)("fail, since nothing runs the program", () =>
      Effect.gen(function* () {
        const { render } = yield* ready
        assert.strictEqual(yield* outcome(render("")), "RenderFailed")
      })
    )
  })
}
