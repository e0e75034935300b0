/** Content sources on a server that runs: pages that programs in real processes compute. */
import { afterEach, assert, describe, it } from "@effect/vitest"
import { belowTitle } from "../../../packages/core/test/content/BelowTitle.ts"
import { begunServer, cleanUp } from "./LecternProcess.ts"
import { publish } from "./PublishedProgram.ts"

afterEach(cleanUp)

describe("A server with a content source", () => {
  it("computes pages that a program gives, and reads on where it fails or is paused", async () => {
    const server = await begunServer()
    const space = server.ready.space.id
    const source = (props: object) => ({ type: "integration:tracker:issues", props })
    const id = await publish(
      server,
      "tracker",
      `if (event.type === "content_compute_document") {
         const { title } = await (await api("/spaces/" + event.spaceId)).json()
         if (event.props.issue === 2) throw new Error("no luck")
         return Response.json({ document: { markdown: "Issue " + event.props.issue + " of " + title + ". [Next](/pages/two)" } })
       }
       if (event.type !== "content_compute_revision") return new Response(null, { status: 406 })
       const page = (id, issue) => ({ type: "document", id, title: "Issue " + issue, computed: { type: "integration:tracker:issues", props: { issue } } })
       return Response.json({ pages: [page("one", 1), page("two", 2)] })`,
      ["space:content:read"],
      { contentSources: [{ id: "issues", title: "Issues", configuration: { componentId: "configure" } }] }
    )
    const change = await server.call("POST", `/v1/spaces/${space}/change-requests`, {})
    const content = `/v1/spaces/${space}/change-requests/${change.body.id}/content`
    const inserted = { operation: "insert_page", type: "computed", title: "Issues", computed: source({}) }
    assert.strictEqual((await server.call("POST", content, { changes: [inserted] })).status, 200)
    const standing = async () => (await server.call("GET", `${content}/pages`)).body.pages.at(-1)
    const { pages } = await standing()
    assert.deepStrictEqual(
      pages.map(({ path }: any) => path),
      ["issues/issue-1", "issues/issue-2"]
    )
    const { body: one } = await server.call("GET", `${content}/page/${pages[0].id}`)
    assert.strictEqual(
      belowTitle(one.markdown).trim(),
      `Issue 1 of ${server.ready.space.title}. [Next](/pages/${pages[1].id})`
    )

    const { body: two } = await server.call("GET", `${content}/page/${pages[1].id}`)
    assert.include(two.markdown, "has not responded")
    await server.call("PATCH", `/v1/integrations/tracker/installations/${id}`, { status: "paused" })
    assert.lengthOf((await standing()).pages, 0)
  })
})
