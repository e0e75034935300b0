import { InstalledBlocks } from "@lectern/core/integration/InstalledBlocks"
import { SpaceTable } from "@lectern/core/space/Space"
import { Spaces } from "@lectern/core/space/Spaces"
import { Storage } from "@lectern/core/storage/Storage"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { adapters, adaptersWith } from "../Instances.ts"
import { installed, manifest } from "./IntegrationMembers.ts"
import { programs } from "./Programs.ts"

const blocks = [
  { id: "forecast", title: "Forecast", urlUnfurl: ["https://weather.example/*"] },
  { id: "chart", title: "Chart", markdown: { codeblock: "chart", body: "content" } }
]
const fields = { blocks } as object
const link = { integration: "weather", block: "forecast", url: "https://weather.example/oslo" }

const ready = Effect.gen(function* () {
  const fixture = yield* installed(fields)
  const { id } = yield* (yield* Spaces).create(fixture.org, {})
  const space = (yield* (yield* Storage).repository(SpaceTable).get({ id }))!
  const installedBlocks = yield* InstalledBlocks
  const key = Effect.map(installedBlocks.blocksOf(space), (found) => found?.key)
  const unfurled = Effect.map(installedBlocks.unfurled(space, [link]), (results) => [...results.values()])
  return { ...fixture, space, installedBlocks, key, unfurled }
})

for (const [name, services] of onEach(adaptersWith(programs(() => ({}))))) {
  describe(`InstalledBlocks (${name})`, () => {
    const rule = ruleOn(services)

    rule("are the blocks of active integrations on the space", () =>
      Effect.gen(function* () {
        const { space, installations, installation, installedBlocks } = yield* ready
        const found = yield* installedBlocks.blocksOf(space)
        assert.deepStrictEqual(
          found?.blocks.map(({ integration, block }) => [integration, block]),
          [
            ["weather", "forecast"],
            ["weather", "chart"]
          ]
        )
        assert.deepStrictEqual(
          (yield* installedBlocks.fenced(space.id)).map(({ block }) => block),
          ["chart"]
        )
        yield* installations.update("weather", installation, { status: "paused" })
        assert.isUndefined(yield* installedBlocks.blocksOf(space))
        assert.deepStrictEqual(yield* installedBlocks.fenced(space.id), [])
      })
    )

    rule("have a key that changes with every publication and every unfurled link", () =>
      Effect.gen(function* () {
        const { org, space, integrations, installedBlocks, key } = yield* ready
        const first = yield* key
        assert.strictEqual(yield* key, first)
        yield* integrations.publish("weather", manifest(org, fields))
        const second = yield* key
        assert.notStrictEqual(second, first)
        yield* installedBlocks.store(space, [{ ...link, props: { city: "Oslo" } }])
        assert.notStrictEqual(yield* key, second)
      })
    )

    rule("store results of links: accepted ones until they are replaced, others for one version", () =>
      Effect.gen(function* () {
        const { org, space, integrations, installedBlocks, unfurled } = yield* ready
        assert.deepStrictEqual(yield* unfurled, [])
        yield* installedBlocks.store(space, [{ ...link, props: { city: "Oslo" } }])
        yield* integrations.publish("weather", manifest(org, fields))
        assert.deepStrictEqual(yield* unfurled, [{ city: "Oslo" }])
        yield* installedBlocks.store(space, [{ ...link, props: undefined }])
        assert.deepStrictEqual(yield* unfurled, [null])
        yield* integrations.publish("weather", manifest(org, fields))
        assert.deepStrictEqual(yield* unfurled, [])
      })
    )

    rule("lose results of links with their installation", () =>
      Effect.gen(function* () {
        const { org, space, installations, installation, installedBlocks, unfurled } = yield* ready
        yield* installedBlocks.store(space, [{ ...link, props: { city: "Oslo" } }])
        yield* installations.uninstall("weather", installation)
        yield* installations.install("weather", { organization: org })
        assert.deepStrictEqual(yield* unfurled, [])
      })
    )
  })
}

for (const [name, services] of onEach(adapters)) {
  describe(`InstalledBlocks without a runtime (${name})`, () => {
    ruleOn(services)("are absent, since nothing renders them", () =>
      Effect.gen(function* () {
        const { space, installedBlocks } = yield* ready
        assert.isUndefined(yield* installedBlocks.blocksOf(space))
      })
    )
  })
}
