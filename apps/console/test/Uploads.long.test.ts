/** Files that are added to a page, in a real browser against a real server. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Page, Route } from "playwright-core"
import { cleanUp, type Server } from "../../server/test/LecternProcess.ts"
import { faultsOf } from "../../../packages/site/test/Axe.ts"
import { browserOfFile } from "../../../packages/site/test/Chromium.ts"
import { makeChangeRequest, openConsole, saved, startServer } from "./ConsolePages.ts"

describe("Files in the console", () => {
  const browser = browserOfFile()
  let server: Server
  let page: Page
  beforeAll(async () => {
    server = await startServer()
    page = (await openConsole(browser(), server, server.ready.signInLink)).page
  })
  afterAll(cleanUp)

  /** Pastes files. `sizes`: number of bytes by the name. */
  const paste = (sizes: { readonly [name: string]: number }) =>
    page.evaluate((sizes) => {
      const clipboardData = new DataTransfer()
      for (const [name, size] of Object.entries(sizes)) clipboardData.items.add(new File([new Uint8Array(size)], name))
      document
        .querySelector(".lectern-editor")!
        .dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }))
    }, sizes)

  it("show their progress, are cancelled, and say why they were not added", async () => {
    const { path, url } = await makeChangeRequest(server, "Coffee")
    const { body } = await server.call("GET", `${path}/content/pages`)
    await page.goto(`${url}/pages/${body.pages[0].id}`)
    await page.click(".lectern-editor p")
    const waiting: Array<Route> = []
    const isUpload = (route: Route) => route.request().postData()?.includes("insert_files") === true
    await page.route("**/content?compat=false", (route) =>
      isUpload(route) ? void waiting.push(route) : route.continue()
    )

    await paste({ "beans.pdf": 1_000 })
    const progress = page.getByRole("progressbar", { name: "“beans.pdf” is being added" })
    await progress.waitFor()
    assert.deepStrictEqual(await faultsOf(page), [])
    await page.getByRole("button", { name: "Cancel" }).click()
    await progress.waitFor({ state: "detached" })
    assert.strictEqual(await page.locator(".lectern-editor [data-block=file]").count(), 0)

    await paste({ "large.pdf": 2_000_000, "bad.pdf": 10, "good.pdf": 10 })
    await page.getByText("“large.pdf” is larger than 1 MB. Make it smaller, and add it again.").waitFor()
    await page.getByRole("progressbar", { name: "“bad.pdf” is being added" }).waitFor()
    await waiting.at(-1)!.fulfill({ status: 503, json: { error: { message: "The disk is full" } } })
    await page.getByText("“bad.pdf” was not added. The disk is full").waitFor()
    await page.getByRole("progressbar", { name: "“good.pdf” is being added" }).waitFor()
    await waiting.at(-1)!.continue()
    await page.locator(".lectern-editor [data-block=file]").waitFor()
    assert.strictEqual(await page.getByRole("progressbar").count(), 0)
    await saved(page)
    const { body: files } = await server.call("GET", `${path}/content/files`)
    assert.deepStrictEqual(
      files.items.map(({ name }: { readonly name: string }) => name),
      ["good.pdf"]
    )
  })
})
