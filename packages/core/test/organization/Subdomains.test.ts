import { Organizations } from "@lectern/core/organization/Organizations"
import { Subdomains } from "@lectern/core/organization/Subdomains"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { members, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { adapters } from "../Instances.ts"

for (const [name, services] of onEach(adapters)) {
  describe(`Subdomains (${name})`, () => {
    const rule = ruleOn(services)

    rule("name the organization that has the hostname, ignoring case", () =>
      Effect.gen(function* () {
        const { org } = yield* members
        yield* (yield* Organizations).update(org, { hostname: "acme" })
        assert.deepInclude(yield* (yield* Subdomains).get("ACME"), {
          subdomain: "acme",
          target: { type: "organization", organization: org },
          isActive: true
        })
      })
    )

    rule("exist for members of the organization only", () =>
      Effect.gen(function* () {
        const { org, people } = yield* members
        const organizations = yield* Organizations
        yield* organizations.update(org, { hostname: "acme" })
        const subdomains = yield* Subdomains
        assert.deepStrictEqual(yield* outcomes(people, subdomains.get("acme")), {
          ok: "host admin create review edit comment read guest",
          SubdomainNotFound: "outsider"
        })
        yield* organizations.update(org, { hostname: "acme-2" })
        assert.strictEqual(yield* outcome(subdomains.get("acme")), "SubdomainNotFound")
        assert.strictEqual(yield* outcome(subdomains.get("")), "SubdomainNotFound")
      })
    )
  })
}
