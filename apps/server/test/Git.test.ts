/** Spaces in step with repositories, over HTTP on each adapter, with a real Git server at the other end. */
import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { CurrentActor, host } from "@lectern/core/access/Actor"
import { OrganizationId } from "@lectern/core/organization/Organization"
import { Spaces } from "@lectern/core/space/Spaces"
import * as fc from "fast-check"
import { look } from "../../../packages/core/test/content/export/Exports.ts"
import {
  edit as editContent,
  fill,
  type RandomPages,
  randomPages
} from "../../../packages/core/test/content/export/RandomContents.ts"
import { Events } from "@lectern/core/event/Events"
import { EventTable } from "@lectern/core/event/Event"
import { GitCredentialTable, GitSyncTable, operationTimeout } from "@lectern/core/git/GitSync"
import { JobTable } from "@lectern/core/job/Job"
import { JobWorker } from "@lectern/core/job/JobWorker"
import { RevisionTable } from "@lectern/core/content/Revision"
import type { SpaceId } from "@lectern/core/space/Space"
import { Storage } from "@lectern/core/storage/Storage"
import { NodeFetch } from "@lectern/services-node/fetch/NodeFetch"
import { NodeGitRemote } from "@lectern/services-node/git/NodeGitRemote"
import { assert, describe, vi } from "@effect/vitest"
import { Duration, Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import {
  answers,
  Harness,
  has,
  onEachAdapter,
  type Person,
  refused,
  type Services
} from "../../../packages/http/test/Harness.ts"
import * as Shapes from "../../../packages/http/test/Shapes.ts"
import {
  createSpace,
  getSpace,
  insertPage,
  merge,
  openChangeRequest,
  pageOf,
  publish,
  spaceWith,
  write
} from "../../../packages/http/test/Steps.ts"
import { type GitServer, gitServer, hasGit } from "../../../packages/services-node/test/GitServer.ts"

// Each operation has a thread and a process of Git at its other end.
vi.setConfig({ testTimeout: 120_000 })

const allowedPrivateHosts = ["127.0.0.1"]
const outside = {
  fetch: NodeFetch.layer({ allowedPrivateHosts }),
  gitRemote: NodeGitRemote.layer({ allowedPrivateHosts })
}

const maybe = Schema.optionalKey

/** What the hosted service's clients read of it. */
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
    problems: maybe(Schema.Array(Schema.Struct({ path: Schema.String, message: Schema.String }))),
    problemCount: maybe(Schema.Int)
  }),
  operationTimeout: Schema.Int,
  updatedAt: Shapes.DateTime
})

const ref = "refs/heads/main"

const ask = Effect.fnUntraced(function* (
  space: string,
  operation: "import" | "export",
  body: Record<string, unknown>,
  by: Person = "admin"
) {
  const { call } = yield* Harness
  const more = operation === "export" ? { commitMessage: "Update the docs" } : {}
  return yield* call(by, "POST", `/v1/spaces/${space}/git/${operation}`, { ref, ...more, ...body })
})

