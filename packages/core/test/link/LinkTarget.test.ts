import { assert, describe, it } from "@effect/vitest"
import * as DocumentLinks from "@lectern/document/DocumentLinks"
import * as AppUrl from "@lectern/core/link/AppUrl"
import { toAbsolute, resolveMeaning } from "@lectern/core/link/LinkTarget"
import * as fc from "fast-check"
import { runs } from "../Runs.ts"

const addresses = { publicUrl: "https://docs.example/lectern", sites: "https://docs.example/lectern/sites" }
const app = `${addresses.publicUrl}/v1`

const states: ReadonlyArray<readonly [url: string, state: string]> = [
  ["https://example.com/", "ok"],
  ["HTTP://EXAMPLE.COM", "ok"],
  ["http://", "broken"],
  ["https://exa mple.com/", "broken"],
  ["//example.com/x", "ok"],
  ["//", "broken"],
  ["mailto:someone@example.com", "ok"],
  ["vscode://file/x", "ok"],
  ["javascript:alert(1)", "broken"],
  ["JavaScript:alert(1)", "broken"],
  ["./gone.md", "broken"],
  ["/gone", "broken"],
  ["?q=1", "broken"],
  ["", "broken"],
  [addresses.publicUrl, "in-app"],
  [`${addresses.publicUrl}#x`, "in-app"],
  [`${app}/orgs/x`, "in-app"],
  [`${addresses.publicUrl}-other/x`, "ok"],
  [`${addresses.sites}/handbook/start`, "ok"],
  ["https://docs.example/", "ok"]
]

const named: ReadonlyArray<readonly [url: string, ref: object | undefined]> = [
  [`${app}/spaces/s`, { kind: "space", space: "s" }],
  [`${app}/spaces/s/content/page/p`, { kind: "page", page: "p", space: "s" }],
  [`${app}/spaces/s/content/page/p#a`, { kind: "anchor", anchor: "a", page: "p", space: "s" }],
  [`${app}/spaces/s/content/files/f`, { kind: "file", file: "f", space: "s" }],
  [`${app}/collections/c`, { kind: "collection", collection: "c" }],
  [`${app}/users/u`, { kind: "user", user: "u" }],
  [`${app}/users/u/content/page/p`, undefined],
  [`${app}/spaces/s#a`, undefined],
  [`${app}/spaces/s/content/page/p?x=1`, undefined],
  [`${app}/orgs/o`, undefined],
  ["https://other.example/v1/spaces/s", undefined],
  [`${addresses.sites}/v1/spaces/s`, undefined]
]

const wheres: ReadonlyArray<readonly [url: string, from: string, is: string]> = [
  ["#a", "p", "/pages/p#a"],
  ["#", "p", "/pages/p"],
  ["#a", "reusable-content/r", "/reusable-contents/r#a"],
  ["/spaces/own/pages/p", "x", "/pages/p"],
  ["/spaces/other/pages/p", "x", "/spaces/other/pages/p"],
  ["/spaces/own", "x", "/spaces/own"],
  ["./x.md", "p", "./x.md"]
]

describe("LinkTarget", () => {
  it.each(states)("the URL %s is %s", (url, state) => {
    assert.strictEqual((resolveMeaning(url, addresses) as { readonly state?: string }).state, state)
  })

  it.each(named)("the app's URL %s names %j", (url, ref) => {
    assert.deepStrictEqual(AppUrl.refOf(addresses, url) as object | undefined, ref)
  })

  it.each(wheres)("%s on %s is %s", (url, from, is) => {
    assert.strictEqual(toAbsolute(url, "own", from), is)
  })

  it("links are packed into a text and back, or not at all", () => {
    const text = fc.oneof(fc.string(), fc.constantFrom("", "a\tb", "a\nb", "\t", "\n"))
    const link = fc.tuple(fc.string({ minLength: 1 }), text).map(([url, node]) => [url, node] as const)
    const showing = fc.tuple(link, fc.constantFrom(1, 2, 3)).map(([[url, node], marks]) => [url, node, marks] as const)
    const links = fc.record({
      anchors: fc.array(fc.string({ minLength: 1 })),
      variables: fc.array(fc.string({ minLength: 1 })),
      links: fc.array(fc.oneof(link, showing))
    })
    fc.assert(
      fc.property(links, (all) => {
        const packed = DocumentLinks.serializeLinks(all)
        if (packed !== undefined) assert.deepStrictEqual(DocumentLinks.parseLinks(packed), all)
        else assert.match(JSON.stringify(all), /\\[nt]/)
      }),
      runs(500)
    )
  })
})
