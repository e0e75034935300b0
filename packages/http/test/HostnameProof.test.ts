/** Hostnames and proxies belong to whoever proves them, and to nobody before that. */
import { JobWorker } from "@lectern/core/job/JobWorker"
import { FetchFailed, GuardedFetch } from "@lectern/core/fetch/GuardedFetch"
import { DomainNames, LookupFailed } from "@lectern/core/site/DomainNames"
import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { answers, Harness, has, onMemory, refused } from "./Harness.ts"
import * as Shapes from "./Shapes.ts"
import { createSite, ofSite, publishSite } from "./SiteSteps.ts"
import { createSpace } from "./Steps.ts"

/** The world outside, as a test sets it up; each test has names of its own. */
const records = new Map<string, ReadonlyArray<string>>()
const hosts = new Map<string, ReadonlyArray<string>>()
const pages = new Map<string, { readonly body: string; readonly url?: string }>()
let lookups = 0
let isDown = false

const domainNames = Layer.succeed(
  DomainNames,
  DomainNames.of({
    texts: (name) =>
      Effect.suspend(() => {
        lookups++
        return isDown
          ? Effect.fail(new LookupFailed({ message: "The name servers give no answer" }))
          : Effect.succeed(records.get(name) ?? [])
      }),
    addresses: (host) => Effect.sync(() => hosts.get(host) ?? []),
    ownAddresses: Effect.succeed(["192.0.2.1", "2001:db8::1"])
  })
)

const fetch = Layer.effect(
  GuardedFetch,
  Effect.map(GuardedFetch, (guarded) =>
    GuardedFetch.of({
      ...guarded,
      fetch: (url) => {
        const page = pages.get(url)
        return page === undefined
          ? Effect.fail(new FetchFailed({ reason: "status", message: "Nothing is there" }))
          : Effect.succeed({ bytes: new TextEncoder().encode(page.body), url: page.url ?? url })
      }
    })
  )
).pipe(Layer.provide(GuardedFetch.layer))

const wanted = Effect.fnUntraced(function* (site: string, patch: Record<string, unknown>) {
  const shown = yield* ofSite(site, "PATCH", "", patch).pipe(answers(200, Shapes.Site))
  return { shown, proof: shown.pendingAddresses?.at(0)?.proof }
})

/** Hostname that the other organization wants, as its own administrator. */
const wantedElsewhere = Effect.fnUntraced(function* (patch: Record<string, unknown>) {
  const { call, elsewhere } = yield* Harness
  const made = yield* call("outsider", "POST", `/v1/orgs/${elsewhere}/sites`, { title: "Theirs" }).pipe(
    answers(201, Shapes.Site)
  )
  const at = `/v1/orgs/${elsewhere}/sites/${made.id}`
  const shown = yield* call("outsider", "PATCH", at, patch).pipe(answers(200, Shapes.Site))
  const read = call("outsider", "GET", at).pipe(answers(200, Shapes.Site))
  return { shown, read, proof: shown.pendingAddresses![0]!.proof }
})

const newSite = Effect.gen(function* () {
  const { id } = yield* createSite([(yield* createSpace({ title: "Docs" })).id])
  yield* publishSite(id)
  return id
})

const siteOf = (site: string) => ofSite(site, "GET", "").pipe(answers(200, Shapes.Site))
const prove = Effect.fnUntraced(function* (hostname: string, person: "admin" | "outsider" = "admin") {
  const { call } = yield* Harness
  return yield* call(person, "PATCH", `/v1/custom-hostnames/${hostname}`)
})
const runDue = Effect.flatMap(JobWorker, (worker) => worker.runDue)

