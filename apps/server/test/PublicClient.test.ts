/**
 * The hosted service's own client drives the server by its base address alone: both releases that
 * the interface is witnessed by, since scripts that people have use one or the other.
 */
import { assert } from "@effect/vitest"
import { GitBookAPI, GitBookAPIError } from "@gitbook/api"
import { GitBookAPI as EarlierGitBookAPI } from "gitbook-api-143"
import { afterAll, beforeAll, describe, it } from "vitest"
import { cleanUp, type Server, serve, temporaryFolder } from "./Lectern.ts"

let server: Server

/** Its declarations name files without extensions, which this project's module resolution doesn't read. */
const connect = (Client: new (options: { endpoint: string; authToken: string }) => unknown): any =>
  new Client({ endpoint: server.url, authToken: server.token })

beforeAll(async () => {
  server = await serve(temporaryFolder())
})

afterAll(cleanUp)

describe("the public client", () => {
  it("goes from an organization to a merged page and reads it back", async () => {
    const client = connect(GitBookAPI)
    const me = await client.user.getAuthenticatedUser()
    assert.strictEqual(me.data.object, "user")

    const organization = (await client.orgs.listOrganizationsForAuthenticatedUser()).data.items[0]!
    const space = (await client.orgs.createSpace(organization.id, { title: "Through the client", emoji: "🧭" })).data
    assert.strictEqual(space.title, "Through the client")
    assert.strictEqual(space.organization, organization.id)

    const draft = (await client.spaces.createChangeRequest(space.id, { subject: "A first page" })).data
    assert.strictEqual(draft.status, "draft")
    const opened = (await client.spaces.updateChangeRequestById(space.id, draft.id, { status: "open" })).data
    assert.strictEqual(opened.status, "open")

    const written = (
      await client.spaces.updateChangeRequestContent(
        space.id,
        draft.id,
        {
          changes: [
            {
              operation: "insert_page",
              ref: "guide",
              title: "Guide",
              document: { markdown: 'Hello **there**.\n\n{% hint style="info" %}\nMind the step.\n{% endhint %}\n' }
            },
            { operation: "insert_page", title: "Below", into: "guide", document: { markdown: "Further down." } }
          ]
        },
        { compat: false }
      )
    ).data
    const [created] = written.changes
    assert.strictEqual(created.object, "created_page")
    assert.strictEqual(created.ref, "guide")

    const merged = (await client.spaces.mergeChangeRequest(space.id, draft.id)).data
    assert.strictEqual(merged.result, "merge")
    assert.strictEqual((await client.spaces.getSpaceById(space.id)).data.revision, merged.revision)

    const { pages } = (await client.spaces.listPages(space.id)).data
    assert.deepStrictEqual(
      pages.map((page: any) => page.title),
      ["Guide"]
    )
    const page = (await client.spaces.getPageById(space.id, created.page.id, { format: "markdown" })).data
    assert.include(page.markdown, "Hello **there**.")
    assert.include(page.markdown, "Mind the step.")

    const listed = (await client.spaces.listChangeRequestsForSpace(space.id, { status: "merged" })).data
    assert.deepStrictEqual(
      listed.items.map(({ id }: any) => id),
      [draft.id]
    )
  })

  it("works in its earlier release too", async () => {
    const client = connect(EarlierGitBookAPI)
    const organization = (await client.orgs.listOrganizationsForAuthenticatedUser()).data.items[0]!
    const { items } = (await client.orgs.listSpacesInOrganizationById(organization.id)).data
    const space = (await client.spaces.duplicateSpace(items[0]!.id)).data
    assert.match(space.title, / \(copy\)$/)
    const revision = (await client.spaces.getCurrentRevision(space.id)).data
    assert.strictEqual(revision.object, "revision")
    assert.isAbove(revision.pages.length, 0)
    const collection = (await client.orgs.createCollection(organization.id, { title: "Shelf" })).data
    await client.spaces.moveSpace(space.id, { parent: collection.id })
    const inside = (await client.collections.listSpacesInCollectionById(collection.id)).data
    assert.deepStrictEqual(
      inside.items.map(({ id }: any) => id),
      [space.id]
    )
  })

  it("is told what went wrong in the words of the error body", async () => {
    const client = connect(GitBookAPI)
    const failure = await client.spaces.getSpaceById("nothing").catch((error: unknown) => error)
    assert.instanceOf(failure, GitBookAPIError)
    assert.strictEqual((failure as GitBookAPIError).code, 404)
    assert.strictEqual((failure as GitBookAPIError).errorMessage, "There is no space nothing")
  })
})
