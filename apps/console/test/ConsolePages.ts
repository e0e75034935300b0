/** A server after its first start, and a browser that is signed in to it by the printed link. */
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { lecternJson, serve, type Server, temporaryFolder } from "../../server/test/LecternProcess.ts"
import { patience } from "../../../packages/site/test/Chromium.ts"

export interface Console {
  readonly server: Server
  readonly page: Page
  /** Errors of scripts, of the content security policy, and of requests. */
  readonly failures: ReadonlyArray<string>
}

/** Runs a server whose first start is over. */
export const startServer = (): Promise<Server> => serve(temporaryFolder())

export interface Person {
  readonly id: string
  readonly token: string
  /** Link that signs the person in once. */
  readonly link: string
}

/** Adds a member to the organization of the first start. */
export const addPerson = async (server: Server, name: string, role: string): Promise<Person> => {
  const { data, organization } = server.ready
  const email = `${name.toLowerCase()}@example.com`
  const flags = ["--organization", organization.id, "--email", email, "--role", role, "--data", data]
  const { token, user } = await lecternJson(["user", "create", ...flags])
  await server.call("PATCH", "/v1/user", { displayName: name }, token)
  const { url } = await lecternJson(["sign-in-link", email, "--data", data])
  const { pathname, search } = new URL(url)
  return { id: user.id, token, link: server.url + pathname + search }
}

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
    // A text that was written while its title was saved is merged and sent again. A merge may be refused by rules.
    const isExpected = /status of 4(?:09|12)/.test(message.text())
    if (!isExpected && (message.type() === "error" || message.type() === "warning")) failures.push(message.text())
  })
  await page.goto(link)
  await page.click("main button")
  await page.waitForURL(`${server.url}/`)
  return { server, page, failures }
}

/** Waits until the server has the text of the editor. */
export const saved = (page: Page): Promise<unknown> => page.waitForSelector('.save-sign[data-status="saved"]')

/** Creates a space with a change request that adds a page. `path`: of the change request in the API. */
export const makeChangeRequest = async (server: Server, title: string) => {
  const { body: space } = await server.call("POST", `/v1/orgs/${server.ready.organization.id}/spaces`, { title })
  const { body } = await server.call("POST", `/v1/spaces/${space.id}/change-requests`, { subject: `About ${title}` })
  const path = `/v1/spaces/${space.id}/change-requests/${body.number}`
  await server.call("POST", `${path}/content`, {
    changes: [{ operation: "insert_page", title, document: { markdown: `The first text about ${title}.\n` } }]
  })
  return { space: space.id as string, path, url: `${server.url}/spaces/${space.id}/changes/${body.number}` }
}
