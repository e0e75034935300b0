import type { OrganizationId } from "@lectern/core/organization/Organization"
import { Organizations } from "@lectern/core/organization/Organizations"
import type { AddressProof } from "@lectern/core/site/AddressProofs"
import { Sites } from "@lectern/core/site/Sites"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { adaptersWith } from "../Instances.ts"

/** Creates an organization with administrators. The first organization is that of the operator. */
const organization = Effect.fnUntraced(function* (...administrators: ReadonlyArray<string>) {
  const organizations = yield* Organizations
  yield* TestClock.adjust("1 second")
  const { id } = yield* organizations.create({ title: "Acme" })
  yield* organizations.syncMembers(
    id,
    administrators.map((name) => ({ email: `${name}@acme.example`, externalId: name, role: "admin" }))
  )
  return id
})

/** Requests a hostname and a proxy for a new site. Returns "used" for each assigned one, and "waits" for others. */
const requested = Effect.fnUntraced(function* (organization: OrganizationId, name = "1") {
  const sites = yield* Sites
  const { id } = yield* sites.create(organization, { title: "Docs" })
  const site = yield* sites.update(organization, id, {
    hostname: `help${name}.acme.example`,
    proxy: `acme.example/docs${name}`
  })
  return [site.hostname === undefined ? "waits" : "used", site.proxy === undefined ? "waits" : "used"]
})

const cases: ReadonlyArray<
  readonly [name: string, others: ReadonlyArray<ReadonlyArray<string>>, Readonly<Record<AddressProof, string>>]
> = [
  ["one organization", [], { always: "waits", auto: "used", never: "used" }],
  [
    "organizations of the same administrators",
    [["ada"], ["ada", "bob"]],
    { always: "waits", auto: "used", never: "used" }
  ],
  ["an organization without administrators", [[]], { always: "waits", auto: "used", never: "used" }],
  ["an organization of another administrator", [["eve"]], { always: "waits", auto: "waits", never: "used" }],
  [
    "another administrator in one of several",
    [["ada"], ["ada", "eve"]],
    { always: "waits", auto: "waits", never: "used" }
  ]
]

for (const addressProof of ["always", "auto", "never"] as const)
  for (const [name, services] of onEach(adaptersWith({ addressProof }))) {
    describe(`Proofs of addresses: ${addressProof} (${name})`, () => {
      const rule = ruleOn(services)

      for (const [title, others, expected] of cases)
        rule(title, () =>
          Effect.gen(function* () {
            const first = yield* organization("ada", "bob")
            for (const administrators of others) yield* organization(...administrators)
            const outcome = expected[addressProof]
            assert.deepStrictEqual(yield* requested(first), [outcome, outcome])
          })
        )
    })
  }

for (const [name, services] of onEach(adaptersWith({}))) {
  describe(`Proofs of addresses by default (${name})`, () => {
    const rule = ruleOn(services)

    rule("are required beyond 100 organizations", () =>
      Effect.gen(function* () {
        const first = yield* organization("ada")
        yield* Effect.forEach(Array.from({ length: 99 }), () => organization("ada"))
        assert.deepStrictEqual(yield* requested(first), ["used", "used"])
        yield* organization("ada")
        assert.deepStrictEqual(yield* requested(first, "2"), ["waits", "waits"])
      })
    )
  })
}
