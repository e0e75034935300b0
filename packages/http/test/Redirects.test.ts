/** Tests targets of a site's redirects, and refused redirects. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { has, onMemory } from "./Harness.ts"
import { ask, isNoPage, json, leadsOn, ofSite, patchSite, publishedSite, spaceOf } from "./SiteSteps.ts"

const elsewhere = (url: string) => ({ kind: "external", url })

const siteWith = Effect.fnUntraced(function* (pages: ReadonlyArray<string>) {
  const space = yield* spaceOf("Docs", pages)
  const site = yield* publishedSite([space.id])
  return { id: site.id, base: site.urls.published ?? "" }
})

const redirect = (site: string, source: string, url: string, more: Record<string, unknown> = {}) =>
  ofSite(site, "POST", "/redirects", { source, destination: elsewhere(url), ...more })

onMemory("Redirects", (it) => {
  it.effect("take along the query that is no secret of the visitor", () =>
    Effect.gen(function* () {
      const { id, base } = yield* siteWith(["Start"])
      yield* redirect(id, "/away", "https://example.com/to").pipe(json(201))
      yield* redirect(id, "/set", "https://example.com/to?utm=own#part").pipe(json(201))
      yield* redirect(id, "/all/*", "https://example.com/to", { captureWildcard: true }).pipe(json(201))
      for (const [asked, to] of [
        ["away", "https://example.com/to"],
        ["away?q=a%20b&tag&x=%C3%BC", "https://example.com/to?q=a%20b&tag&x=%C3%BC"],
        ["away?jwt_token=abc&q=1", "https://example.com/to?q=1"],
        ["away?q=1&token=abc&visitor.beta=true&%6Awt_token=abc", "https://example.com/to?q=1"],
        ["away?&&", "https://example.com/to"],
        ["set?q=1&utm=other", "https://example.com/to?utm=own&q=1#part"],
        ["all/a/b?q=1", "https://example.com/to/a/b?q=1"]
      ] as const) {
        const { redirect, target } = yield* leadsOn(base + asked)
        assert.deepStrictEqual([target, redirect], ["external", to], asked)
      }
    })
  )

  it.effect("are refused onto themselves, and where they close a ring", () =>
    Effect.gen(function* () {
      const { id, base } = yield* siteWith(["Start"])
      const insecure = base.replace(/^http:/, "https:")
      for (const to of ["self", "SELF", "self?x=1", "self/", "s%65lf"]) {
        assert.include((yield* redirect(id, "/self", base + to).pipe(has(400))).text, "from /self to itself", to)
      }
      yield* redirect(id, "/self", `${insecure}self`).pipe(has(400))
      const first = yield* redirect(id, "/a", `${base}b`).pipe(json(201))
      yield* redirect(id, "/b", `${base}c`).pipe(json(201))
      const ring = yield* redirect(id, "/c", `${base}a`).pipe(has(400))
      assert.include(ring.text, "The redirect closes a ring: /c to /a to /b to /c")
      yield* redirect(id, "/c", `${base}a`, { draft: true }).pipe(json(201))
      const many = (redirects: ReadonlyArray<unknown>) =>
        ofSite(id, "PUT", "/redirects", { redirects }).pipe(
          json(200),
          Effect.map(({ results }) => results.map(({ status }: { status: string }) => status))
        )
      assert.deepStrictEqual(yield* many([{ source: "/c", intent: "publish" }]), ["error"])
      assert.deepStrictEqual(
        yield* many([
          { source: "/x", destination: elsewhere(`${base}y`) },
          { source: "/y", destination: elsewhere(`${base}x`) },
          { source: "/x", destination: null },
          { source: "/y", destination: elsewhere(`${base}x`) }
        ]),
        ["created", "error", "deleted", "created"]
      )
      yield* ofSite(id, "PATCH", `/redirects/${first.id}`, { destination: elsewhere(`${base}a`) }).pipe(has(400))
      yield* ofSite(id, "PATCH", `/redirects/${first.id}`, { source: "/c2" }).pipe(json(200))
      yield* redirect(id, "/c", `${base}a`).pipe(json(201))
    })
  )

  it.effect("with a `*` lead to pages below their own source, and nowhere in a ring", () =>
    Effect.gen(function* () {
      const { id, base } = yield* siteWith(["Start", "Docs"])
      yield* redirect(id, "/docs*", `${base}docs`).pipe(json(201))
      assert.strictEqual((yield* leadsOn(`${base}docs-old`)).redirect, `${base}docs`)
      yield* redirect(id, "/v/*", `${base}v/new`).pipe(json(201))
      yield* isNoPage(`${base}v/new`)
      yield* redirect(id, "/deep/*", `${base}deep/er`, { captureWildcard: true }).pipe(json(201))
      yield* isNoPage(`${base}deep/x`)
      // Sites can change their addresses, so a redirect loop may form later.
      yield* redirect(id, "/one", "http://127.0.0.1:4000/sites/renamed/two").pipe(json(201))
      yield* redirect(id, "/two", "http://127.0.0.1:4000/sites/renamed/one").pipe(json(201))
      yield* patchSite(id, { basename: "renamed" })
      yield* isNoPage("http://127.0.0.1:4000/sites/renamed/one")
    })
  )

  it.effect("are taken from paths as people read them, and as URLs hold them", () =>
    Effect.gen(function* () {
      const { id, base } = yield* siteWith(["Start"])
      for (const [source, stored] of [
        ["/über-uns", "/%C3%BCber-uns"],
        ["/日本語/ガイド", "/%E6%97%A5%E6%9C%AC%E8%AA%9E/%E3%82%AC%E3%82%A4%E3%83%89"],
        ["/a(b)'c/*", "/a%28b%29%27c/*"],
        ["/%D8%B3", "/%D8%B3"]
      ] as const) {
        const made = yield* redirect(id, source, "https://example.com/").pipe(json(201))
        assert.strictEqual(made.source, stored)
        yield* redirect(id, stored, "https://example.com/").pipe(has(409))
        yield* leadsOn(base + source.slice(1).replace("*", "x"))
        yield* leadsOn(base + stored.slice(1).replace("*", "x"))
      }
      for (const source of [
        "/a b",
        "/a?b",
        "/a#b",
        "/a\\b",
        "/a\nb",
        "/a//b",
        "a",
        "/%zz",
        "/100%",
        `/${"ü".repeat(200)}`
      ]) {
        yield* redirect(id, source, "https://example.com/").pipe(has(400))
      }
      assert.strictEqual((yield* ask(`${base}%zz`)).status < 500, true)
    })
  )
})
