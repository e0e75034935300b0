/** Spaces and repositories in tests: a real Git server at the other end, and what a test does with both. */
import { JobWorker } from "@lectern/core/job/JobWorker"
import { NodeGitRemote } from "@lectern/services-node/git/NodeGitRemote"
import { NodeServices } from "@lectern/services-node/NodeServices"
import { NodeSourceReader } from "@lectern/services-node/source/NodeSourceReader"
import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { answers, Harness, has, type Person } from "../../../packages/http/test/Harness.ts"
import * as Shapes from "../../../packages/http/test/Shapes.ts"
import { createSpace, getSpace, pageOf, publish } from "../../../packages/http/test/Steps.ts"
import { type GitServer, gitServer, hasGit } from "../../../packages/services-node/test/GitServer.ts"

if (!hasGit) console.warn("SKIPPED: spaces in step with repositories, as there is no git to make repositories with")

export { hasGit }

const allowedPrivateHosts = ["127.0.0.1"]

export const outside = {
  ...NodeServices.layers({ allowedPrivateHosts }),
  gitRemote: NodeGitRemote.layer({ allowedPrivateHosts }),
  sourceReader: NodeSourceReader.layer()
}

const maybe = Schema.optionalKey

/** Fields of a Git sync that the hosted service's clients read. */
const GitSyncState = Schema.Struct({
  repoName: Schema.String,
  installationStatus: Schema.Literal("active"),
  installationProvider: Schema.String,
  installationId: Shapes.Id,
  url: Shapes.Url,
  ref: Schema.String,
  commit: maybe(Schema.String),
  operation: Schema.Struct({
    state: Schema.Literals(["running", "success", "failure", "timeout"]),
    direction: Schema.Literals(["import", "export"]),
    startedAt: Shapes.DateTime,
    endedAt: maybe(Shapes.DateTime),
    error: maybe(Schema.String),
    revision: maybe(Shapes.Id),
    problems: maybe(Schema.Array(Schema.Struct({ path: Schema.String, message: Schema.String }))),
    problemCount: maybe(Schema.Int)
  }),
  operationTimeout: Schema.Int,
  updatedAt: Shapes.DateTime
})

export const ref = "refs/heads/main"

export const ask = Effect.fnUntraced(function* (
  space: string,
  operation: "import" | "export",
  body: Record<string, unknown>,
  by: Person = "admin"
) {
  const { call } = yield* Harness
  const more = operation === "export" ? { commitMessage: "Update the docs" } : {}
  return yield* call(by, "POST", `/v1/spaces/${space}/git/${operation}`, { ref, ...more, ...body })
})

export const info = Effect.fnUntraced(function* (space: string) {
  const { call } = yield* Harness
  return yield* call("admin", "GET", `/v1/spaces/${space}/git/info`).pipe(answers(200, GitSyncState))
})

/** Asks for an operation, lets the worker do it, and gives how it ended. */
const sync = Effect.fnUntraced(function* (
  space: string,
  operation: "import" | "export",
  url: string,
  body: Record<string, unknown> = {}
) {
  yield* ask(space, operation, { url, ...body }).pipe(has(204))
  assert.strictEqual((yield* info(space)).operation.state, "running")
  yield* (yield* JobWorker).runDue
  return yield* info(space)
})

export const succeeds = Effect.fnUntraced(function* (...args: Parameters<typeof sync>) {
  const state = yield* sync(...args)
  assert.strictEqual(state.operation.state, "success", state.operation.error)
  return state
})

export const fails = Effect.fnUntraced(function* (...args: Parameters<typeof sync>) {
  const { operation } = yield* sync(...args)
  assert.strictEqual(operation.state, "failure")
  return operation.error ?? ""
})

export const revisionOf = (space: string) => Effect.map(getSpace(space), ({ revision }) => revision)

export const pagesOf = Effect.fnUntraced(function* (space: string) {
  const { call } = yield* Harness
  const Pages = Schema.Struct({ pages: Schema.Array(Schema.Any) })
  const { pages } = yield* call("admin", "GET", `/v1/spaces/${space}/content/pages`).pipe(answers(200, Pages))
  const flat = (nodes: ReadonlyArray<any>): ReadonlyArray<any> =>
    nodes.flatMap((one) => [one, ...flat(one.pages ?? [])])
  return flat(pages)
})

export const titlesOf = (space: string) => Effect.map(pagesOf(space), (pages) => pages.map(({ title }) => title))

export const markdownOf = Effect.fnUntraced(function* (space: string, title: string) {
  const page = (yield* pagesOf(space)).find((one) => one.title === title)
  return (yield* pageOf(`/v1/spaces/${space}/content`, page.id)).markdown
})

export const edit = Effect.fnUntraced(function* (space: string, title: string, markdown: string) {
  const page = (yield* pagesOf(space)).find((one) => one.title === title)
  return yield* publish(space, [{ operation: "update_page", page: page.id, document: { markdown } }])
})

/** A new repository on a server of its own. */
export const repository = Effect.fnUntraced(function* (files?: Record<string, string | Uint8Array>) {
  const server = yield* gitServer()
  server.init("docs.git")
  if (files !== undefined) server.commit("docs.git", files)
  const log = (format: string) => server.git("docs.git", ["log", "--reverse", `--format=${format}`, "main"]).trim()
  return {
    server,
    url: server.urlOf("docs.git"),
    log,
    head: () => server.git("docs.git", ["rev-parse", "main"]).trim()
  }
})

/** A repository with these files, and a space that was imported from it. */
export const importedSpace = Effect.fnUntraced(function* (files: Record<string, string | Uint8Array>) {
  const there = yield* repository(files)
  const { id: space } = yield* createSpace({ title: "Docs" })
  yield* succeeds(space, "import", there.url)
  return { ...there, space }
})

/** A commit on top of another with one file more, which is none of the documentation. */
export const commitBeside = (server: GitServer, parent: string, tree: string): string => {
  const oid = server.git("docs.git", ["hash-object", "-w", "--stdin"], "x").trim()
  const listed = server.git("docs.git", ["ls-tree", "-z", tree])
  const more = server.git("docs.git", ["mktree", "-z"], `${listed}100644 blob ${oid}\tzz-other.txt\0`).trim()
  return server.git("docs.git", ["commit-tree", more, "-m", "Beside", "-p", parent]).trim()
}

export const summary = "# Table of contents\n\n* [Home](README.md)\n* [Guide](guide.md)\n"
export const small = {
  "README.md": "# Home\n\nWelcome.\n",
  "guide.md": "# Guide\n\nOne.\n\nTwo.\n\nThree.\n",
  "SUMMARY.md": summary
}
