/**
 * Pictures of the console in the README and in the manual. `LECTERN_PICTURES=1` writes them. Otherwise the test checks
 * that what they show is still there:
 *
 * `LECTERN_PICTURES=1 LECTERN_TEST=all npx pnpm@12 exec vitest run apps/console/test/Pictures.long.test.ts`
 */
import { resolve } from "node:path"
import { afterAll, beforeAll, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { browserOfFile } from "../../../packages/site/test/Chromium.ts"
import { cleanUp, type Server } from "../../server/test/LecternProcess.ts"
import { openConsole, saved, startServer } from "./ConsolePages.ts"

const writes = process.env["LECTERN_PICTURES"] === "1"
const root = resolve(import.meta.dirname, "../../..")

const pages = [
  {
    title: "Espresso",
    markdown: `Espresso is short and strong. Four numbers decide how it tastes.

| Number | Start with |
| --- | --- |
| Coffee | 18 g |
| Time | 27 s |
| Water | 93 °C |

{% hint style="info" %}
Change one number at a time, and taste before you change the next one.
{% endhint %}

## Too sour

Grind finer, or let it run longer.

## Too bitter

Grind coarser. Check that the machine is clean.
`
  },
  { title: "Filter", markdown: "Filter coffee takes three minutes and a scale.\n" },
  { title: "Grinding", markdown: "Grind right before you brew.\n" },
  { title: "Water", markdown: "Soft water, and never boiling.\n" },
  { title: "Cleaning", markdown: "Clean the machine every evening.\n" }
]

describe("The pictures of the console", () => {
  const browser = browserOfFile()
  let server: Server
  let page: Page
  let space: string
  let ids: ReadonlyArray<string>
  beforeAll(async () => {
    server = await startServer()
    await server.call("PATCH", "/v1/user", { displayName: "Maria Nowak" })
    page = (await openConsole(browser(), server, server.ready.signInLink, { viewport: { width: 1280, height: 720 } }))
      .page
    // The browser has no font with colored emoji.
    const { body } = await server.call("POST", `/v1/orgs/${server.ready.organization.id}/spaces`, {
      title: "Coffee handbook",
      emoji: "2615"
    })
    space = body.id
    ids = await write(
      "Start",
      pages.map(({ markdown, title }) => ({ operation: "insert_page", title, document: { markdown } })),
      true
    )
  })
  afterAll(cleanUp)

  /** Writes into a new change request, and merges it. Returns the ids of new pages. */
  const write = async (subject: string, changes: ReadonlyArray<object>, isMerged: boolean) => {
    const { body: request } = await server.call("POST", `/v1/spaces/${space}/change-requests`, { subject })
    const path = `/v1/spaces/${space}/change-requests/${request.number}`
    const { body } = await server.call("POST", `${path}/content?compat=false`, { changes })
    await server.call("PATCH", path, { status: "open" })
    if (isMerged) await server.call("POST", `${path}/merge`, {})
    return body.changes.map((change: { readonly page: { readonly id: string } }) => change.page.id)
  }

  /** `path`: of the file, from the root of the repository. */
  const take = async (path: string) => {
    await page.mouse.move(0, 0)
    if (writes) await page.screenshot({ path: resolve(root, path), animations: "disabled", caret: "hide" })
  }

  it("show the editor with the menu of blocks", async () => {
    await page.goto(`${server.url}/spaces/${space}/pages/${ids[0]}`)
    await page.click(".bar-actions button:has-text('Edit')")
    await page.waitForSelector(".lectern-editor:has-text('Too bitter')")
    await page.click(".lectern-editor p >> nth=0")
    await page.keyboard.press("End")
    await page.keyboard.press("Enter")
    await saved(page)
    await page.keyboard.type("/ta")
    await page.waitForSelector(".lectern-menu")
    await take("pictures/console.png")
    await page.keyboard.press("Escape")
    for (let i = 0; i < "/ta".length + 1; i++) await page.keyboard.press("Backspace")
    await saved(page)
  })

  it("show a change request with its differences", async () => {
    const [, , , , number] = new URL(page.url()).pathname.split("/")
    const path = `/v1/spaces/${space}/change-requests/${number}`
    const { body: content } = await server.call("GET", `${path}/content/page/${ids[0]}?format=markdown`)
    await server.call("POST", `${path}/content`, {
      changes: [
        {
          operation: "update_page",
          page: ids[0],
          document: {
            markdown: content.markdown
              .replace(/^# .*\n+/, "")
              .replace("Four numbers decide how it tastes.", "Three numbers decide how it tastes, and fresh beans.")
              .replace("27 s", "28 s")
          }
        }
      ]
    })
    await server.call("PATCH", path, { subject: "Say which numbers matter", status: "open" })
    await page.goto(`${server.url}/spaces/${space}/changes/${number}`)
    await page
      .locator("ins:has-text('Three')")
      .first()
      .evaluate((element) => element.scrollIntoView({ block: "center" }))
    await take("pictures/review.png")
  })
})
