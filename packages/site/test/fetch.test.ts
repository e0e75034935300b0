import { assert, it } from "@effect/vitest"
import * as MemoryLectern from "@lectern/adapter-memory/MemoryLectern"
import { LecternClosed } from "@lectern/core/EmbeddedLectern"
import { siteHandler } from "@lectern/site/fetch"

const published = async () => {
  const lectern = await MemoryLectern.open({ sitesUrl: "https://*.docs.example.com" })
  const { id: organization } = await lectern.organizations.create({ title: "Acme" })
  const space = await lectern.spaces.create(organization, { title: "Guide" })
  await lectern.liveContents.write(space.id, [
    { operation: "insert_page", title: "Install", document: { markdown: "# Install\n\nPlug it in." } }
  ])
  const site = await lectern.sites.create(organization, { title: "Acme docs", spaces: [space.id] })
  const { urls } = await lectern.sites.publish(organization, site.id, true)
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

it("gives up whoever has hung up", async () => {
  const { lectern, url } = await published()
  const { fetch } = await siteHandler(lectern)
  assert.strictEqual((await fetch(new Request(url, { signal: AbortSignal.abort() })))?.status, 499)
  assert.strictEqual((await fetch(new Request(url)))?.status, 200)
  await lectern.close()
})
