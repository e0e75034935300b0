/** An editor in a browser on a page of a real change request, with somebody else who uses the API. */
import * as MemoryLectern from "@lectern/adapter-memory/MemoryLectern"
import { assert, it } from "@effect/vitest"
import * as Exchange from "@lectern/exchange/Exchange"
import { apiHandler } from "@lectern/http/fetch"
import { seed } from "@lectern/testing/seed"
import { browserOfFile } from "../../../site/test/Chromium.ts"
import { openTab } from "../EditorPage.ts"

const browser = browserOfFile()

const pageText = '# Install\n\nPlug it in.\n\n{% hint style="info" %}\nMind the gap.\n{% endhint %}\n\nTurn it on.\n'

it("writes into the change request, and merges what others write into the page meanwhile", async () => {
  const lectern = await MemoryLectern.open({ extensions: [Exchange.extension()] })
  const { as, spaces, users } = await seed(lectern, {
    users: { ada: "admin" },
    spaces: { handbook: { "README.md": "# Welcome\n", "install.md": pageText } }
  })
  const api = await apiHandler(lectern)
  const { token } = await lectern.tokens.create(users.ada)
  const { id: changeRequest } = await as.ada.changeRequests.create(spaces.handbook, {})
  const revision = { space: spaces.handbook, changeRequest }
  const page = await lectern.content.pageAt(await lectern.content.locate({ space: spaces.handbook }), "install")
  const markdown = async () => {
    const read = await lectern.content.page(await lectern.content.locate(revision), page)
    return "markdown" in read ? read.markdown : ""
  }

  const { close, page: tab } = await openTab(browser(), async (route, path) => {
    if (!path.startsWith("/v1/")) return false
    const request = route.request()
    const body = request.postDataBuffer()
    const response = await api.fetch(
      new Request(request.url(), {
        method: request.method(),
        headers: request.headers(),
        ...(body !== null && { body: new Uint8Array(body) })
      })
    )
    const headers = Object.fromEntries(response.headers)
    await route.fulfill({ status: response.status, headers, body: Buffer.from(await response.arrayBuffer()) })
    return true
  })
  await tab.evaluate((options) => inPage.openPage(options), {
    api: "/v1",
    space: spaces.handbook as string,
    changeRequest: changeRequest as string,
    page: page as string,
    headers: { authorization: `Bearer ${token}` }
  })
  const saved = () => tab.waitForFunction(() => inPage.isSaved())

  await tab.keyboard.type("First, ")
  await saved()
  assert.strictEqual(await markdown(), pageText.replace("Plug", "First, Plug"))

  await tab.keyboard.type("please ")
  const hers = (await markdown()).replace("on.", "on, twice.")
  await as.ada.changeRequests.content.write(revision.space, changeRequest, [
    { operation: "update_page", page, document: { markdown: hers } }
  ])
  await saved()
  const merged = await markdown()
  assert.include(merged, "First, please Plug it in.")
  assert.include(merged, "Turn it on, twice.")
  assert.include(await tab.evaluate(() => document.querySelector("main")!.textContent), "Turn it on, twice.")

  await tab.keyboard.press("Control+End")
  await tab.keyboard.press("Enter")
  await tab.keyboard.type("- Done")
  await saved()
  assert.match(await markdown(), /Turn it on, twice\.\n\n\* Done\n$/)
  await close()
  await lectern.close()
})
