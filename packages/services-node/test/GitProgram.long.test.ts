/**
 * Branches that are too large for memory, by the program `git`: held to the same rules, and kept apart from the
 * machine. That it reads what the library reads, `NodeGitRemote.long` says.
 */
import { type GitFolder, GitRemote } from "@lectern/exchange/git/GitRemote"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type GitProgramChoice, NodeGitRemote, type NodeGitRemoteOptions } from "../src/git/NodeGitRemote.ts"
import { gitServer, type GitServerOptions, hasGit } from "./GitServer.ts"
import { serving } from "./Servers.ts"

const mebibyte = 1024 * 1024
const always: GitProgramChoice = { command: "git", above: 0 }

const at = (url: string, more: Partial<GitFolder> = {}): GitFolder => ({
  url,
  ref: "refs/heads/main",
  directory: "docs",
  ...more
})

const open = (
  folder: GitFolder,
  options: NodeGitRemoteOptions = { program: always },
  credentials?: { readonly username: string; readonly password: string }
) =>
  Effect.flatMap(GitRemote, (remote) => remote.open(folder, credentials)).pipe(
    Effect.provide(NodeGitRemote.layer({ allowedPrivateHosts: ["127.0.0.1"], ...options }), { local: true })
  )

/** Bytes that nothing makes smaller. */
const noise = (length: number): Uint8Array => {
  const bytes = new Uint8Array(length)
  let state = 1
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    bytes[i] = state >>> 24
  }
  return bytes
}

/** A repository of which the documentation is a small part. */
const repository = Effect.fnUntraced(function* ({
  givesParts = true,
  ...options
}: GitServerOptions & { readonly givesParts?: boolean } = {}) {
  const server = yield* gitServer(options)
  server.init("docs.git")
  if (givesParts) server.git("docs.git", ["config", "uploadpack.allowFilter", "true"])
  server.commit("docs.git", { "docs/a.md": "older" })
  const oid = server.commit("docs.git", {
    "docs/a.md": "# A\n",
    "docs/sub/ü.md": "b",
    "docs/image.bin": noise(1000),
    "src/large.bin": noise(3 * mebibyte)
  })
  return { server, oid, url: server.urlOf("docs.git") }
})

const bytes = (text: string) => new TextEncoder().encode(text)
const text = (content: Uint8Array) => new TextDecoder().decode(content)
const commit = {
  message: "Change",
  author: { name: "Grace", email: "grace@example.com" },
  committer: { name: "Lectern", email: "lectern@example.com" },
  at: Date.UTC(2026, 0, 2)
}
/** A folder for temporary files that no other test writes to. */
const ownTemporaryFolder = Effect.acquireRelease(
  Effect.sync(() => {
    const before = process.env["TMPDIR"]
    return { before, folder: (process.env["TMPDIR"] = mkdtempSync(join(tmpdir(), "lectern-own-"))) }
  }),
  ({ before, folder }) =>
    Effect.sync(() => {
      if (before === undefined) delete process.env["TMPDIR"]
      else process.env["TMPDIR"] = before
      rmSync(folder, { recursive: true })
    })
)

