/** Pages that are kept: nobody can tell one from a page that is drawn anew, whatever was written in between. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { runs } from "../../core/test/Runs.ts"
import { makeSite } from "../../http/test/AudienceSites.ts"
import { onMemory } from "../../http/test/Harness.ts"
import { goodToken, ofSite, patchSection, patchSite, siteSpacesOf } from "../../http/test/SiteSteps.ts"
import { publish } from "../../http/test/Steps.ts"
import * as RenderCache from "../src/server/RenderCache.ts"
import { serving } from "./Serving.ts"

onMemory("Kept pages", (it) => {
  it.effect("are given again as they went out, and drawn anew once something changed", () =>
    Effect.gen(function* () {
      const site = yield* makeSite("public")
      const { ask, isKept } = yield* serving(2 ** 24, 2 ** 24)
      const url = `${site.base}setup`
      const first = yield* ask(url, {})
      assert.strictEqual(first.status, 200)
      // The reader's token is verified once, which asks for the time.
      yield* ask(url, {})
      assert.isTrue(isKept(url, {}))
      assert.deepStrictEqual(yield* ask(url, {}), first)
      const known = { "if-none-match": first.headers["etag"]! }
      for (let i = 0; i < 2; i++) assert.strictEqual((yield* ask(url, known)).status, 304)
      yield* publish(site.space, [{ operation: "update_page", page: site.page, title: "Set it up" }])
      assert.isFalse(isKept(url, {}))
      const changed = yield* ask(url, known)
      assert.strictEqual(changed.status, 200)
      assert.include(changed.text, "<h1>Set it up</h1>")
      yield* ofSite(site.id, "POST", "/unpublish")
      assert.strictEqual((yield* ask(url, known)).status, 404)
    })
  )

  it.effect("are for those alone who show the same cookies, however they are written", () =>
    Effect.gen(function* () {
      const site = yield* makeSite("public")
      const [, reference] = yield* siteSpacesOf(site.id)
      yield* patchSection(site.id, reference!.section!, { condition: 'visitor.claims.unsigned.plan == "pro"' })
      const { ask } = yield* serving(2 ** 24, 2 ** 24)
      const claims = Buffer.from(JSON.stringify({ plan: "pro" })).toString("base64url")
      for (const [i, cookie] of [
        `lectern-claims=${claims}`,
        `lectern-claims =${claims}`,
        `a=b;\tlectern-claims\t= "${claims}"`
      ].entries()) {
        const url = `${site.base}setup?${i}`
        for (let n = 0; n < 3; n++) assert.include((yield* ask(url, { cookie })).text, "Reference", cookie)
        for (let n = 0; n < 3; n++) assert.notInclude((yield* ask(url, {})).text, "Reference", cookie)
      }
    })
  )

  it.effect("are no other than pages that are not kept, for every reader, between any writes", () =>
    Effect.gen(function* () {
      const site = yield* makeSite("visitor-auth")
      const [first, second] = yield* siteSpacesOf(site.id)
      const kept = yield* serving(2 ** 24, 2 ** 24)
      const context = yield* Effect.context<any>()
      const cookies: Record<string, string> = { nobody: "", bad: "lectern-visitor=x" }
      for (const plan of ["free", "pro"]) cookies[plan] = `lectern-visitor=${yield* goodToken(site.id, { plan })}`
      const paths = ["", "setup", "reference/calls", "guide/setup", "nothing", "setup/", "setup?visitor.plan=pro"]
      const writes: ReadonlyArray<(n: number) => Effect.Effect<unknown, unknown, any>> = [
        (n) => publish(site.space, [{ operation: "update_page", page: site.page, title: `Setup ${n}` }]),
        (n) => patchSection(site.id, second!.section!, { condition: n % 2 ? 'visitor.claims.plan == "pro"' : null }),
        (n) => patchSection(site.id, first!.section!, { title: `Guide ${n}` }),
        (n) => patchSite(site.id, { title: `Site ${n}`, visibility: n % 3 ? "visitor-auth" : "public" }),
        (n) => ofSite(site.id, "POST", n % 4 ? "/publish" : "/unpublish"),
        (n) =>
          ofSite(site.id, "PUT", "/customization", {
            title: `Named ${n}`,
            themes: { default: n % 2 ? "dark" : "light", toggeable: true }
          })
      ]
      const step = fc.oneof(
        {
          weight: 4,
          arbitrary: fc.record({ who: fc.constantFrom(...Object.keys(cookies)), path: fc.constantFrom(...paths) })
        },
        { weight: 1, arbitrary: fc.record({ write: fc.nat(writes.length - 1), n: fc.nat(20) }) }
      )
      const property = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), (steps) =>
        Effect.gen(function* () {
          const fresh = yield* serving(0, 0)
          for (const one of steps) {
            if ("write" in one) {
              yield* writes[one.write]!(one.n)
              continue
            }
            const headers: Record<string, string> = cookies[one.who] === "" ? {} : { cookie: cookies[one.who]! }
            const url = site.base + one.path
            const wanted = yield* fresh.ask(url, headers)
            for (let i = 0; i < 2; i++) assert.deepStrictEqual(yield* kept.ask(url, headers), wanted, url)
          }
        }).pipe(Effect.provide(context), Effect.scoped, Effect.runPromise)
      )
      yield* Effect.promise(() => fc.assert(property, runs(15)))
    })
  )

  it.effect("are within their bytes, and never kept where something was missing", () =>
    Effect.sync(() => {
      const pages = RenderCache.make(20_000)
      let drawn = 0
      const of = (name: string, inputs: ReadonlyArray<unknown>, isComplete = true) =>
        Effect.runSync(
          pages.get(
            name,
            inputs,
            Effect.sync(() => {
              drawn++
              return { body: null as never, length: 4_000, etag: "", headers: {}, isComplete }
            })
          )
        )
      const input = {}
      of("a", [input])
      of("a", [input])
      assert.strictEqual(drawn, 1)
      of("a", [{}])
      of("a", [input, input])
      assert.strictEqual(drawn, 3)
      for (const name of ["b", "c", "d"]) of(name, [input])
      of("a", [input, input])
      assert.strictEqual(drawn, 7)
      of("e", [], false)
      of("e", [], false)
      assert.strictEqual(drawn, 9)
    })
  )
})
