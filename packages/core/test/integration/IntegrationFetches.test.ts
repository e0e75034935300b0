import { makeIntegrationFetches } from "@lectern/core/integration/IntegrationFetches"
import { Placements } from "@lectern/core/integration/placement/Placements"
import { Sites } from "@lectern/core/site/Sites"
import { Spaces } from "@lectern/core/space/Spaces"
import type { IntegrationPublish } from "@lectern/core/integration/Integration"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { outcome, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { adaptersWith } from "../Instances.ts"
import { installed } from "./IntegrationMembers.ts"
import { programs } from "./Programs.ts"

/** A program that responds with the event that it receives. */
const services = adaptersWith(programs((event) => ({ status: 201, body: JSON.stringify(event) })))

const ready = Effect.fnUntraced(function* (fields: Partial<IntegrationPublish> = {}) {
  const fixture = yield* installed(fields)
  const { org, installation } = fixture
  const { id: space } = yield* (yield* Spaces).create(org, {})
  const { id: site } = yield* (yield* Sites).create(org, { spaces: [space] })
  const fetches = yield* makeIntegrationFetches
  const base = "/v1/integrations/weather"
  const ofInstallation = `${base}/installations/${installation}`
  const request = (url: string) => Effect.scoped(fetches.respond({ method: "GET", url, headers: { accept: "*/*" } }))
  const eventAt = (url: string) =>
    Effect.scoped(
      Effect.flatMap(fetches.respond({ method: "GET", url, headers: { accept: "*/*" } }), ({ bytes }) => bytes(10_000))
    ).pipe(Effect.map((bytes) => JSON.parse(new TextDecoder().decode(bytes))))
  return { ...fixture, space, site, base, ofInstallation, request, eventAt }
})

for (const [name, adapter] of onEach(services)) {
  describe(`IntegrationFetches (${name})`, () => {
    const rule = ruleOn(adapter)

    rule("respond with the program's response to the request", () =>
      Effect.gen(function* () {
        const { installation, space, base, ofInstallation, request, eventAt } = yield* ready()
        assert.strictEqual((yield* request(`${base}/integration/path?a=b`)).status, 201)
        for (const [url, expected] of [
          [`${base}/integration/path?a=b`, { type: "fetch" }],
          [`${ofInstallation}/path`, { type: "fetch", installationId: installation }],
          [`${ofInstallation}/spaces/${space}`, { type: "fetch", installationId: installation, spaceId: space }]
        ] as const) {
          const event = yield* eventAt(url)
          assert.deepInclude(event, { ...expected })
          assert.deepInclude(event.request, { method: "get", headers: { accept: "*/*" } })
          assert.isTrue(event.request.url.endsWith(url))
        }
      })
    )

    rule("are absent for integrations, installations and placements that do not exist", () =>
      Effect.gen(function* () {
        const { elsewhere, base, ofInstallation, request } = yield* ready()
        const { id: foreign } = yield* (yield* Spaces).create(elsewhere, {})
        for (const url of [
          "/v1/integrations/missing/integration",
          `${base}/installations/missing`,
          `${ofInstallation}/spaces/missing`,
          `${ofInstallation}/spaces/${foreign}`,
          `${base}`,
          "/"
        ]) {
          assert.strictEqual(yield* outcome(request(url)), "EndpointNotFound", url)
        }
      })
    )

    rule("are absent while the installation is paused, and after the integration is unpublished", () =>
      Effect.gen(function* () {
        const { integrations, installations, installation, base, ofInstallation, request } = yield* ready()
        yield* installations.update("weather", installation, { status: "paused" })
        assert.strictEqual(yield* outcome(request(ofInstallation)), "EndpointNotFound")
        assert.strictEqual(yield* outcome(request(`${base}/integration`)), "ok")
        yield* integrations.unpublish("weather")
        assert.strictEqual(yield* outcome(request(`${base}/integration`)), "EndpointNotFound")
      })
    )

    rule("of a space need a placement if the integration is for selected spaces", () =>
      Effect.gen(function* () {
        const { installation, space, ofInstallation, request } = yield* ready({ target: "space" })
        const fetch = outcome(request(`${ofInstallation}/spaces/${space}`))
        assert.strictEqual(yield* fetch, "EndpointNotFound")
        yield* (yield* Placements).create("space", "weather", installation, space)
        assert.strictEqual(yield* fetch, "ok")
      })
    )

    rule("serve the script of a site only with the scope for it", () =>
      Effect.gen(function* () {
        const { installations, installation, site, ofInstallation, request, eventAt } = yield* ready({
          scopes: ["site:script:inject"]
        })
        const url = `${ofInstallation}/sites/${site}/~/script.js`
        assert.deepInclude(yield* eventAt(url), { type: "fetch_published_script", siteId: site })
        yield* installations.update("weather", installation, { scopes: [] })
        assert.strictEqual(yield* outcome(request(url)), "EndpointNotFound")
      })
    )

    rule("state the content security policy of the manifest", () =>
      Effect.gen(function* () {
        const { base, request } = yield* ready({ contentSecurityPolicy: "default-src 'none'" })
        const { contentSecurityPolicy } = yield* request(`${base}/integration`)
        assert.strictEqual(contentSecurityPolicy, "default-src 'none'")
      })
    )
  })
}
