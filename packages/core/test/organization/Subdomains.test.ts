import { Organizations } from "@lectern/core/organization/Organizations"
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
        assert.deepInclude(yield* (yield* Organizations).subdomain("ACME"), {
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
        assert.deepStrictEqual(yield* outcomes(people, organizations.subdomain("acme")), {
          ok: "host admin create review edit comment read guest",
          SubdomainNotFound: "outsider"
        })
        yield* organizations.update(org, { hostname: "acme-2" })
        assert.strictEqual(yield* outcome(organizations.subdomain("acme")), "SubdomainNotFound")
        assert.strictEqual(yield* outcome(organizations.subdomain("")), "SubdomainNotFound")
      })
    )
  })
}
