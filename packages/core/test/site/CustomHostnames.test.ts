import { CustomHostnames } from "@lectern/core/site/CustomHostnames"
import { DomainNames } from "@lectern/core/site/DomainNames"
import { Sites } from "@lectern/core/site/Sites"
import { assert, describe } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { emitted, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { as } from "../comment/Discussion.ts"
import { adaptersWith } from "../Instances.ts"
import { siteWithMembers } from "./SiteMembers.ts"

/** TXT records by name. Names are distinct in each test. */
const records = new Map<string, ReadonlyArray<string>>()

const domainNames = Layer.succeed(
  DomainNames,
  DomainNames.of({
    texts: (name) => Effect.sync(() => records.get(name) ?? []),
    addresses: () => Effect.succeed([]),
    ownAddresses: Effect.succeed([])
  })
)

/** A site that claims a hostname. */
const claimed = Effect.fnUntraced(function* (hostname: string) {
  const fixture = yield* siteWithMembers
  const sites = yield* Sites
  const { pendingAddresses } = yield* sites.update(fixture.org, fixture.site, { hostname })
  const { name, value } = pendingAddresses![0]!.proof.dns
  const publishProof = Effect.sync(() => records.set(name, [value]))
  return { ...fixture, sites, hostnames: yield* CustomHostnames, publishProof }
})

for (const [name, services] of onEach(adaptersWith({ domainNames, addressProof: "always" }))) {
  describe(`CustomHostnames (${name})`, () => {
    const rule = ruleOn(services)

    rule("wait for a proof, and are the site's after it", () =>
      Effect.gen(function* () {
        const hostname = "one.acme.example"
        const { org, site, sites, hostnames, publishProof } = yield* claimed(hostname)
        const pending = yield* hostnames.get("ONE.acme.example")
        assert.deepInclude(pending, { hostname, target: { type: "site", site }, isActive: false })
        assert.notProperty(pending, "status")
        assert.notProperty(yield* sites.get(org, site), "hostname")
        yield* publishProof
        assert.deepStrictEqual(yield* emitted(hostnames.prove(hostname)), ["site_updated", "site_address_proved"])
        assert.strictEqual((yield* sites.get(org, site)).hostname, hostname)
        assert.deepInclude(yield* hostnames.get(hostname), { status: "dns_passed", isActive: false })
        yield* sites.publish(org, site)
        assert.isTrue((yield* hostnames.get(hostname)).isActive)
        assert.strictEqual(yield* outcome(hostnames.prove(hostname)), "HostnameProven")
      })
    )

    rule("without a proof stay pending, with the reason", () =>
      Effect.gen(function* () {
        const hostname = "two.acme.example"
        const { hostnames } = yield* claimed(hostname)
        yield* hostnames.prove(hostname)
        assert.match((yield* hostnames.get(hostname)).pending?.problem ?? "", /no TXT record/)
      })
    )

    rule("that are not proved are visible to administrators of the organization only", () =>
      Effect.gen(function* () {
        const hostname = "three.acme.example"
        const { people, hostnames } = yield* claimed(hostname)
        const expected = {
          ok: "host admin",
          CustomHostnameNotFound: "create review edit comment read guest outsider"
        }
        assert.deepStrictEqual(yield* outcomes(people, hostnames.get(hostname)), expected)
        assert.deepStrictEqual(yield* outcomes(people, hostnames.prove(hostname)), expected)
      })
    )

    rule("that are proved are visible with their site, and removed by administrators", () =>
      Effect.gen(function* () {
        const hostname = "four.acme.example"
        const { org, site, people, sites, hostnames, publishProof } = yield* claimed(hostname)
        yield* publishProof
        yield* hostnames.prove(hostname)
        assert.deepStrictEqual(yield* outcomes(people, hostnames.get(hostname)), {
          ok: "host admin create review edit comment read",
          CustomHostnameNotFound: "guest outsider"
        })
        const { edit, outsider, admin } = people
        const own = Effect.andThen(sites.update(org, site, { hostname }), Effect.ignore(hostnames.prove(hostname)))
        const removes = outcomes({ edit, outsider, admin }, () =>
          Effect.andThen(own.pipe(as("host")), hostnames.remove(hostname))
        )
        assert.deepStrictEqual(yield* removes, { ok: "host outsider admin", Forbidden: "edit" })
        assert.notProperty(yield* sites.get(org, site), "hostname")
        assert.strictEqual(yield* outcome(hostnames.get(hostname)), "CustomHostnameNotFound")
        assert.strictEqual(yield* outcome(hostnames.remove(hostname)), "ok")
      })
    )

    rule("belong to the first site with a proof, of several that claim them", () =>
      Effect.gen(function* () {
        const hostname = "five.acme.example"
        const { elsewhere, people, sites, hostnames, publishProof } = yield* claimed(hostname)
        const { id: other } = yield* sites.create(elsewhere, {})
        yield* sites.update(elsewhere, other, { hostname })
        yield* publishProof
        yield* hostnames.prove(hostname).pipe(as(people.admin))
        assert.strictEqual(yield* outcome(sites.update(elsewhere, other, { hostname })), "AddressTaken")
        const { id: third } = yield* sites.create(elsewhere, {})
        assert.strictEqual(yield* outcome(sites.update(elsewhere, third, { hostname })), "AddressTaken")
      })
    )
  })
}
