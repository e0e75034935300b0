/** Imports on a server that runs, asked for by the hosted service's own client. */
import { GitBookAPI } from "@gitbook/api"
import { GitBookAPI as EarlierGitBookAPI } from "gitbook-api-143"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "@effect/vitest"
import { type Sites, startSites } from "../../../packages/services-node/test/ImportSteps.ts"
import { begunServer, cleanUp, type Server } from "./LecternProcess.ts"

afterEach(cleanUp)

let sites: Sites
beforeAll(async () => {
  sites = await startSites()
})
afterAll(() => sites.end())

const start = (allowed = "127.0.0.1") => begunServer({ env: { LECTERN_ALLOWED_PRIVATE_HOSTS: allowed } })

const newSpace = async (server: Server): Promise<string> => {
  const { body } = await server.call("POST", `/v1/orgs/${server.ready.organization.id}/spaces`, { title: "Docs" })
  return `/v1/spaces/${body.id}`
}

describe("A server that imports", () => {
  it("crawls a site into a change request, for the public client", async () => {
    const server = await start()
    const connect = (Client: new (options: { endpoint: string; authToken: string }) => unknown): any =>
      new Client({ endpoint: server.url, authToken: server.token })
    const client = connect(GitBookAPI)
    const space = (await client.orgs.createSpace(server.ready.organization.id, { title: "Docs" })).data.id
    const { number } = (await client.spaces.createChangeRequest(space, { subject: "Import" })).data
    const { data, status } = await connect(EarlierGitBookAPI).spaces.importContentInChangeRequest(space, number, {
      url: `${sites.urls["docs"]}/docs/`,
      source: "website"
    })
    assert.strictEqual(status, 201)
    assert.deepInclude(data, { importedResources: 8, totalResources: 9 })
    const { pages, id } = (await client.spaces.getRevisionOfChangeRequestById(space, number)).data
    assert.strictEqual(id, data.revision)
    assert.strictEqual(pages[0].title, "Acme manual")
  })

  it("fetches nothing from its own network unless it is told to", async () => {
    const server = await start("")
    const space = await newSpace(server)
    for (const source of ["website", "markdown", "html", "docx", "zip"]) {
      const { status, body } = await server.call("POST", `${space}/content/import`, { source, url: sites.urls["docs"] })
      assert.strictEqual(status, 400)
      assert.match(body.error.message, /private network/)
    }
  })

  it("answers others while it crawls a site without end", async () => {
    const server = await start()
    const space = await newSpace(server)
    const crawl = server.call("POST", `${space}/content/import`, {
      source: "website",
      url: `${sites.urls["calendar"]}/months/`
    })
    const over = crawl.then(() => "over" as const)
    let answered = 0
    while ((await Promise.race([over, server.call("GET", space)])) !== "over") answered++
    const { status, body } = await crawl
    assert.strictEqual(status, 201)
    assert.strictEqual(body.importedResources, 500)
    assert.isAbove(answered, 50)
  })
})
