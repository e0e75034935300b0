/** Hooks of a host: the same over HTTP and in imports as in calls of the host. */
import { assert, it } from "@effect/vitest"
import * as MemoryLectern from "@lectern/adapter-memory/MemoryLectern"
import { RefusedByHost } from "@lectern/core/hook/BeforeHooks"
import * as Exchange from "@lectern/exchange/Exchange"
import * as Fetch from "@lectern/http/fetch"

it("refuse with 403 and their reason over HTTP, and leave files out of imports", async () => {
  const lectern = await MemoryLectern.open({
    rerunBodies: true,
    background: false,
    extensions: [Exchange.extension()],
    before: {
      merge: () => {
        throw new RefusedByHost({ message: "Two reviews are needed" })
      },
      upload: ({ name }) => {
        if (name !== "allowed.txt") throw new RefusedByHost({ message: "Acme stores text only" })
      }
    }
  })
  const { id: ada } = await lectern.users.create({ email: "ada@example.com" })
  const { id: organization } = await lectern.organizations.create({ title: "Acme" }, ada)
  const { id: space } = await lectern.spaces.create(organization, { title: "Handbook" })
  const { id: draft } = await lectern.changeRequests.create(space, { subject: "A page" })
  const { fetch, close } = await Fetch.apiHandler(lectern, { authenticate: () => ada })
  const post = async (path: string, body: object) => {
    const headers = { "content-type": "application/json" }
    const url = `http://localhost/v1${path}`
    const response = await fetch(new Request(url, { method: "POST", headers, body: JSON.stringify(body) }))
    return [response.status, await response.json()] as const
  }
  assert.deepStrictEqual(await post(`/spaces/${space}/change-requests/${draft}/merge`, {}), [
    403,
    { error: { code: 403, message: "Two reviews are needed" } }
  ])
  const files = [{ name: "picture.svg", base64: btoa("<svg/>") }]
  const [status] = await post(`/spaces/${space}/change-requests/${draft}/content`, {
    changes: [{ operation: "insert_files", files }]
  })
  assert.strictEqual(status, 403)

  const bytes = (text: string) => async () => new TextEncoder().encode(text)
  const page = "# Home\n\n![](a.png) [](allowed.txt)\n"
  const { report } = await lectern.content.folderImports.importFolder(space, {
    files: [
      { path: "README.md", size: page.length, bytes: bytes(page) },
      { path: "a.png", size: 3, bytes: bytes("png") },
      { path: "allowed.txt", size: 4, bytes: bytes("text") }
    ]
  })
  assert.deepStrictEqual(report.problems, [{ path: "a.png", message: "It is left out: Acme stores text only" }])
  assert.sameMembers([...report.added], ["README.md", "allowed.txt"])
  await close()
  await lectern.close()
})
