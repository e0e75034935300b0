/** Domains of e-mail addresses: a note until they are proved, and then a way in for whoever has an address there. */
import { CurrentActor } from "@lectern/core/access/Actor"
import { EmailDomains } from "@lectern/core/email-domain/EmailDomains"
import { OrganizationId } from "@lectern/core/organization/Organization"
import { DomainNames, LookupFailed } from "@lectern/core/site/DomainNames"
import { Tokens } from "@lectern/core/token/Tokens"
import { Users } from "@lectern/core/user/Users"
import { assert } from "@effect/vitest"
import { Effect, Layer, Redacted, Schema } from "effect"
import { answers, type Caller, Harness, has, onMemory, refused } from "./Harness.ts"
import * as Shapes from "./Shapes.ts"

const records = new Map<string, ReadonlyArray<string>>()
let isDown = false

const domainNames = Layer.succeed(
  DomainNames,
  DomainNames.of({
    texts: (name) =>
      Effect.suspend(() =>
        isDown
          ? Effect.fail(new LookupFailed({ message: "The name servers give no answer" }))
          : Effect.succeed(records.get(name) ?? [])
      ),
    addresses: () => Effect.succeed([]),
    ownAddresses: Effect.succeed([])
  })
)

const Organizations = Schema.Struct({ organizations: Schema.Array(Shapes.Organization) })

/** A user that belongs to nothing. */
const newcomer = Effect.fnUntraced(function* (email: string) {
  const { id } = yield* (yield* Users).create({ email })
  const { token } = yield* (yield* Tokens).create(id)
  return { id, token: Redacted.value(token) }
})

const noted = Effect.fnUntraced(function* (...emailDomains: ReadonlyArray<string>) {
  const { call, organization } = yield* Harness
  yield* call("admin", "PATCH", `/v1/orgs/${organization}`, { emailDomains }).pipe(has(200))
})

const prove = Effect.fnUntraced(function* (domain: string, by: Caller = "admin") {
  const { call, organization } = yield* Harness
  return yield* call(by, "PATCH", `/v1/orgs/${organization}/email-domains/${domain}`)
})

const join = Effect.fnUntraced(function* (by: Caller) {
  const { call, organization } = yield* Harness
  return yield* call(by, "POST", `/v1/orgs/${organization}/join`)
})

const found = Effect.fnUntraced(function* (domain: string, by: Caller) {
  const { call } = yield* Harness
  const { organizations } = yield* call(by, "GET", `/v1/email-domains/${domain}/orgs`).pipe(answers(200, Organizations))
  return organizations.map(({ id }) => id)
})

