/** All screens of the console by the rules of axe: on a phone, in the dark, and from right to left. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { cleanUp, type Server } from "../../server/test/LecternProcess.ts"
import { faultsOf } from "../../../packages/site/test/Axe.ts"
import { browserOfFile } from "../../../packages/site/test/Chromium.ts"
import { addPerson, makeChangeRequest, openConsole, startServer } from "./ConsolePages.ts"

const looks = {
  "on a phone": { theme: "light", language: "en", width: 360 },
  "in the dark": { theme: "dark", language: "de", width: 1280 },
  "from right to left": { theme: "light", language: "ar", width: 360 }
} as const

describe("The screens of the console", () => {
  const browser = browserOfFile()
  let server: Server
  let page: Page
  let failures: ReadonlyArray<string>
  let space: string
  let current: string
  let conflicting: string
  beforeAll(async () => {
    server = await startServer()
    const ada = await addPerson(server, "Ada", "review")
    const made = await makeChangeRequest(server, "Milk")
    space = made.space
    await server.call("POST", `${made.path}/merge`, {})
    const { body: pages } = await server.call("GET", `/v1/spaces/${space}/content/pages`)
    const id = pages.pages[0].id
    const { body: written } = await server.call("GET", `/v1/spaces/${space}/content/page/${id}?format=document`)
    const edit = async (text: string, token?: string) => {
      const path = `/v1/spaces/${space}/change-requests`
      const { body } = await server.call("POST", path, { subject: text }, token)
      const document = JSON.parse(JSON.stringify(written.document).replace("The first text", text))
      const change = { operation: "update_page", page: id, document: { document } }
      await server.call("POST", `${path}/${body.number}/content`, { changes: [change] }, token)
      return { path: `${path}/${body.number}`, number: body.number as number }
    }
    const first = await edit("Mine")
    const second = await edit("Theirs", ada.token)
    await server.call("POST", `${second.path}/merge`, {})
    await server.call("POST", `${first.path}/comments`, { body: { markdown: "Which **milk**?" } }, ada.token)
    await server.call("POST", `${first.path}/reviews`, { status: "approved" }, ada.token)
    // A merge that finds conflicts keeps them.
    await server.call("POST", `${first.path}/merge`, {})
    conflicting = `/spaces/${space}/changes/${first.number}`
    current = `/spaces/${space}/pages/${id}`
    ;({ failures, page } = await openConsole(browser(), server, server.ready.signInLink))
  })
  afterAll(cleanUp)

  for (const [name, { language, theme, width }] of Object.entries(looks))
    it(`are without faults ${name}`, async () => {
      const visit = async (path: string, selector: string) => {
        await page.goto(server.url + path)
        await page.waitForSelector(selector)
        assert.deepStrictEqual(await faultsOf(page), [], path)
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        assert.isAtMost(overflow, 0, `${path} is wider than the window`)
        const height = await page.evaluate(() => document.querySelector(".bar")!.clientHeight)
        assert.isAtMost(height, 60, `the bar of ${path} has more than one row`)
      }
      await page.setViewportSize({ width, height: 720 })
      await page.evaluate(
        ([a, b]) => {
          localStorage.setItem("lectern-theme", a)
          localStorage.setItem("lectern-language", b)
        },
        [theme, language] as const
      )
      await visit("/", ".rows")
      await visit("/notifications", ".inbox")
      await visit("/account", ".setting-group")
      await visit(`/organizations/${server.ready.organization.id}/members`, ".members")
      await visit(current, ".discussion")
      await visit(`/spaces/${space}/changes`, ".rows")
      await visit(conflicting, ".conflict .versions")
      await visit(`${conflicting}${current.replace(/^\/spaces\/[^/]+/, "")}`, ".lectern-editor")
      await page.goto(server.url + current)
      await page.waitForSelector(".discussion")
      if (width < 800) await page.click(".bar-place button")
      await page.waitForSelector("[role=treeitem]")
      assert.deepStrictEqual(await faultsOf(page), [], "tree")
      await page.click(".side-nav .side-button")
      await page.waitForSelector("[role=dialog] .option")
      assert.deepStrictEqual(await faultsOf(page), [], "publish")
      await page.keyboard.press("Escape")
      await page.waitForSelector("[role=dialog]", { state: "detached" })
      await page.keyboard.press("Control+k")
      await page.waitForSelector(".palette [role=menuitem]")
      assert.deepStrictEqual(await faultsOf(page), [], "palette")
      assert.deepStrictEqual(failures, [])
    })
})
