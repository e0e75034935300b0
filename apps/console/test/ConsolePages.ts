/** A server after its first start, and a browser that is signed in to it by the printed link. */
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { serve, type Server, temporaryFolder } from "../../server/test/LecternProcess.ts"
import { patience } from "../../../packages/site/test/Chromium.ts"

export interface Console {
  readonly server: Server
  readonly page: Page
  /** Errors of scripts, of the content security policy, and of requests. */
  readonly failures: ReadonlyArray<string>
}

/** Runs a server whose first start is over. */
export const startServer = (): Promise<Server> => serve(temporaryFolder())

/** Opens the console in a browser of its own. `link`: link that signs in. */
export const openConsole = async (
  browser: Browser,
  server: Server,
  link: string,
  options: BrowserContextOptions = {}
): Promise<Console> => {
  const context = await browser.newContext({ locale: "en", viewport: { width: 1280, height: 800 }, ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(patience)
  const failures: Array<string> = []
  page.on("pageerror", (failure) => failures.push(String(failure)))
  page.on("console", (message) => {
    // A text that was written while its title was saved is merged and sent again.
    const isExpected = /status of 412/.test(message.text())
    if (!isExpected && (message.type() === "error" || message.type() === "warning")) failures.push(message.text())
  })
  await page.goto(link)
  await page.click("main button")
  await page.waitForURL(`${server.url}/`)
  return { server, page, failures }
}

/** Waits until the server has the text of the editor. */
export const saved = (page: Page): Promise<unknown> => page.waitForSelector('.save-sign[data-status="saved"]')