onMemory(
  "E-mail domains",
  (it) => {
    it.effect("let nobody in before they are proved", () =>
      Effect.gen(function* () {
        const { call, organization } = yield* Harness
        const ada = yield* newcomer("ada@acme.example.org")
        yield* noted("Acme.example.org", "no domain")
        yield* join(ada).pipe(refused(404))
        assert.deepStrictEqual(yield* found("acme.example.org", "admin"), [])
        const domain = yield* prove("acme.example.org").pipe(answers(200, Shapes.EmailDomain))
        assert.deepInclude(domain, { domain: "Acme.example.org", proved: false })
        assert.include(domain.problem, "no TXT record _lectern.acme.example.org")
        assert.strictEqual(domain.proof.name, "_lectern.acme.example.org")
        const other = yield* prove("no%20domain").pipe(answers(200, Shapes.EmailDomain))
        assert.strictEqual(other.problem, "no domain is no name of a domain")
        // What another organization has to put there proves nothing of this one.
        records.set(domain.proof.name, ["v=spf1", domain.proof.value.slice(0, -1) + "x"])
        yield* prove("acme.example.org").pipe(answers(200, Shapes.EmailDomain))
        yield* join(ada).pipe(refused(404))
        isDown = true
        const down = yield* prove("acme.example.org").pipe(answers(200, Shapes.EmailDomain))
        assert.strictEqual(down.problem, "The name servers give no answer")
        isDown = false
        yield* prove("other.example.org").pipe(refused(404))
        yield* prove("acme.example.org", "create").pipe(refused(403))
        yield* prove("acme.example.org", "outsider").pipe(refused(404))
        yield* call("create", "GET", `/v1/orgs/${organization}/email-domains`).pipe(refused(403))
        const { items } = yield* call("admin", "GET", `/v1/orgs/${organization}/email-domains`).pipe(
          answers(200, Shapes.listOf(Shapes.EmailDomain))
        )
        assert.deepStrictEqual(
          items.map(({ domain, proved }) => [domain, proved]),
          [
            ["Acme.example.org", false],
            ["no domain", false]
          ]
        )
      })
    )

    it.effect("let in who has an address there, with the default role, until they are taken off", () =>
      Effect.gen(function* () {
        const { call, organization } = yield* Harness
        yield* noted("proved.example.org")
        const ada = yield* newcomer("Ada@Proved.example.org")
        const eve = yield* newcomer("eve@sub.proved.example.org")
        const { proof } = yield* prove("proved.example.org").pipe(answers(200, Shapes.EmailDomain))
        records.set(proof.name, ["something else", proof.value])
        const proved = yield* prove("proved.example.org").pipe(answers(200, Shapes.EmailDomain))
        assert.isTrue(proved.proved)
        assert.isUndefined(proved.problem)
        const log = yield* call("admin", "GET", `/v1/orgs/${organization}/audit-events?limit=1`).pipe(has(200))
        assert.include(log.text, '"ownDomains":{"from":')
        for (const [by, seen] of [
          [ada, true],
          ["admin", true],
          [eve, false],
          ["outsider", false]
        ] as const) {
          assert.deepStrictEqual(yield* found("PROVED.example.org", by), seen ? [organization] : [])
        }
        yield* join(eve).pipe(refused(404))
        yield* join("outsider").pipe(refused(404))
        yield* join("nobody").pipe(refused(401))
        yield* join(ada).pipe(has(204))
        yield* join(ada).pipe(has(204))
        const member = yield* call(ada, "GET", `/v1/orgs/${organization}/members/${ada.id}`).pipe(
          answers(200, Shapes.Member)
        )
        assert.strictEqual(member.role, "read")
        // A member keeps its role.
        yield* call("admin", "PATCH", `/v1/orgs/${organization}/members/${ada.id}`, { role: "edit" }).pipe(has(200))
        yield* join(ada).pipe(has(204))
        // Who left may come back so.
        yield* call(ada, "DELETE", `/v1/orgs/${organization}/members/${ada.id}`).pipe(has(204))
        yield* join(ada).pipe(has(204))
        // Whoever was removed comes back by an invitation alone.
        yield* call("admin", "DELETE", `/v1/orgs/${organization}/members/${ada.id}`).pipe(has(204))
        yield* join(ada).pipe(refused(403))
        const emails = ["ada@proved.example.org"]
        yield* call("admin", "POST", `/v1/orgs/${organization}/invites`, { emails }).pipe(has(200))
        yield* join(ada).pipe(has(204))
        // Off the list and on it again, it has to be proved anew.
        const bob = yield* newcomer("bob@proved.example.org")
        yield* noted()
        yield* noted("proved.example.org")
        yield* join(bob).pipe(refused(404))
      })
    )

    it.effect("stay proved while others come, in whichever case they are written", () =>
      Effect.gen(function* () {
        const { call, organization } = yield* Harness
        const proved = Effect.map(
          call("admin", "GET", `/v1/orgs/${organization}/email-domains`).pipe(
            answers(200, Shapes.listOf(Shapes.EmailDomain))
          ),
          ({ items }) => items.map((item) => [item.domain, item.proved])
        )
        const proveNow = Effect.fnUntraced(function* (domain: string) {
          const { proof } = yield* prove(domain).pipe(answers(200, Shapes.EmailDomain))
          records.set(proof.name, [proof.value])
          yield* prove(domain).pipe(has(200))
        })
        yield* noted("one.example.org")
        yield* proveNow("one.example.org")
        assert.deepStrictEqual(yield* proved, [["one.example.org", true]])
        yield* noted("one.example.org", "two.example.org")
        yield* proveNow("two.example.org")
        assert.deepStrictEqual(yield* proved, [
          ["one.example.org", true],
          ["two.example.org", true]
        ])
        yield* noted("One.example.org", "one.example.org", "TWO.example.org")
        assert.deepStrictEqual(yield* proved, [
          ["One.example.org", true],
          ["TWO.example.org", true]
        ])
      })
    )

    it.effect("say nothing to a session of another organization", () =>
      Effect.gen(function* () {
        const { elsewhere, organization } = yield* Harness
        yield* noted("sso.example.org")
        const { proof } = yield* prove("sso.example.org").pipe(answers(200, Shapes.EmailDomain))
        records.set(proof.name, [proof.value])
        yield* prove("sso.example.org").pipe(has(200))
        const { id, token } = yield* newcomer("mallory@sso.example.org")
        const domains = yield* EmailDomains
        const session = { type: "user", user: id, organization: elsewhere } as const
        const { organizations } = yield* domains
          .organizations("sso.example.org")
          .pipe(Effect.provideService(CurrentActor, session), Effect.orDie)
        assert.deepStrictEqual(organizations, [])
        const refusal = yield* domains
          .join(OrganizationId.make(organization))
          .pipe(Effect.provideService(CurrentActor, session), Effect.flip)
        assert.strictEqual(refusal._tag, "OrganizationNotFound")
        yield* join({ token }).pipe(has(204))
      })
    )
  },
  { domainNames }
)