const info = Effect.fnUntraced(function* (space: string) {
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

const succeeds = Effect.fnUntraced(function* (...args: Parameters<typeof sync>) {
  const state = yield* sync(...args)
  assert.strictEqual(state.operation.state, "success", state.operation.error)
  return state
})

const fails = Effect.fnUntraced(function* (...args: Parameters<typeof sync>) {
  const { operation } = yield* sync(...args)
  assert.strictEqual(operation.state, "failure")
  return operation.error ?? ""
})

const revisionOf = (space: string) => Effect.map(getSpace(space), ({ revision }) => revision)

const pagesOf = Effect.fnUntraced(function* (space: string) {
  const { call } = yield* Harness
  const Pages = Schema.Struct({ pages: Schema.Array(Schema.Any) })
  const { pages } = yield* call("admin", "GET", `/v1/spaces/${space}/content/pages`).pipe(answers(200, Pages))
  const flat = (nodes: ReadonlyArray<any>): ReadonlyArray<any> =>
    nodes.flatMap((one) => [one, ...flat(one.pages ?? [])])
  return flat(pages)
})

const titlesOf = (space: string) => Effect.map(pagesOf(space), (pages) => pages.map(({ title }) => title))

const markdownOf = Effect.fnUntraced(function* (space: string, title: string) {
  const page = (yield* pagesOf(space)).find((one) => one.title === title)
  return (yield* pageOf(`/v1/spaces/${space}/content`, page.id)).markdown
})

const edit = Effect.fnUntraced(function* (space: string, title: string, markdown: string) {
  const page = (yield* pagesOf(space)).find((one) => one.title === title)
  return yield* publish(space, [{ operation: "update_page", page: page.id, document: { markdown } }])
})

/** A new repository on a server of its own. */
const repository = Effect.fnUntraced(function* (files?: Record<string, string | Uint8Array>) {
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

/** A commit on top of another with one file more, which is none of the documentation. */
const commitBeside = (server: GitServer, parent: string, tree: string): string => {
  const oid = server.git("docs.git", ["hash-object", "-w", "--stdin"], "x").trim()
  const listed = server.git("docs.git", ["ls-tree", "-z", tree])
  const more = server.git("docs.git", ["mktree", "-z"], `${listed}100644 blob ${oid}\tzz-other.txt\0`).trim()
  return server.git("docs.git", ["commit-tree", more, "-m", "Beside", "-p", parent]).trim()
}

const summary = "# Table of contents\n\n* [Home](README.md)\n* [Guide](guide.md)\n"
const small = {
  "README.md": "# Home\n\nWelcome.\n",
  "guide.md": "# Guide\n\nOne.\n\nTwo.\n\nThree.\n",
  "SUMMARY.md": summary
}

describe.skipIf(!hasGit)("Git", () => {
  onEachAdapter(
    "Git",
    (it) => {
      it.effect("imports a branch as one revision, and what did not change as none", () =>
        Effect.gen(function* () {
          const { call } = yield* Harness
          const { url, head, server } = yield* repository(small)
          const { id: space } = yield* createSpace({ title: "Docs" })
          yield* call("admin", "GET", `/v1/spaces/${space}/git/info`).pipe(refused(404))
          const state = yield* succeeds(space, "import", url)
          assert.strictEqual(state.commit, head())
          assert.strictEqual(state.repoName, "docs")
          assert.deepStrictEqual(yield* titlesOf(space), ["Home", "Guide"])
          const { revision, gitSync } = yield* call("admin", "GET", `/v1/spaces/${space}`).pipe(
            answers(200, Schema.Struct({ revision: Shapes.Id, gitSync: Schema.Any }))
          )
          assert.strictEqual(gitSync.installationId, state.installationId)
          const { git } = yield* call("admin", "GET", `/v1/spaces/${space}/content`).pipe(
            answers(200, Schema.Struct({ git: Schema.Any }))
          )
          assert.deepStrictEqual(git, { oid: head(), message: "Change\n", createdByService: false, ref })
          yield* succeeds(space, "import", url)
          assert.strictEqual(yield* revisionOf(space), revision)
          // A commit that has nothing to do with the documentation.
          server.commit("docs.git", { ...small, "src/index.ts": "1" })
          const after = yield* succeeds(space, "import", url)
          assert.strictEqual(after.commit, head())
          assert.strictEqual(yield* revisionOf(space), revision)
        })
      )

      it.effect("merges what changed there with what changed here", () =>
        Effect.gen(function* () {
          const { url, server } = yield* repository(small)
          const { id: space } = yield* createSpace({ title: "Docs" })
          yield* succeeds(space, "import", url)
          const before = yield* pagesOf(space)
          yield* edit(space, "Guide", "One.\n\nTwo.\n\nThree, edited here.\n")
          yield* publish(space, [insertPage("Local", "Only here.")])
          server.commit("docs.git", {
            ...small,
            "guide.md": "# Guide\n\nOne, edited there.\n\nTwo.\n\nThree.\n",
            "new.md": "# New\n\nNew.\n",
            "SUMMARY.md": `${summary}* [New](new.md)\n`
          })
          const { operation } = yield* succeeds(space, "import", url)
          assert.notProperty(operation, "problems")
          assert.sameMembers(yield* titlesOf(space), ["Home", "Guide", "New", "Local"])
          assert.strictEqual(yield* markdownOf(space, "Guide"), "One, edited there.\n\nTwo.\n\nThree, edited here.\n")
          const after = yield* pagesOf(space)
          for (const { id, title } of before) assert.strictEqual(after.find((page) => page.id === id)?.title, title)
          // The same on both sides: the repository's version counts, and it is told of.
          yield* edit(space, "Home", "Welcome here.\n")
          server.commit("docs.git", { ...small, "README.md": "# Home\n\nWelcome there.\n" })
          const conflicting = yield* succeeds(space, "import", url)
          assert.deepStrictEqual(
            conflicting.operation.problems?.map(({ path }) => path),
            ["README.md"]
          )
          assert.strictEqual(yield* markdownOf(space, "Home"), "Welcome there.\n")
          // What is gone there goes, and what is only here stays.
          assert.sameMembers(yield* titlesOf(space), ["Home", "Guide", "Local"])
        })
      )

      it.effect("exports what is new as commits by their authors, and the same twice as nothing", () =>
        Effect.gen(function* () {
          const { users } = yield* Harness
          const { url, log, server, head } = yield* repository()
          const { space } = yield* spaceWith({ Home: "Welcome.", Guide: "One." })
          const first = yield* succeeds(space, "export", url)
          assert.strictEqual(first.commit, head())
          assert.strictEqual(log("%an <%ae> %cn %s"), "admin <admin@example.com> Lectern Update the docs")
          assert.deepStrictEqual(server.files("docs.git"), {
            "SUMMARY.md": "# Table of contents\n\n* [Home](home.md)\n* [Guide](guide.md)\n",
            "guide.md": "# Guide\n\nOne.\n",
            "home.md": "# Home\n\nWelcome.\n"
          })
          yield* succeeds(space, "export", url)
          assert.strictEqual(head(), first.commit)

          yield* TestClock.adjust("1 hour")
          const request = yield* openChangeRequest(space, { subject: "Say more" }, "edit")
          const guide = (yield* pagesOf(space)).find(({ title }) => title === "Guide")
          const change = { operation: "update_page", page: guide.id, document: { markdown: "One and two." } }
          yield* write(space, request.id, [change], "edit")
          const { revision } = yield* merge(space, request.id)
          yield* publish(space, [insertPage("New", "New.")])
          yield* succeeds(space, "export", url)
          assert.deepStrictEqual(log("%s").split("\n"), ["Update the docs", "Say more", "Update the docs"])
          assert.include(log("%b"), `Lectern-Revision: ${revision}`)
          assert.strictEqual(server.git("docs.git", ["show", "--format=", "--name-only", "main~1"]).trim(), "guide.md")
          assert.isDefined(users.edit)
          server.git("docs.git", ["fsck", "--strict"])
        })
      )

      it.effect("makes the same commits of the same revisions, wherever they go", () =>
        Effect.gen(function* () {
          const one = yield* repository()
          const other = yield* repository()
          const { space } = yield* spaceWith({ Home: "Welcome.", Guide: "One." })
          yield* succeeds(space, "export", one.url)
          yield* TestClock.adjust("1 day")
          yield* succeeds(space, "export", other.url)
          assert.strictEqual(one.head(), other.head())
        })
      )

      it.effect(
        "gives the same content where what was exported is imported, here and elsewhere",
        () =>
          Effect.gen(function* () {
            const folder = resolve(import.meta.dirname, "../../../docs")
            const files = Object.fromEntries(
              readdirSync(folder, { recursive: true, withFileTypes: true })
                .filter((entry) => entry.isFile())
                .map((entry) => join(entry.parentPath, entry.name))
                .map((full) => [full.slice(folder.length + 1), readFileSync(full)])
            )
            const { server, url } = yield* repository(files)
            const { id: space } = yield* createSpace({ title: "Manual" })
            yield* succeeds(space, "import", url)
            const titles = yield* titlesOf(space)
            assert.isAbove(titles.length, 30)

            // Nothing changed here, so nothing changes there, although it would be printed otherwise.
            const before = server.git("docs.git", ["rev-parse", "main"])
            yield* succeeds(space, "export", url)
            assert.strictEqual(server.git("docs.git", ["rev-parse", "main"]), before)

            server.init("copy.git")
            yield* succeeds(space, "export", server.urlOf("copy.git"))
            const { id: copy } = yield* createSpace({ title: "Copy" })
            yield* succeeds(copy, "import", server.urlOf("copy.git"))
            assert.deepStrictEqual(yield* titlesOf(copy), titles)
            const exported = server.git("copy.git", ["rev-parse", "main^{tree}"])
            server.init("again.git")
            yield* succeeds(copy, "export", server.urlOf("again.git"))
            assert.strictEqual(server.git("again.git", ["rev-parse", "main^{tree}"]), exported)

            const revision = yield* revisionOf(space)
            yield* succeeds(space, "import", server.urlOf("copy.git"))
            assert.strictEqual(yield* revisionOf(space), revision)
            yield* succeeds(space, "import", server.urlOf("copy.git"), { force: true })
            assert.strictEqual(yield* revisionOf(space), revision)
          }),
        120_000
      )

      it.effect(
        "gives the same content for any content, and knows every page of it again",
        () =>
          Effect.gen(function* () {
            const { organization } = yield* Harness
            const context = yield* Effect.context<Services>()
            const law = Effect.fnUntraced(function* (pages: RandomPages) {
              const { server, url, head } = yield* repository()
              const spaces = yield* Spaces
              const { id } = yield* spaces.create(OrganizationId.make(organization), { title: "Random" })
              yield* editContent(id, (editor) => fill(editor, pages))
              yield* succeeds(id, "export", url)
              const before = yield* look(id)
              const { id: copy } = yield* spaces.create(OrganizationId.make(organization), { title: "Copy" })
              yield* succeeds(copy, "import", url)
              assert.deepStrictEqual((yield* look(copy)).pages, before.pages)
              const tree = server.git("docs.git", ["rev-parse", "main^{tree}"]).trim()
              yield* succeeds(copy, "export", url)
              assert.strictEqual(server.git("docs.git", ["rev-parse", "main^{tree}"]).trim(), tree)
              // Whatever the space made itself is known again when the branch changes.
              const revision = yield* revisionOf(id)
              server.git("docs.git", ["update-ref", "refs/heads/main", commitBeside(server, head(), tree)])
              yield* succeeds(id, "import", url)
              assert.strictEqual(yield* revisionOf(id), revision)
            })
            yield* Effect.promise(() =>
              fc.assert(
                fc.asyncProperty(randomPages, (pages) =>
                  Effect.runPromise(
                    law(pages).pipe(
                      Effect.scoped,
                      Effect.provideService(CurrentActor, host),
                      Effect.provideContext(context)
                    )
                  )
                ),
                { numRuns: 5, seed: 20265 }
              )
            )
          }),
        120_000
      )

      it.effect("exports into a repository that changes, back and forth", () =>
        Effect.gen(function* () {
          const { server, url, log } = yield* repository({ LICENSE: "MIT", "src/a.ts": "1" })
          const { space } = yield* spaceWith({ Home: "Welcome.", Guide: "One.\n\nTwo." })
          yield* publish(space, [{ operation: "insert_page", type: "group", title: "Part", ref: "Part" }])
          yield* succeeds(space, "export", url)
          const pages = yield* pagesOf(space)
          const files = server.files("docs.git")
          assert.strictEqual(files["LICENSE"], "MIT")

          yield* edit(space, "Guide", "One.\n\nTwo, here.")
          const { "guide.md": guide = "", ...others } = files
          server.commit(
            "docs.git",
            { ...others, "guide.md": guide.replace("One.", "One, there.") },
            { message: "There" }
          )
          const moved = yield* fails(space, "export", url)
          assert.match(moved, /has commits that were not imported/)

          yield* succeeds(space, "import", url)
          assert.strictEqual(yield* markdownOf(space, "Guide"), "One, there.\n\nTwo, here.\n")
          assert.deepStrictEqual(
            (yield* pagesOf(space)).map(({ id, title }) => [id, title]),
            pages.map(({ id, title }) => [id, title])
          )
          yield* succeeds(space, "export", url)
          assert.strictEqual(server.files("docs.git")["guide.md"], "# Guide\n\nOne, there.\n\nTwo, here.\n")
          assert.deepStrictEqual(log("%s").split("\n"), ["Change", "Update the docs", "There", "Update the docs"])
          const head = log("%H")
          yield* succeeds(space, "import", url)
          yield* succeeds(space, "export", url)
          assert.strictEqual(log("%H"), head)
        })
      )

      it.effect("goes on from a push whose end nobody has heard of", () =>
        Effect.gen(function* () {
          const { url, log } = yield* repository()
          const { space } = yield* spaceWith({ Home: "Welcome." })
          yield* succeeds(space, "export", url)
          const syncs = (yield* Storage).repository(GitSyncTable)
          const row = yield* syncs.get({ space: space as SpaceId })
          const lost = { common: undefined, pushing: row!.common }
          yield* syncs.update({ space: space as SpaceId }, lost)
          yield* edit(space, "Home", "Welcome again.")
          yield* succeeds(space, "export", url)
          assert.strictEqual(log("%s").split("\n").length, 2)
          yield* syncs.update({ space: space as SpaceId }, { common: undefined, pushing: row!.common })
          assert.match(yield* fails(space, "export", url), /were not imported/)
        })
      )

      it.effect("adds to a repository what it is asked to copy there, and remembers nothing of it", () =>
        Effect.gen(function* () {
          const { url, server } = yield* repository(small)
          const { space } = yield* spaceWith({ Other: "Text." })
          const state = yield* succeeds(space, "export", url, { standalone: true })
          assert.notProperty(state, "commit")
          assert.hasAllKeys(server.files("docs.git"), ["README.md", "SUMMARY.md", "guide.md", "other.md"])
          yield* succeeds(space, "export", url, { standalone: true })
          assert.strictEqual(server.git("docs.git", ["rev-list", "--count", "main"]).trim(), "2")
        })
      )

      it.effect("keeps what it compares with, however much garbage is collected meanwhile", () =>
        Effect.gen(function* () {
          const { server, url } = yield* repository()
          const { space } = yield* spaceWith({ Home: "Welcome.", Guide: "One.\n\nTwo." })
          yield* succeeds(space, "export", url)
          yield* edit(space, "Guide", "One.\n\nTwo, here.")
          for (let day = 0; day < 4; day++) {
            yield* TestClock.adjust("25 hours")
            yield* (yield* JobWorker).runDue
          }
          const files = server.files("docs.git")
          server.commit("docs.git", { ...files, "guide.md": "# Guide\n\nOne, there.\n\nTwo.\n" })
          yield* succeeds(space, "import", url)
          assert.strictEqual(yield* markdownOf(space, "Guide"), "One, there.\n\nTwo, here.\n")
          yield* succeeds(space, "export", url)
        })
      )

      it.effect("keeps to the root, the table of contents and the directory that a repository names", () =>
        Effect.gen(function* () {
          const { server, url } = yield* repository({
            "product/.gitbook.yaml": "root: ./docs\nstructure:\n  readme: start.md\n  summary: toc.md\n",
            "product/docs/start.md": "# Start\n\nHere.\n",
            "product/docs/more.md": "# More\n\nThere.\n",
            "product/docs/toc.md": "# Contents\n\n* [More](more.md)\n",
            "product/other.md": "# Other\n",
            "other.md": "# Other\n"
          })
          const { id: space } = yield* createSpace({ title: "Docs" })
          const at = { repoProjectDirectory: "/product/" }
          yield* succeeds(space, "import", url, at)
          assert.deepStrictEqual(yield* titlesOf(space), ["Start", "More"])
          yield* publish(space, [insertPage("Last", "Last.")])
          yield* succeeds(space, "export", url, at)
          assert.deepInclude(server.files("docs.git"), {
            "product/docs/last.md": "# Last\n\nLast.\n",
            "product/docs/more.md": "# More\n\nThere.\n",
            "product/docs/toc.md": "# Table of contents\n\n* [Start](start.md)\n* [More](more.md)\n* [Last](last.md)\n"
          })
          assert.notProperty(server.files("docs.git"), "product/docs/SUMMARY.md")
          const { id: copy } = yield* createSpace({ title: "Copy" })
          yield* succeeds(copy, "import", url, at)
          assert.deepStrictEqual(yield* titlesOf(copy), ["Start", "More", "Last"])
        })
      )

      it.effect("has credentials for as long as it needs them, and shows them nowhere", () =>
        Effect.gen(function* () {
          const secret = "s3cr3t-token"
          const server = yield* gitServer({ credentials: `me:${secret}` })
          server.init("docs.git")
          server.commit("docs.git", small)
          const storage = yield* Storage
          const credentials = storage.repository(GitCredentialTable)
          const { id: space } = yield* createSpace({ title: "Docs" })
          assert.match(yield* fails(space, "import", server.urlOf("docs.git")), /user name and a token/)
          const url = server.urlOf("docs.git").replace("//", `//me:${secret}@`)
          yield* ask(space, "import", { url }).pipe(has(204))
          assert.strictEqual((yield* credentials.list({ where: { space: space as SpaceId } })).length, 1)
          yield* (yield* JobWorker).runDue
          const state = yield* info(space)
          assert.strictEqual(state.operation.state, "success")
          assert.deepStrictEqual(yield* credentials.list({ where: { space: space as SpaceId } }), [])
          const rows = [
            ...(yield* storage.repository(GitSyncTable).list({ where: { space: space as SpaceId } })),
            ...(yield* storage.repository(JobTable).list({ where: { id: { gte: "" as never } } })),
            ...(yield* storage.repository(EventTable).list({ where: { id: { gte: "" as never } } })),
            ...(yield* storage.repository(RevisionTable).list({ where: { space } })),
            yield* getSpace(space),
            state
          ]
          assert.notInclude(JSON.stringify(rows), secret)
          assert.notInclude(JSON.stringify(rows), "me:")
        })
      )

      it.effect("does one thing at a time, and gives up on what does not end", () =>
        Effect.gen(function* () {
          const { url } = yield* repository(small)
          const { id: space } = yield* createSpace({ title: "Docs" })
          yield* ask(space, "import", { url: url.replace("//", "//me:secret@") }).pipe(has(204))
          const busy = yield* ask(space, "export", { url }).pipe(refused(409))
          assert.match(busy.message, /is running/)
          yield* TestClock.adjust(Duration.millis(operationTimeout))
          const { operation } = yield* info(space)
          assert.deepInclude(operation, { state: "timeout", error: "It took longer than 15 minutes" })
          yield* (yield* JobWorker).runDue
          assert.strictEqual((yield* info(space)).operation.state, "timeout")
          const credentials = (yield* Storage).repository(GitCredentialTable)
          assert.deepStrictEqual(yield* credentials.list({ where: { space: space as SpaceId } }), [])
          assert.deepStrictEqual(yield* titlesOf(space), [])
          yield* succeeds(space, "import", url)
        })
      )

      it.effect("does what a later event asked for, and nothing for an earlier one", () =>
        Effect.gen(function* () {
          const { url } = yield* repository(small)
          const { id: space } = yield* createSpace({ title: "Docs" })
          yield* succeeds(space, "import", url, { timestamp: "2026-01-02T00:00:00Z" })
          yield* ask(space, "import", { url, timestamp: "2026-01-01T23:59:59Z" }).pipe(refused(409))
          yield* succeeds(space, "import", url, { timestamp: "2026-01-02T01:00:00+01:00" })
        })
      )

      it.effect("tells of what it left out, and of why it failed", () =>
        Effect.gen(function* () {
          const { server, url } = yield* repository()
          const { id: space } = yield* createSpace({ title: "Docs" })
          assert.match(yield* fails(space, "import", url), /has no branch refs\/heads\/main/)
          server.commitTree(
            "docs.git",
            server.tree("docs.git", [
              { name: "README.md", content: "# Home\n" },
              { name: "out.md", mode: "120000", content: "../../etc/passwd" },
              { name: "module", mode: "160000", oid: "1".repeat(40) }
            ])
          )
          const { operation } = yield* succeeds(space, "import", url)
          assert.strictEqual(operation.problemCount, 2)
          assert.deepStrictEqual(operation.problems?.map(({ path }) => path).sort(), ["module", "out.md"])
          assert.deepStrictEqual(yield* titlesOf(space), ["Home"])
          assert.match(yield* fails(space, "import", server.urlOf("none.git")), /no such repository/)
          assert.match(yield* fails(space, "import", url, { repoProjectDirectory: "none" }), /nothing to import/)
          assert.deepStrictEqual(yield* titlesOf(space), ["Home"])
        })
      )

      it.effect("is refused with a sentence where it makes no sense, and nothing runs", () =>
        Effect.gen(function* () {
          const { call } = yield* Harness
          const { id: space } = yield* createSpace({ title: "Docs" })
          const url = "https://example.com/docs.git"
          const refusals: ReadonlyArray<Record<string, unknown>> = [
            { url: "" },
            { url: "docs.git" },
            { url: "git@github.com:acme/docs.git" },
            { url: "ssh://git@example.com/docs.git" },
            { url: "file:///etc" },
            { url: "http://10.0.0.1/docs.git" },
            { url: "http://localhost/docs.git" },
            { url: "http://169.254.169.254/latest" },
            { url: `${url}?token=x` },
            { url: `${url}#x` },
            { url: `https://example.com/${"x".repeat(3000)}` },
            { url, ref: "main" },
            { url, ref: "refs/tags/v1" },
            { url, ref: "refs/heads/" },
            { url, ref: "refs/heads/a..b" },
            { url, ref: "refs/heads/a b" },
            { url, ref: "refs/heads/.a" },
            { url, ref: "refs/heads/a.lock" },
            { url, ref: "refs/heads/a\u0007" },
            { url, ref: `refs/heads/${"x".repeat(300)}` },
            { url, repoProjectDirectory: "../docs" },
            { url, repoProjectDirectory: "a\\b" },
            { url, repoTreeURL: "javascript:alert(1)" },
            { url, repoCommitURL: "https://me:secret@example.com/commit" },
            { url, timestamp: "yesterday" },
            { url, force: "yes" }
          ]
          for (const body of refusals) {
            for (const operation of ["import", "export"] as const) {
              const { message } = yield* ask(space, operation, body).pipe(refused(400))
              assert.notInclude(message, "secret")
            }
          }
          yield* ask(space, "import", { url, standalone: true }).pipe(refused(400))
          assert.match((yield* ask(space, "export", { url, force: true }).pipe(refused(400))).message, /never forced/)
          yield* ask(space, "export", { url, commitMessage: "" }).pipe(refused(400))
          yield* call("admin", "POST", `/v1/spaces/${space}/git/export`, { url, ref }).pipe(refused(400))
          yield* call("admin", "GET", `/v1/spaces/${space}/git/info`).pipe(refused(404))
          yield* call("admin", "PATCH", `/v1/spaces/${space}`, { editMode: "locked" }).pipe(has(200))
          yield* ask(space, "import", { url }).pipe(refused(409))
          yield* ask("none", "import", { url }).pipe(refused(404))
        })
      )

      it.effect("is for administrators of the space, also once it is begun", () =>
        Effect.gen(function* () {
          const { call, users } = yield* Harness
          const { url } = yield* repository(small)
          const { id: space } = yield* createSpace({ title: "Docs" })
          for (const person of ["create", "review", "edit", "comment", "read"] as const) {
            for (const operation of ["import", "export"] as const) {
              yield* ask(space, operation, { url }, person).pipe(refused(403))
            }
            yield* call(person, "GET", `/v1/spaces/${space}/git/info`).pipe(refused(403))
          }
          yield* ask(space, "import", { url }, "outsider").pipe(refused(404))
          yield* ask(space, "import", { url }, "nobody").pipe(refused(401))
          const grants = `/v1/spaces/${space}/permissions`
          yield* call("admin", "POST", grants, { users: [users.read], role: "admin" }).pipe(has(204))
          yield* ask(space, "import", { url }, "read").pipe(has(204))
          yield* call("admin", "DELETE", `${grants}/users/${users.read}`).pipe(has(204))
          yield* (yield* JobWorker).runDue
          const { operation } = yield* info(space)
          assert.strictEqual(operation.state, "failure")
          assert.match(operation.error ?? "", /takes the role/)
          assert.deepStrictEqual(yield* titlesOf(space), [])
        })
      )

      it.effect("tells of it by events", () =>
        Effect.gen(function* () {
          const { url, head } = yield* repository(small)
          const { id: space } = yield* createSpace({ title: "Docs" })
          yield* succeeds(space, "import", url)
          const events = (yield* Storage).repository(EventTable)
          const told = (yield* events.list({ where: { id: { gte: "" as never } } })).filter(
            (event) => "space" in event && event.space === space
          )
          assert.deepStrictEqual(
            told.map(({ type }) => type).filter((type) => type !== "space_created"),
            ["space_gitsync_started", "space_content_updated", "space_gitsync_completed"]
          )
          assert.deepInclude(told.at(-1), { direction: "import", state: "success", commit: head() })
          assert.isDefined(yield* Events)
        })
      )
    },
    outside
  )
})
