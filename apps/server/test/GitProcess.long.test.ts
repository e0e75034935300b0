/** A server that runs, a repository beside it, and the hosted service's own client between them. */
import { GitBookAPI } from "@gitbook/api"
import { GitBookAPI as EarlierGitBookAPI } from "gitbook-api-143"
import { afterEach, assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { gitServer, hasGit } from "../../../packages/services-node/test/GitServer.ts"
import { begunServer, cleanUp, type Server } from "./LecternProcess.ts"

afterEach(cleanUp)

type Client = new (options: { endpoint: string; authToken: string }) => unknown

/** Its declarations name files without extensions, which this project's module resolution doesn't read. */
const connect = (Client: Client, server: Server): any => new Client({ endpoint: server.url, authToken: server.token })

/** Asks until the operation is over. */
const over = async (client: any, space: string): Promise<any> => {
  for (;;) {
    const { data } = await client.spaces.getSpaceGitInfo(space)
    if (data.operation.state !== "running") return data
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const ref = "refs/heads/main"

describe.skipIf(!hasGit)("A server with repositories", () => {
  it.live.each([
    ["0.202.0", GitBookAPI as Client],
    ["0.143.2", EarlierGitBookAPI as Client]
  ] as const)("imports from one and exports to another, asked by the public client (%s)", ([, Client]) =>
    Effect.gen(function* () {
      const git = yield* gitServer({ credentials: "me:s3cr3t" })
      git.init("docs.git")
      git.init("copy.git")
      git.commit("docs.git", {
        "README.md": "# Home\n\nWelcome.\n",
        "SUMMARY.md": "# Contents\n\n* [Home](README.md)\n"
      })
      yield* Effect.promise(async () => {
        const server = await begunServer({ env: { LECTERN_ALLOWED_PRIVATE_HOSTS: "127.0.0.1" } })
        const client = connect(Client, server)
        const space = (await client.orgs.createSpace(server.ready.organization.id, { title: "Docs" })).data.id
        const urlOf = (name: string) => git.urlOf(name).replace("//", "//me:s3cr3t@")

        await client.spaces.importGitRepository(space, { url: urlOf("docs.git"), ref })
        const imported = await over(client, space)
        assert.strictEqual(imported.operation.state, "success", imported.operation.error)
        assert.notInclude(JSON.stringify(imported), "s3cr3t")
        const { pages, git: commit } = (await client.spaces.getCurrentRevision(space)).data
        assert.deepStrictEqual([pages.map((page: any) => page.title), commit.oid], [["Home"], imported.commit])

        await client.spaces.exportToGitRepository(space, { url: urlOf("copy.git"), ref, commitMessage: "Copy" })
        const exported = await over(client, space)
        assert.strictEqual(exported.operation.state, "success", exported.operation.error)
        assert.strictEqual((await client.spaces.getSpaceById(space)).data.gitSync.repoName, "copy")
        assert.strictEqual(git.files("copy.git")["README.md"], "# Home\n\nWelcome.\n")
      })
    })
  )

  it.live("goes to no private host that the operator has not listed", () =>
    Effect.gen(function* () {
      const git = yield* gitServer()
      git.init("docs.git")
      yield* Effect.promise(async () => {
        const server = await begunServer()
        const { body } = await server.call("POST", `/v1/orgs/${server.ready.organization.id}/spaces`, {
          title: "Docs"
        })
        const path = `/v1/spaces/${body.id}/git/import`
        assert.strictEqual((await server.call("POST", path, { url: git.urlOf("docs.git"), ref })).status, 400)
        assert.strictEqual(git.requests(), 0)
      })
    })
  )
})
