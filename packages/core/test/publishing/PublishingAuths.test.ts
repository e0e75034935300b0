import { PublishingAuths } from "@lectern/core/publishing/PublishingAuths"
import { PublishedUrls } from "@lectern/core/publishing/urls/PublishedUrls"
import { Sites } from "@lectern/core/site/Sites"
import { assert, describe } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SignJWT } from "jose"
import { emitted, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { adapters } from "../Instances.ts"
import { administratorsOnly, siteWithMembers } from "../site/SiteMembers.ts"

const sited = Effect.map(Effect.all([siteWithMembers, PublishingAuths]), ([fixture, auths]) => ({ ...fixture, auths }))

/** A token of a visitor, signed with a key. */
const signed = (key: string) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Effect.promise(() =>
      new SignJWT({})
        .setProtectedHeader({ alg: "HS256" })
        .setExpirationTime(Math.floor(now / 1000) + 3600)
        .sign(new TextEncoder().encode(key))
    )
  )

for (const [name, services] of onEach(adapters)) {
  describe(`PublishingAuths (${name})`, () => {
    const rule = ruleOn(services)

    rule("exist for every site, with a key of its own", () =>
      Effect.gen(function* () {
        const { org, site, auths } = yield* sited
        const auth = yield* auths.get(org, site)
        assert.deepInclude(auth, { object: "publishing-auth", backend: "custom" })
        const { id: other } = yield* (yield* Sites).create(org, {})
        assert.notStrictEqual((yield* auths.get(org, other)).privateKey, auth.privateKey)
      })
    )

    rule("are for administrators of the site only, even to read", () =>
      Effect.gen(function* () {
        const { org, people, site, auths } = yield* sited
        for (const operation of [
          auths.get(org, site),
          auths.update(org, site, { fallbackURL: "https://example.com/" }),
          auths.regenerate(org, site)
        ]) {
          assert.deepStrictEqual(yield* outcomes(people, operation), administratorsOnly)
        }
      })
    )

    rule("change URLs; null removes one", () =>
      Effect.gen(function* () {
        const { org, site, auths } = yield* sited
        const [fallbackURL, logoutURL] = ["https://example.com/in", "https://example.com/out"]
        assert.deepInclude(yield* auths.update(org, site, { fallbackURL, logoutURL }), { fallbackURL, logoutURL })
        const changed = yield* auths.update(org, site, { fallbackURL: null })
        assert.notProperty(changed, "fallbackURL")
        assert.strictEqual(changed.logoutURL, logoutURL)
      })
    )

    rule("reject invalid URLs, and the backend `integration` without an integration", () =>
      Effect.gen(function* () {
        const { org, site, auths } = yield* sited
        const before = yield* auths.get(org, site)
        for (const url of ["javascript:alert(1)", "example.com", `https://example.com/${"x".repeat(2048)}`]) {
          assert.strictEqual(yield* outcome(auths.update(org, site, { fallbackURL: url })), "InvalidInput")
          assert.strictEqual(yield* outcome(auths.update(org, site, { logoutURL: url })), "InvalidInput")
        }
        const integration = auths.update(org, site, { backend: "integration" })
        assert.strictEqual(yield* outcome(integration), "NoVisitorIntegration")
        assert.deepStrictEqual(yield* auths.get(org, site), before)
      })
    )

    rule("admit visitors by a token of the current key only", () =>
      Effect.gen(function* () {
        const { org, site, auths } = yield* sited
        const sites = yield* Sites
        yield* sites.update(org, site, { visibility: "visitor-auth" })
        const { urls } = yield* sites.publish(org, site)
        const { privateKey: old } = yield* auths.get(org, site)
        const visits = (jwtToken: string) =>
          Effect.flatMap(PublishedUrls, (published) =>
            outcome(published.resolve({ url: urls.published!, visitor: { jwtToken }, redirectOnError: false }))
          )
        const token = yield* signed(old)
        assert.strictEqual(yield* visits(token), "ok")
        const { privateKey: key } = yield* auths.regenerate(org, site)
        assert.notStrictEqual(key, old)
        assert.strictEqual(yield* visits(token), "PublishedUrlNotFound")
        assert.strictEqual(yield* visits(yield* signed(key)), "ok")
      })
    )

    rule("emit one event for each change, and none without a change", () =>
      Effect.gen(function* () {
        const { org, site, auths } = yield* sited
        const update = auths.update(org, site, { logoutURL: "https://example.com/out" })
        assert.deepStrictEqual(yield* emitted(update), ["site_updated"])
        assert.deepStrictEqual(yield* emitted(update), [])
        assert.deepStrictEqual(yield* emitted(auths.regenerate(org, site)), ["site_updated"])
      })
    )
  })
}