describe.runIf(hasGit)("a branch by the program git", () => {
  it.live("is read as far as the documentation goes, and takes commits", () =>
    Effect.gen(function* () {
      const { oid, server, url } = yield* repository()
      const program = { ...always, maxFetchBytes: mebibyte }
      const branch = yield* open(at(url), { program })
      assert.deepStrictEqual(branch.head, { oid, message: "Change\n" })
      assert.deepStrictEqual(
        branch.files.map(({ path, size }) => [path, size]),
        [
          ["a.md", 4],
          ["image.bin", 1000],
          ["sub/ü.md", 1]
        ]
      )
      assert.strictEqual(text(yield* branch.read(branch.files[0]!)), "# A\n")
      yield* branch.write("a.md", bytes("changed"))
      yield* branch.write("new/b.md", bytes("new"))
      yield* branch.remove("sub/ü.md")
      const made = yield* branch.commit(commit)
      yield* branch.push
      assert.strictEqual(server.git("docs.git", ["rev-parse", "main"]).trim(), made)
      assert.deepStrictEqual(server.git("docs.git", ["ls-tree", "-r", "--name-only", "main"]).trim().split("\n"), [
        "docs/a.md",
        "docs/image.bin",
        "docs/new/b.md",
        "src/large.bin"
      ])
      server.git("docs.git", ["fsck", "--strict"])
    }).pipe(Effect.scoped)
  )

  it.live("is fetched so where it is large, if there is such a program, and else in memory", () =>
    Effect.gen(function* () {
      const { server, url } = yield* repository()
      const above = 100_000
      const remote = yield* Effect.provide(
        GitRemote,
        NodeGitRemote.layer({ allowedPrivateHosts: ["127.0.0.1"], program: { command: "git", above } })
      )
      const asked: Array<number> = []
      for (let i = 0; i < 2; i++) {
        const before = server.requests()
        const branch = yield* Effect.scoped(remote.open(at(url), undefined))
        assert.strictEqual(branch.files.length, 3)
        asked.push(server.requests() - before)
      }
      // The second time it is known.
      assert.isBelow(asked[1]!, asked[0]!)
      const program = { command: "no-such-git", above }
      assert.strictEqual((yield* open(at(url), { program })).files.length, 3)
      const missing = yield* Effect.flip(open(at(url), { limits: { maxFetchBytes: mebibyte }, program }))
      assert.deepStrictEqual([missing.reason, missing.message], ["too-large", "The branch exceeds the limit of 1 MiB"])
    }).pipe(Effect.scoped)
  )

  it.live("is bounded in what is fetched and in each file", () =>
    Effect.gen(function* () {
      const { url } = yield* repository({ givesParts: false })
      assert.strictEqual((yield* open(at(url))).files.length, 3)
      const whole = yield* Effect.flip(open(at(url), { program: { ...always, maxFetchBytes: mebibyte } }))
      assert.deepStrictEqual([whole.reason, whole.message], ["too-large", "The branch exceeds the limit of 1 MiB"])
      const limits = { maxObjectBytes: mebibyte }
      const file = yield* Effect.flip(open(at(url, { directory: "" }), { program: always, limits }))
      assert.deepStrictEqual([file.reason, file.message], ["too-large", "The repository has a file of more than 1 MiB"])
    }).pipe(Effect.scoped)
  )

  it.live("is asked for with credentials that the program never sees, and without settings of the machine", () =>
    Effect.gen(function* () {
      const { url } = yield* repository({ credentials: "ada:s3cret-t0ken" })
      const folder = mkdtempSync(join(tmpdir(), "lectern-test-"))
      const [seen, command] = [join(folder, "seen"), join(folder, "git")]
      const real = execFileSync("/bin/sh", ["-c", "command -v git"], { encoding: "utf8" }).trim()
      writeFileSync(
        command,
        `#!/bin/sh\n{ echo "$@"; env; cat "$GIT_DIR/config" 2>/dev/null; } >> ${seen}\nexec ${real} "$@"\n`
      )
      chmodSync(command, 0o755)
      const before = { ...process.env }
      Object.assign(process.env, { GIT_CONFIG_COUNT: "1", GIT_TRACE: "1", HTTPS_PROXY: "http://elsewhere.example" })
      try {
        const branch = yield* open(
          at(url),
          { program: { ...always, command } },
          { username: "ada", password: "s3cret-t0ken" }
        )
        assert.strictEqual(branch.files.length, 3)
      } finally {
        process.env = before
      }
      const told = readFileSync(seen, "utf8")
      for (const hidden of [
        "s3cret",
        Buffer.from("ada:s3cret-t0ken").toString("base64"),
        new URL(url).host,
        "elsewhere",
        "GIT_TRACE"
      ]) {
        assert.notInclude(told, hidden)
      }
      assert.include(told, "GIT_CONFIG_GLOBAL=/dev/null")
      assert.include(told, "core.hooksPath=/dev/null")
      rmSync(folder, { recursive: true })
      const wrong = yield* Effect.flip(open(at(url), { program: always }, { username: "ada", password: "wr0ng-0ne" }))
      assert.strictEqual(wrong.reason, "unauthorized")
      assert.notInclude(wrong.message, "wr0ng")
    }).pipe(Effect.scoped)
  )

  const oid = "1".repeat(40)
  const pkt = (line: string) => (line.length + 4).toString(16).padStart(4, "0") + line
  const refs = `${pkt("# service=git-upload-pack\n")}0000${pkt(`${oid} refs/heads/main\0shallow filter\n`)}0000`
  const answering = (type: string, body: string) =>
    serving((request, response) => {
      const isGet = request.method === "GET"
      request.resume()
      response
        .writeHead(200, { "content-type": `application/x-git-upload-pack-${isGet ? "advertisement" : type}` })
        .end(isGet ? refs : body)
    })

  it.live.each([
    ["nothing that Git says", "result", "secret", "failed"],
    ["another type", "secret", "0008NAK\n", "failed"],
    ["half an answer, and waits", "result", "0008", "timeout"],
    ["an error of its own", "result", pkt("ERR secret"), "failed"]
  ] as const)("fails with a sentence at a host that answers with %s", ([, type, body, reason]) =>
    Effect.gen(function* () {
      const server = yield* answering(type, body)
      const program = { ...always, maxSilence: 3000 }
      const failure = yield* Effect.flip(open(at(`${server.url}/docs.git`), { program }))
      assert.strictEqual(failure.reason, reason)
      assert.notInclude(failure.message, "secret")
    }).pipe(Effect.scoped)
  )

  it.live("leaves nothing on the disk", () =>
    Effect.gen(function* () {
      const { url } = yield* repository()
      const { folder } = yield* ownTemporaryFolder
      yield* Effect.scoped(open(at(url)))
      yield* Effect.scoped(Effect.exit(open(at(url), { program: { ...always, maxFetchBytes: 100 } })))
      assert.deepStrictEqual(readdirSync(folder), [])
    }).pipe(Effect.scoped)
  )
})
