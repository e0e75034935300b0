/** Tests that a server notifies a configured renderer about changes to its cached content. */
import { createHmac } from "node:crypto"
import { afterEach, assert, describe, it } from "@effect/vitest"
import { begunServer, cleanUp } from "./LecternProcess.ts"
import { type Received, Receiver } from "./Receiver.ts"

afterEach(cleanUp)

const secret = "shared with the renderer"

const tagsIn = ({ body }: Received): ReadonlyArray<string> => JSON.parse(body).tags

describe("A server with a renderer", () => {
  it("names what has changed, signed, once more where it was not taken, and never what has not", async () => {
    const renderer = await Receiver.open()
    try {
      const server = await begunServer({
        env: { LECTERN_RENDERER_URL: renderer.url, LECTERN_RENDERER_SECRET: secret }
      })
      const organization = `/v1/orgs/${server.ready.organization.id}`
      const create = async (path: string, body: unknown) => (await server.call("POST", path, body)).body
      const space = await create(`${organization}/spaces`, { title: "Docs" })
      const other = await create(`${organization}/spaces`, { title: "Other" })
      const site = await create(`${organization}/sites`, { title: "Site", spaces: [space.id] })
      await server.call("POST", `${organization}/sites/${site.id}/publish`)
      await renderer.until((received) => tagsIn(received).includes(`site:${site.id}`))
      renderer.refuse((received) => tagsIn(received).includes(`space:${space.id}`), 503)
      const content = await server.call("POST", `/v1/spaces/${space.id}/change-requests`, { subject: "Change" })
      const at = `/v1/spaces/${space.id}/change-requests/${content.body.id}`
      const changes = [{ operation: "insert_page", title: "Page", document: { markdown: "Text" } }]
      assert.strictEqual((await server.call("POST", `${at}/content`, { changes })).status, 200)
      assert.strictEqual((await server.call("POST", `${at}/merge`)).status, 200)
      const [drafted] = await renderer.until((received) =>
        tagsIn(received).includes(`space:${space.id}:change-request:${content.body.id}`)
      )
      const [refused, again] = await renderer.until(
        (received) => tagsIn(received).includes(`space:${space.id}`) && tagsIn(received).includes(`site:${site.id}`),
        2
      )
      assert.strictEqual(again!.body, refused!.body)
      for (const { path, headers, body } of [drafted!, again!]) {
        assert.strictEqual(path, "/~gitbook/revalidate")
        assert.strictEqual(headers["x-gitbook-signature"], createHmac("sha256", secret).update(body).digest("hex"))
      }
      await server.call("PUT", `${organization}/openapi/pets`, { source: { text: "openapi: 3.0.0" } })
      await renderer.until((received) =>
        tagsIn(received).includes(`organization:${server.ready.organization.id}:openapi:pets`)
      )
      assert.isFalse(renderer.received.some((received) => tagsIn(received).includes(`space:${other.id}`)))
    } finally {
      await renderer.close()
    }
  })
})
