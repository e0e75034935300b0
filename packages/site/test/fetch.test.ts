import { assert, it } from "@effect/vitest"
import * as MemoryLectern from "@lectern/adapter-memory/MemoryLectern"
import { LecternClosed } from "@lectern/core/EmbeddedLectern"
import { siteHandler } from "@lectern/site/fetch"

const published = async () => {
  const lectern = await MemoryLectern.open({ rerunBodies: true, sitesUrl: "https://*.docs.example.com" })
  const { id: organization } = await lectern.organizations.create({ title: "Acme" })
  const space = await lectern.spaces.create(organization, { title: "Guide" })
  await lectern.content.live.write(space.id, [
    { operation: "insert_page", title: "Install", document: { markdown: "# Install\n\nPlug it in." } }
  ])
  const site = await lectern.sites.create(organization, { title: "Acme docs", spaces: [space.id] })
  const { urls } = await lectern.sites.publish(organization, site.id)
  return { lectern, url: urls.published! }
}

it("answers what runs, and nothing that comes once it is closed", async () => {
  const { lectern, url } = await published()
  const { fetch, page, close } = await siteHandler(lectern)
  assert.isUndefined(await fetch(new Request("https://app.example.com/")))
  const ended: Array<string> = []
  const running = fetch(new Request(url)).then((answer) => ended.push(`answered ${answer?.status}`))
  const asked = page(url).then((shown) => ended.push(`found ${shown?.page.title}`))
  const closing = close().then(() => ended.push("closed"))
  const late = await fetch(new Request(url))
  assert.strictEqual(late?.status, 503)
  assert.strictEqual(late?.headers.get("connection"), "close")
  assert.instanceOf(await page(url).catch((error: unknown) => error), LecternClosed)
  await Promise.all([running, asked, closing])
  assert.sameMembers(ended.slice(0, 2), ["answered 200", "found Install"])
  assert.strictEqual(ended[2], "closed")
  assert.strictEqual((await lectern.organizations.list({})).items.length, 1, "Lectern itself is still open")
  await lectern.close()
})

it("is waited for when Lectern is closed", async () => {
  const { lectern, url } = await published()
  const { fetch } = await siteHandler(lectern)
  const running = fetch(new Request(url))
  await lectern.close()
  assert.strictEqual((await running)?.status, 200)
  assert.strictEqual((await fetch(new Request(url)))?.status, 503)
})

it("renders pages with URLs of the proxy of their site, if they are requested below `sitesUrl`", async () => {
  const { lectern, url } = await published()
  const { items } = await lectern.organizations.list({})
  const organization = items[0]!.id
  const [site] = (await lectern.sites.list(organization, {})).items
  await lectern.sites.update(organization, site!.id, { proxy: "acme.example/docs" })
  const { fetch } = await siteHandler(lectern)
  const response = await fetch(new Request(`${url}install`, { redirect: "manual" }))
  assert.include((await response?.text()) ?? "", `href="https://acme.example/docs/~lectern/`)
  await lectern.close()
})

it("gives up whoever has hung up", async () => {
  const { lectern, url } = await published()
  const { fetch } = await siteHandler(lectern)
  assert.strictEqual((await fetch(new Request(url, { signal: AbortSignal.abort() })))?.status, 499)
  assert.strictEqual((await fetch(new Request(url)))?.status, 200)
  await lectern.close()
})

it("answers pages with a slash at the end and without, so that no framework leads readers to and fro", async () => {
  const lectern = await MemoryLectern.open({ rerunBodies: true, sitesUrl: "https://app.example.com/help" })
  const { id: organization } = await lectern.organizations.create({ title: "Acme" })
  const space = await lectern.spaces.create(organization, { title: "Guide" })
  await lectern.content.live.write(space.id, [
    { operation: "insert_page", title: "Install", document: { markdown: "Plug it in." } },
    { operation: "insert_page", title: "Use", document: { markdown: "Press the button." } }
  ])
  const site = await lectern.sites.create(organization, { title: "Docs", spaces: [space.id] })
  const { urls } = await lectern.sites.publish(organization, site.id)
  const front = urls.published!
  const { fetch } = await siteHandler(lectern)
  /** Redirects like Next.js with and without `trailingSlash`: to its own form of the path first. */
  const byFramework = (isAdded: boolean) => async (url: string) => {
    for (let hops = 0, at = url; hops < 5; hops++) {
      const { pathname } = new URL(at)
      const own = isAdded ? pathname.replace(/\/?$/, "/") : pathname.replace(/\/$/, "") || "/"
      if (own !== pathname) {
        at = new URL(own, at).href
        continue
      }
      const answer = await fetch(new Request(at, { redirect: "manual" }))
      const to = answer?.headers.get("location")
      if (!to) return { status: answer?.status, text: (await answer?.text()) ?? "" }
      at = new URL(to, at).href
    }
    return { status: 310, text: "" }
  }
  for (const get of [byFramework(false), byFramework(true)]) {
    for (const url of [front, front.slice(0, -1), `${front}use`, `${front}use/`]) {
      const { status, text } = await get(url)
      assert.strictEqual(status, 200, url)
      // No link of the page depends on the trailing slash of its path.
      const leads = Array.from(text.matchAll(/ (?:href|src|action)="([^"]*)"/g), ([, to]) => to!)
      assert.deepStrictEqual(
        leads.filter((to) => !/^(?:\/|#|https?:|mailto:|data:|$)/.test(to)),
        []
      )
      assert.include(text, '<link rel="canonical"')
    }
  }
  const strict = await siteHandler(lectern, { ignoresTrailingSlash: false })
  const led = await strict.fetch(new Request(front.slice(0, -1), { redirect: "manual" }))
  assert.strictEqual(led?.headers.get("location"), new URL(front).pathname)
  await lectern.close()
})

it("refuses options that do not exist, and a site without a path", async () => {
  const lectern = await MemoryLectern.open()
  for (const [options, problem] of [
    [{ siteId: "1", at: "/help" }, "siteId: Unknown option: did you mean site?"],
    [{ theme: { slot: {} } }, "theme.slot: Unknown option: did you mean slots?"],
    [{ site: "1" }, "at: Missing path of the site"],
    [{ at: "/help" }, "site: Missing id of the site"]
  ] as const) {
    const refused = await siteHandler(lectern, options as never).catch((error: unknown) => error)
    assert.strictEqual((refused as Error).name, "InvalidInput")
    assert.strictEqual((refused as Error).message, `The input can't be accepted: ${problem}`)
  }
  await lectern.close()
})
