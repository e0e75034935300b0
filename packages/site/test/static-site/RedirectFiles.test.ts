import { assert, describe, it } from "@effect/vitest"
import * as RedirectFiles from "../../src/static-site/RedirectFiles.ts"

const redirects = [
  { from: "/docs/a%20b", to: "/docs/new/" },
  { from: "/docs/x*:y%22$", to: "https://acme.com/?a=$b" }
]

describe("RedirectFiles", () => {
  it("redirects on a page, with and without scripts", () => {
    const page = RedirectFiles.renderPage('/a/"</script>&', "https://acme.com/a/")
    assert.include(page, 'content="0; url=/a/&quot;&lt;/script&gt;&amp;"')
    assert.include(page, 'location.replace("/a/\\"\\u003c/script>&"+location.search+location.hash)')
    assert.include(page, '<link rel="canonical" href="https://acme.com/a/">')
    assert.notInclude(RedirectFiles.renderPage("/a/#b", undefined), "canonical")
    assert.include(RedirectFiles.renderPage("/a/#b", undefined), '+location.search+""')
  })

  it("escapes placeholders of lists for servers", () => {
    assert.strictEqual(
      RedirectFiles.renderList(redirects),
      "/docs/a%20b /docs/new/ 301\n/docs/x%2A%3Ay%22$ https://acme.com/?a=$b 301\n"
    )
    assert.strictEqual(
      RedirectFiles.renderNginxMap(redirects),
      [
        '"/docs/a b" "/docs/new/";',
        '"/docs/a b/" "/docs/new/";',
        '"/docs/x*:y\\"$" "https://acme.com/?a=%24b";',
        '"/docs/x*:y\\"$/" "https://acme.com/?a=%24b";',
        ""
      ].join("\n")
    )
  })
})
