/**
 * Docs sites on a running server over a real file: every page of the manual is found by its URL,
 * another process's change counts at once, and what was acknowledged survives a kill.
 */
import { assert } from "@effect/vitest"
import { afterEach, describe, it } from "vitest"
import { begunServer, cleanUp, serve, visitorToken } from "./LecternProcess.ts"
import { env, findsEveryPage, ok, Site, sitesUrl } from "./PublishedSites.ts"

describe("docs sites", () => {
  afterEach(cleanUp)

  it("lead every page's canonical URL to that page", () => findsEveryPage())

  it("follow what another process changes, from the next request on", async () => {
    const server = await begunServer({ env })
    const { data } = server.ready
    const other = await serve(data, { env, token: server.token })
    const { organization, space } = server.ready
    const site = await Site.make(server, organization.id, { title: "Shared", spaces: [space.id] })
    const elsewhere = site.on(other)
    const base = `${sitesUrl}/shared/`
    assert.isUndefined(await site.at(base))

    await elsewhere.call("POST", "/publish")
    const published = await site.at(`${base}concepts/pages`)
    const read = () =>
      server.call("GET", `/v1/spaces/${space.id}/content/page/${published.page}`, undefined, published.apiToken)
    assert.strictEqual((await read()).status, 200)

    await elsewhere.call("POST", "/unpublish")
    assert.isUndefined(await site.at(`${base}concepts/pages`))
    assert.strictEqual((await read()).status, 404)

    await elsewhere.call("POST", "/publish")
    await elsewhere.call("PATCH", "", { visibility: "share-link" })
    assert.isUndefined(await site.at(base))
    const link = await elsewhere.call("POST", "/share-links", { name: "For a friend" })
    const shared = await site.at(link.urls.published)
    assert.strictEqual(shared.space, space.id)
    await elsewhere.call("PATCH", `/share-links/${link.id}`, { active: false })
    assert.isUndefined(await site.at(link.urls.published))

    await elsewhere.call("PATCH", "", { visibility: "public", basename: "renamed" })
    assert.deepStrictEqual(await site.at(`${base}concepts/pages`), {
      target: "content",
      redirect: `${sitesUrl}/renamed/concepts/pages`
    })
    await ok(other, "DELETE", `/v1/spaces/${space.id}`)
    assert.isUndefined(await site.at(`${sitesUrl}/renamed/concepts/pages`))
    assert.deepStrictEqual((await site.call("GET", "/site-spaces")).items, [])
  })

  it("let in who signs on again, whatever they had before", async () => {
    const server = await begunServer({ env })
    const { organization, space } = server.ready
    const input = { title: "Signed", visibility: "visitor-auth", spaces: [space.id] }
    const site = await Site.make(server, organization.id, input)
    await site.call("POST", "/publish")
    const fallbackURL = "https://app.example.com/sign-on"
    const { privateKey } = await site.call("PATCH", "/publishing/auth", { fallbackURL })
    const url = `${sitesUrl}/signed/concepts?theme=dark`
    const redirect = `${fallbackURL}?location=${encodeURIComponent("/signed/concepts?theme=dark")}`
    const signOn = { target: "external", site: site.id, redirect }

    const { session } = await site.at(`${url}&jwt_token=${visitorToken(privateKey)}`)
    assert.strictEqual((await site.at(url, session.value)).pathname, "/concepts")
    const renewed = (await site.call("POST", "/publishing/auth/regenerate")).privateKey
    assert.deepStrictEqual(await site.at(url, session.value), signOn)
    assert.deepStrictEqual(await site.at(`${url}&jwt_token=${visitorToken(privateKey)}`), signOn)
    assert.strictEqual(
      (await site.at(`${url}&jwt_token=${visitorToken(renewed)}`, session.value)).pathname,
      "/concepts"
    )
    const again = (await site.at(`${url}&jwt_token=${visitorToken(renewed)}`)).session.value
    assert.strictEqual((await site.at(`${url}&jwt_token=${visitorToken(privateKey)}`, again)).pathname, "/concepts")
  })

  it("keep a structure that was acknowledged when the server is killed", async () => {
    let server = await begunServer({ env })
    const { data } = server.ready
    const { token } = server
    const { organization, space } = server.ready
    let site = await Site.make(server, organization.id, { title: "Killed" })
    await site.call("POST", "/publish")

    for (let round = 1; round <= 4; round++) {
      const section = await site.call("POST", "/sections", { spaceId: space.id, title: `Round ${round}` })
      server.child.kill("SIGKILL")
      await server.finished

      server = await serve(data, { env, token })
      site = site.on(server)
      const { items } = await site.call("GET", "/sections")
      assert.deepStrictEqual(
        items.map(({ path }: any) => path),
        Array.from({ length: round }, (_, i) => `round-${i + 1}`)
      )
      assert.strictEqual((await site.at(`${sitesUrl}/killed/round-${round}/`)).siteSection, section.id)
    }
    assert.strictEqual((await server.signal("SIGTERM")).code, 0)
  })
})
