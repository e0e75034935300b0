import { liveRedirects, redirectOf } from "@lectern/core/redirect/RedirectMatch"
import type { RedirectRow } from "@lectern/core/redirect/Redirect"
import { assert, describe, it } from "@effect/vitest"

const row = { site: "s", id: "r", draft: false, permanent: false, captureWildcard: true, createdAt: "" }

/** The rest of a path that this source leads on with. */
const restOf = (source: string, path: string) =>
  redirectOf(liveRedirects([{ ...row, source, destination: { kind: "external", url: "" } } as RedirectRow]), path)?.rest

describe("Redirects with a wildcard", () => {
  it.each([
    ["/old/*", "/OLD/Page/1", "Page/1"],
    ["/old/*", "/old", ""],
    ["/old*", "/older/page", "er/page"],
    ["/%C3%9Cber/*", "/über/Uns", "Uns"],
    // In lower case this letter is two characters.
    ["/%C4%B0zmir/*", "/%C4%B0zmir/Page", "Page"],
    ["/%C4%B0zmir/*", "/İzmir/İstanbul", "İstanbul"]
  ])("%s leads on from %s with %s", (source, path, rest) => {
    assert.strictEqual(restOf(source, path), rest)
  })
})