onMemory(
  "Proof of hostnames",
  (it) => {
    it.effect("is a TXT record, and until then nothing is reserved", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const hostname = "record.acme.example.com"
        const path = `/v1/custom-hostnames/${hostname}`
        const site = yield* newSite
        const { shown, proof } = yield* wanted(site, { hostname })
        const theirs = yield* wantedElsewhere({ hostname })
        assert.isUndefined(shown.hostname)
        assert.strictEqual(proof!.dns.name, `_lectern.${hostname}`)
        assert.match(proof!.dns.value, /^lectern-verification=[\w-]{43}$/)
        assert.notStrictEqual(proof!.dns.value, theirs.proof.dns.value)
        yield* runDue
        assert.match((yield* siteOf(site)).pendingAddresses![0]!.problem!, /no TXT record _lectern\.record\.acme/)

        const pending = yield* call("admin", "GET", path).pipe(answers(200, Shapes.CustomHostname))
        assert.deepInclude(pending, { hostname, isActive: false, target: { type: "site", site } })
        assert.deepStrictEqual(pending.pending!.proof, proof)
        // Who reads the site learns nothing of what it wants.
        yield* call("read", "GET", path).pipe(refused(404))
        yield* call("read", "PATCH", path).pipe(refused(404))
        assert.isUndefined(
          (yield* call("read", "GET", new URL(shown.urls.location).pathname).pipe(answers(200, Shapes.Site)))
            .pendingAddresses
        )

        // The other one's proof proves nothing for us.
        records.set(`_lectern.${hostname}`, ["v=spf1", theirs.proof.dns.value])
        yield* prove(hostname).pipe(has(204))
        assert.isUndefined((yield* siteOf(site)).hostname)
        yield* prove(hostname, "outsider").pipe(has(204))
        assert.strictEqual((yield* theirs.read).hostname, hostname)
        assert.isUndefined((yield* theirs.read).pendingAddresses)
        const proved = yield* call("outsider", "GET", path).pipe(answers(200, Shapes.CustomHostname))
        assert.deepInclude(proved, { hostname, status: "dns_passed" })
        yield* prove(hostname, "outsider").pipe(refused(409))

        // Now it is taken, whoever else has a record.
        records.set(`_lectern.${hostname}`, [theirs.proof.dns.value, proof!.dns.value])
        yield* prove(hostname).pipe(has(204))
        assert.match((yield* siteOf(site)).pendingAddresses![0]!.problem!, /Another site has the hostname/)
        yield* ofSite(yield* newSite, "PATCH", "", { hostname }).pipe(refused(409))
        yield* call("admin", "DELETE", path).pipe(has(204))
        assert.isUndefined((yield* siteOf(site)).pendingAddresses)
        assert.strictEqual((yield* theirs.read).hostname, hostname)
      })
    )

    it.effect("is an answer of the host itself, and not one of ours", () =>
      Effect.gen(function* () {
        const hostname = "answer.acme.example.com"
        const site = yield* newSite
        const { proof } = yield* wanted(site, { hostname })
        const { url, body } = proof!.http
        assert.strictEqual(url, `http://${hostname}/.well-known/lectern-verification`)
        const fails = Effect.fnUntraced(function* (about: RegExp) {
          yield* prove(hostname).pipe(has(204))
          assert.match((yield* siteOf(site)).pendingAddresses![0]!.problem!, about)
        })
        pages.set(url, { body: `${body}\n` })
        yield* fails(/leads to this server or nowhere/)
        for (const own of ["192.0.2.1", "2001:0db8:0::1", "::ffff:192.0.2.1", "127.0.0.1"]) {
          hosts.set(hostname, ["198.51.100.7", own])
          yield* fails(/leads to this server/)
        }
        hosts.set(hostname, ["198.51.100.7"])
        pages.set(url, { body, url: `http://other.example.com/.well-known/lectern-verification` })
        yield* fails(/does not answer it/)
        pages.set(url, { body: `${body} and more` })
        yield* fails(/does not answer it/)
        pages.delete(url)
        pages.set(url.replace("http:", "https:"), { body: `${body}\n` })
        yield* prove(hostname).pipe(has(204))
        assert.strictEqual((yield* siteOf(site)).hostname, hostname)
      })
    )

    it.effect("is looked for again after growing pauses, for 30 days", () =>
      Effect.gen(function* () {
        const hostname = "later.acme.example.com"
        const site = yield* newSite
        const { proof } = yield* wanted(site, { hostname })
        yield* wanted(site, { hostname })
        const checksWithin = Effect.fnUntraced(function* (minutes: number) {
          lookups = 0
          for (let minute = 0; minute < minutes; minute++) {
            yield* TestClock.adjust("1 minute")
            yield* runDue
          }
          return lookups
        })
        lookups = 0
        yield* runDue
        assert.strictEqual(lookups, 1)
        // After 1, 3, 7, 15, 31 and 63 minutes.
        assert.strictEqual(yield* checksWithin(70), 6)
        isDown = true
        assert.strictEqual(yield* checksWithin(60), 1)
        isDown = false
        assert.match((yield* siteOf(site)).pendingAddresses![0]!.problem!, /give no answer/)
        yield* TestClock.adjust("3 days")
        records.set(`_lectern.${hostname}`, [proof!.dns.value])
        yield* runDue
        assert.strictEqual((yield* siteOf(site)).hostname, hostname)
        assert.strictEqual(yield* checksWithin(5), 0)

        const other = "never.acme.example.com"
        yield* wanted(site, { hostname: other })
        // What it had it keeps until then.
        assert.strictEqual((yield* siteOf(site)).hostname, hostname)
        for (let day = 0; day < 40; day++) {
          yield* runDue
          yield* TestClock.adjust("1 day")
        }
        lookups = 0
        yield* TestClock.adjust("10 days")
        yield* runDue
        assert.strictEqual(lookups, 0)
        yield* prove(other).pipe(has(204))
        assert.strictEqual(lookups, 1)
        yield* wanted(site, { hostname: null })
        assert.isUndefined((yield* siteOf(site)).pendingAddresses)
        assert.isUndefined((yield* siteOf(site)).hostname)
      })
    )

    it.effect("is wanted for proxies too, by the host that they are on", () =>
      Effect.gen(function* () {
        const site = yield* newSite
        const { shown, proof } = yield* wanted(site, { proxy: "Proxy.example.com/docs" })
        assert.isUndefined(shown.proxy)
        assert.strictEqual(proof!.dns.name, "_lectern.proxy.example.com")
        yield* wantedElsewhere({ proxy: "proxy.example.com/docs" })
        records.set("_lectern.proxy.example.com", [proof!.dns.value])
        yield* runDue
        assert.strictEqual((yield* siteOf(site)).proxy!.origin, "Proxy.example.com/docs")
        // The host is proved, so another place on it is there with the first look.
        const second = yield* newSite
        yield* wanted(second, { proxy: "proxy.example.com/other", title: "Other" })
        yield* runDue
        assert.strictEqual((yield* siteOf(second)).proxy!.origin, "proxy.example.com/other")
      })
    )
  },
  { domainNames, fetch, addressProof: "always" }
)
