import { CurrentActor } from "@lectern/core/access/Actor"
import { EmailDomains } from "@lectern/core/email-domain/EmailDomains"
import { Members } from "@lectern/core/organization/Members"
import { Organizations } from "@lectern/core/organization/Organizations"
import { DomainNames } from "@lectern/core/site/DomainNames"
import { Users } from "@lectern/core/user/Users"
import { assert, describe } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { emitted, members, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { as } from "../comment/Discussion.ts"
import { adaptersWith } from "../Instances.ts"
import { disable } from "../organization/DisabledMember.ts"

/** TXT records of the domain name system, by name. */
let records: Record<string, ReadonlyArray<string>> = {}

const domainNames = Layer.succeed(
  DomainNames,
  DomainNames.of({
    texts: (name) => Effect.sync(() => records[name] ?? []),
    addresses: () => Effect.succeed([]),
    ownAddresses: Effect.succeed([])
  })
)

/** An organization with the unproved domain `Acme.org`, and a user with an address at the domain. */
const withDomain = Effect.gen(function* () {
  records = {}
  const { org, elsewhere, people } = yield* members
  const organizations = yield* Organizations
  const domains = yield* EmailDomains
  yield* organizations.update(org, { emailDomains: ["Acme.org"] }).pipe(as(people.admin))
  const { id: ada } = yield* (yield* Users).create({ email: "ada@ACME.org" })
  const prove = domains.prove(org, "acme.org").pipe(as(people.admin))
  /** Publishes the record and proves the domain. */
  const proved = Effect.gen(function* () {
    const { name, value } = (yield* prove).proof
    records[name] = ["other", ` ${value} `]
    return yield* prove
  })
  return { org, elsewhere, people, organizations, domains, ada, prove, proved }
})

for (const [name, services] of onEach(adaptersWith({ domainNames }))) {
  describe(`EmailDomains (${name})`, () => {
    const rule = ruleOn(services)

    rule("are managed by administrators", () =>
      Effect.gen(function* () {
        const { org, people, domains } = yield* withDomain
        for (const use of [domains.list(org, {}), domains.prove(org, "acme.org")]) {
          assert.deepStrictEqual(yield* outcomes(people, use), {
            ok: "host admin",
            Forbidden: "create review edit comment read guest",
            OrganizationNotFound: "outsider"
          })
        }
        assert.strictEqual(yield* outcome(domains.prove(org, "other.org")), "EmailDomainNotFound")
      })
    )

    rule("are listed once each, ignoring case", () =>
      Effect.gen(function* () {
        const { org, organizations, domains } = yield* withDomain
        yield* organizations.update(org, { emailDomains: ["b.org", "B.ORG", "a.org"] })
        const { items, count } = yield* domains.list(org, {})
        assert.deepStrictEqual([count, items.map(({ domain }) => domain)], [2, ["a.org", "b.org"]])
      })
    )

    rule("are proved by a TXT record with a value of the organization", () =>
      Effect.gen(function* () {
        const { org, elsewhere, organizations, domains, prove, proved } = yield* withDomain
        const before = yield* prove
        assert.deepInclude(before, { domain: "Acme.org", proved: false })
        assert.match(before.problem!, /no TXT record/)
        yield* organizations.update(elsewhere, { emailDomains: ["acme.org"] })
        const [other] = (yield* domains.list(elsewhere, {})).items
        assert.notStrictEqual(other?.proof.value, before.proof.value)
        assert.deepStrictEqual(yield* emitted(proved), ["organization_updated", "email_domain_proved"])
        assert.deepInclude((yield* domains.list(org, {})).items[0], { domain: "Acme.org", proved: true })
      })
    )

    rule("stay proved without the record, until the organization removes them", () =>
      Effect.gen(function* () {
        const { org, people, organizations, prove, proved } = yield* withDomain
        assert.isTrue((yield* proved).proved)
        records = {}
        assert.deepStrictEqual(yield* emitted(prove), [])
        assert.isTrue((yield* prove).proved)
        const update = (emailDomains: ReadonlyArray<string>) =>
          organizations.update(org, { emailDomains }).pipe(as(people.admin))
        yield* update(["acme.org", "other.org"])
        assert.isTrue((yield* prove).proved)
        assert.deepStrictEqual(yield* emitted(update([])), ["organization_updated", "email_domain_lost"])
        assert.deepStrictEqual(yield* emitted(update(["acme.org"])), ["organization_updated"])
        assert.isFalse((yield* prove).proved)
      })
    )

    rule("state why they can't be proved", () =>
      Effect.gen(function* () {
        const { org, people, organizations, domains } = yield* withDomain
        yield* organizations.update(org, { emailDomains: ["localhost", "a b.org", "acme.org"] }).pipe(as(people.admin))
        const problem = (domain: string) => Effect.map(domains.prove(org, domain), (one) => one.problem)
        assert.strictEqual(yield* problem("localhost"), "localhost is no name of a domain")
        assert.strictEqual(yield* problem("a b.org"), "a b.org is no name of a domain")
        assert.match((yield* problem("acme.org"))!, /There is no TXT record _lectern/)
      })
    )

    rule("admit nobody before they are proved", () =>
      Effect.gen(function* () {
        const { org, domains, ada } = yield* withDomain
        assert.strictEqual(yield* outcome(domains.join(org)).pipe(as(ada)), "OrganizationNotFound")
        assert.deepStrictEqual((yield* domains.organizations("acme.org").pipe(as(ada))).organizations, [])
      })
    )

    rule("show their organization to people with an address at them, and let these people join", () =>
      Effect.gen(function* () {
        const { org, people, organizations, domains, ada, proved } = yield* withDomain
        yield* proved
        yield* organizations.update(org, { defaultRole: "comment" })
        const found = domains.organizations("ACME.org")
        const [seen] = (yield* found.pipe(as(ada))).organizations
        assert.deepInclude(seen, { id: org, emailDomains: [], defaultRole: null })
        assert.isFalse(seen?.permissions.view)
        assert.deepStrictEqual((yield* found.pipe(as(people.outsider))).organizations, [])
        assert.isTrue((yield* found.pipe(as(people.read))).organizations[0]?.permissions.view)
        const join = domains.join(org).pipe(as(ada))
        assert.deepStrictEqual(yield* emitted(join), ["member_joined"])
        assert.strictEqual((yield* (yield* Members).get(org, ada)).role, "comment")
        assert.deepStrictEqual(yield* emitted(join), [])
        assert.strictEqual(yield* outcome(domains.join(org)).pipe(as(people.outsider)), "OrganizationNotFound")
        assert.strictEqual(yield* outcome(domains.join(org)), "OrganizationNotFound")
      })
    )

    rule("do not include their subdomains", () =>
      Effect.gen(function* () {
        const { org, domains, proved } = yield* withDomain
        yield* proved
        const { id: eve } = yield* (yield* Users).create({ email: "eve@sub.acme.org" })
        assert.strictEqual(yield* outcome(domains.join(org)).pipe(as(eve)), "OrganizationNotFound")
      })
    )

    rule("admit neither removed nor disabled people again", () =>
      Effect.gen(function* () {
        const { org, domains, ada, proved } = yield* withDomain
        yield* proved
        const join = outcome(domains.join(org)).pipe(as(ada))
        assert.strictEqual(yield* join, "ok")
        yield* disable(org, ada)
        assert.strictEqual(yield* join, "Forbidden")
        yield* (yield* Members).remove(org, ada)
        assert.strictEqual(yield* join, "Forbidden")
      })
    )

    rule("say nothing about an address to a session of another organization", () =>
      Effect.gen(function* () {
        const { org, elsewhere, domains, ada, proved } = yield* withDomain
        yield* proved
        yield* (yield* Organizations).join(elsewhere, ada, "read")
        const inSession = Effect.provideService(CurrentActor, { type: "user", user: ada, organization: elsewhere })
        assert.strictEqual(yield* outcome(domains.join(org)).pipe(inSession), "OrganizationNotFound")
        assert.deepStrictEqual((yield* domains.organizations("acme.org").pipe(inSession)).organizations, [])
      })
    )

    rule("become one membership if the user joins twice at the same time", () =>
      Effect.gen(function* () {
        const { org, domains, ada, proved } = yield* withDomain
        yield* proved
        const join = domains.join(org).pipe(as(ada))
        assert.deepStrictEqual(yield* emitted(Effect.all([join, join], { concurrency: "unbounded" })), [
          "member_joined"
        ])
      })
    )
  })
}
