import { GitFailed, type GitFolder, GitRemote, type NewCommit } from "@lectern/exchange/git/GitRemote"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { deflateSync } from "node:zlib"
import { createHash } from "node:crypto"
import { type GitProgramChoice, NodeGitRemote, type NodeGitRemoteOptions } from "../src/git/NodeGitRemote.ts"
import { type GitServer, gitServer, hasGit } from "./GitServer.ts"
import { serving } from "./Servers.ts"

const at = (url: string, more: Partial<GitFolder> = {}): GitFolder => ({
  url,
  ref: "refs/heads/main",
  directory: "",
  ...more
})

const opening =
  (program: GitProgramChoice | undefined) =>
  (
    folder: GitFolder,
    options: NodeGitRemoteOptions = { allowedPrivateHosts: ["127.0.0.1"] },
    credentials?: { readonly username: string; readonly password: string }
  ) =>
    Effect.flatMap(GitRemote, (remote) => remote.open(folder, credentials)).pipe(
      Effect.provide(NodeGitRemote.layer({ program, ...options }), { local: true })
    )

/** Ways to fetch a branch: nothing but time and size may tell them apart. */
const ways: ReadonlyArray<readonly [way: string, program: GitProgramChoice | undefined]> = [
  ["in memory", undefined],
  ["by the program git", { command: "git", above: 0 }]
]

const repository = Effect.fnUntraced(function* (files: Record<string, string | Uint8Array>) {
  const server = yield* gitServer()
  server.init("docs.git")
  const oid = server.commit("docs.git", files)
  return { server, oid, url: server.urlOf("docs.git") }
})

const commit = (message: string, at = Date.UTC(2026, 0, 2)): NewCommit => ({
  message,
  author: { name: "Grace", email: "grace@example.com" },
  committer: { name: "Lectern", email: "lectern@example.com" },
  at
})

const bytes = (text: string) => new TextEncoder().encode(text)
const text = (content: Uint8Array) => new TextDecoder().decode(content)

describe.runIf(hasGit).each(ways)("NodeGitRemote, %s", (_, program) => {
  const open = opening(program)
  /** Tests of the library alone, which works the same on what the program fetched. */
  const inMemory = it.live.skipIf(program !== undefined)

  it.live("reads what a branch holds", () =>
    Effect.gen(function* () {
      const { oid, url } = yield* repository({ "README.md": "# Home\n", "a/b/ü.md": "x", "image.png": "\0\x01" })
      const branch = yield* open(at(url))
      assert.deepStrictEqual(branch.head, { oid, message: "Change\n" })
      assert.deepStrictEqual(
        branch.files.map(({ path, size }) => [path, size]),
        [
          ["README.md", 7],
          ["a/b/ü.md", 1],
          ["image.png", 2]
        ]
      )
      assert.deepStrictEqual(branch.problems, [])
      assert.strictEqual(text(yield* branch.read(branch.files[0]!)), "# Home\n")
    })
  )

  it.live("reads a folder of it, and no branch where there is none", () =>
    Effect.gen(function* () {
      const { server, url } = yield* repository({ "docs/a.md": "a", "docs/sub/b.md": "b", "src/c.ts": "c" })
      const branch = yield* open(at(url, { directory: "docs" }))
      assert.deepStrictEqual(
        branch.files.map(({ path }) => path),
        ["a.md", "sub/b.md"]
      )
      assert.deepStrictEqual((yield* open(at(url, { directory: "nothing" }))).files, [])
      assert.isUndefined((yield* open(at(url, { ref: "refs/heads/other" }))).head)
      server.init("empty.git")
      assert.isUndefined((yield* open(at(server.urlOf("empty.git")))).head)
    })
  )

  it.live("adds commits, which git finds as they were given, and leaves everything else as it is", () =>
    Effect.gen(function* () {
      const { server, url } = yield* repository({ "docs/a.md": "a", "docs/old.md": "old", "src/c.ts": "c" })
      const branch = yield* open(at(url, { directory: "docs" }))
      yield* branch.write("a.md", bytes("changed"))
      yield* branch.write("new/page.md", bytes("new"))
      const first = yield* branch.commit(commit("First\n\nWith more.\n"))
      yield* branch.remove("old.md")
      yield* branch.remove("never-there.md")
      const second = yield* branch.commit(commit("Second", Date.UTC(2026, 0, 3)))
      assert.isUndefined(yield* branch.commit(commit("Nothing")))
      yield* branch.push
      assert.strictEqual(server.git("docs.git", ["rev-parse", "main"]).trim(), second)
      assert.strictEqual(server.git("docs.git", ["rev-parse", "main~1"]).trim(), first)
      assert.deepStrictEqual(server.files("docs.git"), {
        "docs/a.md": "changed",
        "docs/new/page.md": "new",
        "src/c.ts": "c"
      })
      assert.strictEqual(
        server.git("docs.git", ["log", "--format=%an <%ae> %aI %cn %s", "main~2..main"]),
        "Grace <grace@example.com> 2026-01-03T00:00:00+00:00 Lectern Second\nGrace <grace@example.com> 2026-01-02T00:00:00+00:00 Lectern First\n"
      )
      server.git("docs.git", ["fsck", "--strict"])
    })
  )

  it.live("makes a branch that is not there, in an empty repository too", () =>
    Effect.gen(function* () {
      const { server, url } = yield* repository({ "a.md": "a" })
      server.init("empty.git")
      const ids: Array<string | undefined> = []
      for (const folder of [at(url, { ref: "refs/heads/docs/new" }), at(server.urlOf("empty.git"))]) {
        const branch = yield* open(folder)
        yield* branch.write("page.md", bytes("page"))
        ids.push(yield* branch.commit(commit("Begin")))
        yield* branch.push
      }
      assert.strictEqual(ids[0], ids[1])
      assert.deepStrictEqual(server.files("docs.git", "docs/new"), { "page.md": "page" })
      assert.deepStrictEqual(server.files("empty.git"), { "page.md": "page" })
    })
  )

  it.live("reads a branch of a repository whose default branch does not exist", () =>
    Effect.gen(function* () {
      const { server, url } = yield* repository({ "a.md": "a" })
      server.git("docs.git", ["symbolic-ref", "HEAD", "refs/heads/unborn"])
      const branch = yield* open(at(url))
      assert.deepStrictEqual(
        branch.files.map(({ path }) => path),
        ["a.md"]
      )
    })
  )

  inMemory("never forces: a branch that moved meanwhile stays where it is", () =>
    Effect.gen(function* () {
      const { server, url } = yield* repository({ "a.md": "a" })
      const branch = yield* open(at(url))
      yield* branch.write("a.md", bytes("ours"))
      yield* branch.commit(commit("Ours"))
      const theirs = server.commit("docs.git", { "a.md": "theirs" })
      const failure = yield* Effect.flip(branch.push)
      assert.strictEqual(failure.reason, "moved")
      assert.strictEqual(server.git("docs.git", ["rev-parse", "main"]).trim(), theirs)
    })
  )

  inMemory("tells why a repository does not take a push", () =>
    Effect.gen(function* () {
      const { server, url } = yield* repository({ "a.md": "a" })
      server.git("docs.git", ["config", "receive.denyUpdateCurrentBranch", "refuse"])
      server.git("docs.git", ["config", "receive.hideRefs", "refs/heads/hidden"])
      const branch = yield* open(at(url, { ref: "refs/heads/hidden" }))
      yield* branch.write("a.md", bytes("ours"))
      yield* branch.commit(commit("Ours"))
      const { reason, message } = yield* Effect.flip(branch.push)
      assert.strictEqual(reason, "rejected")
      assert.match(message, /^The repository rejected the push: .*hidden/)
    })
  )

  describe("what a repository may hold", () => {
    const hostile = Effect.fnUntraced(function* (make: (server: GitServer) => string) {
      const server = yield* gitServer()
      server.init("hostile.git")
      server.git("hostile.git", ["config", "core.protectNTFS", "false"])
      server.commitTree("hostile.git", make(server))
      return { server, url: server.urlOf("hostile.git") }
    })
    /** A tree with names that `git mktree` would not take. */
    const rawTree = (server: GitServer, entries: ReadonlyArray<readonly [mode: string, name: string, oid: string]>) =>
      server
        .git(
          "hostile.git",
          ["hash-object", "-w", "-t", "tree", "--literally", "--stdin"],
          Buffer.concat(
            entries.map(([mode, name, oid]) =>
              Buffer.concat([Buffer.from(`${mode} ${name}\0`, "latin1"), Buffer.from(oid, "hex")])
            )
          )
        )
        .trim()
    const blob = (server: GitServer, content: string) =>
      server.git("hostile.git", ["hash-object", "-w", "--stdin"], content).trim()

    it.live("follows a symbolic link to a file of the folder and no other", () =>
      Effect.gen(function* () {
        const links = {
          "in.md": "docs/page.md",
          "out.md": "../../../etc/passwd",
          "absolute.md": "/etc/passwd",
          "folder.md": "docs",
          "nowhere.md": "docs/none.md",
          "self.md": "self.md",
          "around.md": "docs/../docs/page.md"
        }
        const { url } = yield* hostile((server) =>
          server.tree("hostile.git", [
            ...Object.entries(links).map(([name, content]) => ({ name, content, mode: "120000" })),
            { name: "docs", mode: "40000", oid: server.tree("hostile.git", [{ name: "page.md", content: "Page" }]) }
          ])
        )
        const branch = yield* open(at(url))
        assert.deepStrictEqual(
          branch.files.map(({ path }) => path),
          ["around.md", "docs/page.md", "in.md"]
        )
        assert.strictEqual(text(yield* branch.read(branch.files[2]!)), "Page")
        assert.deepStrictEqual(Object.fromEntries(branch.problems.map(({ path, message }) => [path, message])), {
          "absolute.md": "A symbolic link that leads out of the folder is left out",
          "folder.md": "A symbolic link that leads to no file is left out",
          "nowhere.md": "A symbolic link that leads to no file is left out",
          "out.md": "A symbolic link that leads out of the folder is left out",
          "self.md": "A symbolic link that leads to no file is left out"
        })
      })
    )

    it.live("leaves out submodules, LFS, strange names, and second files of a name", () =>
      Effect.gen(function* () {
        const { url } = yield* hostile((server) => {
          const page = blob(server, "Page")
          const inner = rawTree(server, [["100644", "passwd", page]])
          return rawTree(server, [
            ["40000", "..", inner],
            ["40000", ".git", inner],
            ["40000", ".GIT ", inner],
            ["100644", "../up.md", page],
            ["100644", "a\\b.md", page],
            ["100644", "big.bin", blob(server, "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n")],
            ["100644", "git~1", page],
            ["100644", "\xff\xfe.md", page],
            ["100644", "ok.md", page],
            ["100644", "ok.md", page],
            ["160000", "module", "1".repeat(40)],
            ["40000", "node_modules", inner]
          ])
        })
        const branch = yield* open(at(url))
        assert.deepStrictEqual(
          branch.files.map(({ path }) => path),
          ["ok.md"]
        )
        assert.deepStrictEqual(
          branch.problems.map(({ path, message }) => `${path}: ${message}`),
          [
            "..: A name like this is left out",
            ".git: A name like this is left out",
            ".GIT : A name like this is left out",
            "../up.md: A name like this is left out",
            "a\\b.md: A name like this is left out",
            "big.bin: It is kept in Git LFS, which is not read, and left out",
            "git~1: A name like this is left out",
            "\ufffd\ufffd.md: A name that is no UTF-8 is left out",
            "ok.md: A second file of this name is left out",
            "module: A submodule is left out: it is a repository of its own"
          ]
        )
      })
    )

    it.live("takes one of two paths that differ in case alone", () =>
      Effect.gen(function* () {
        const files = {
          "Guide.md": "1",
          "guide.md": "2",
          "a/é.md": "3",
          "a/e\u0301.md": "4",
          Docs: "5",
          "docs/page.md": "6"
        }
        const { url } = yield* repository(files)
        const branch = yield* open(at(url))
        assert.deepStrictEqual(
          branch.files.map(({ path }) => path),
          ["Guide.md", "a/e\u0301.md", "docs/page.md"]
        )
        assert.deepStrictEqual(
          branch.problems.map(({ path }) => path),
          ["Docs", "a/é.md", "guide.md"]
        )
      })
    )

    it.live("keeps what it can't read when it adds to it", () =>
      Effect.gen(function* () {
        const { server, url } = yield* hostile((server) =>
          rawTree(server, [
            ["100755", "\xff\xfe.md", blob(server, "odd")],
            ["120000", "link.md", blob(server, "../out")],
            ["160000", "module", "1".repeat(40)],
            ["100755", "run.md", blob(server, "run")]
          ])
        )
        const before = server.git("hostile.git", ["ls-tree", "main"])
        const branch = yield* open(at(url))
        yield* branch.write("page.md", bytes("page"))
        yield* branch.write("run.md", bytes("run faster"))
        yield* branch.commit(commit("Add"))
        yield* branch.push
        const kept = server.git("hostile.git", ["ls-tree", "main"]).split("\n")
        for (const line of before.split("\n").filter((line) => !line.endsWith("run.md"))) assert.include(kept, line)
        assert.isTrue(kept.some((line) => line.startsWith("100755") && line.endsWith("run.md")))
      })
    )

    inMemory("refuses to write where something else is, or where nothing may be", () =>
      Effect.gen(function* () {
        const { url } = yield* repository({ "folder/page.md": "x", file: "x" })
        const branch = yield* open(at(url))
        for (const path of ["folder", "file/page.md", ".git/config", "../x.md", "a/../x.md", "a//b.md", "/x.md", ""]) {
          assert.strictEqual((yield* Effect.flip(branch.write(path, bytes("x")))).reason, "failed", path)
        }
      })
    )

    inMemory("refuses more than it may fetch, unpack, or hold", () =>
      Effect.gen(function* () {
        const { url } = yield* repository({ "zeros.bin": new Uint8Array(3 * 1024 * 1024), "a.md": "a", "b.md": "b" })
        const allowedPrivateHosts = ["127.0.0.1"]
        for (const [limits, message] of [
          [{ maxFetchBytes: 1024 }, /exceeds the limit of/],
          [{ maxObjectBytes: 1024 * 1024 }, /a file of more than 1 MiB/],
          [{ maxUnpackedBytes: 2 * 1024 * 1024 }, /unpacked branch exceeds 2 MiB/],
          [{ maxObjects: 3 }, /more than 3 objects/],
          [{ maxMemoryBytes: 1024 }, /repository exceeds/]
        ] as const) {
          const failure = yield* Effect.flip(open(at(url), { allowedPrivateHosts, limits }))
          assert.strictEqual(failure.reason, "too-large", failure.message)
          assert.match(failure.message, message)
        }
        yield* open(at(url))
      })
    )
  })

  describe("where it goes", () => {
    it.live("not to private hosts, unless they are listed, and not where those redirect", () =>
      Effect.gen(function* () {
        const { server, url } = yield* repository({ "a.md": "a" })
        const before = server.requests()
        const refused = yield* Effect.flip(open(at(url), {}))
        assert.strictEqual(refused.reason, "refused")
        const name = yield* Effect.flip(open(at(url.replace("127.0.0.1", "localhost")), {}))
        assert.strictEqual(name.reason, "refused")
        assert.strictEqual(server.requests(), before)
        const door = yield* serving((request, response) => {
          response.writeHead(302, { location: `http://169.254.169.254${request.url}` }).end()
        })
        const redirected = yield* Effect.flip(open(at(`${door.url}/docs.git`)))
        assert.strictEqual(redirected.reason, "refused")
      })
    )

    it.live("follows the redirect of a repository that moved, without its credentials", () =>
      Effect.gen(function* () {
        const seen: Array<string | undefined> = []
        const taken: Array<string | undefined> = []
        const server = yield* gitServer({
          before: ({ headers }) => {
            taken.push(headers.authorization)
            return false
          }
        })
        server.init("docs.git")
        server.commit("docs.git", { "a.md": "a" })
        const url = server.urlOf("docs.git")
        const other = yield* serving((request, response) => {
          seen.push(request.headers.authorization)
          response
            .writeHead(301, { location: `${new URL(url).origin}${request.url?.replace("old.git", "docs.git")}` })
            .end()
        })
        const credentials = { username: "me", password: "secret" }
        const branch = yield* open(at(`${other.url}/old.git`), undefined, credentials)
        yield* branch.write("a.md", bytes("b"))
        yield* branch.commit(commit("Change"))
        yield* branch.push
        assert.deepStrictEqual(server.files("docs.git"), { "a.md": "b" })
        assert.isAbove(taken.length, 2)
        assert.deepStrictEqual([...new Set(taken)], [undefined])
        assert.strictEqual(new Set(seen).size, 1)
        assert.strictEqual(seen[0], `Basic ${Buffer.from("me:secret").toString("base64")}`)
      })
    )

    inMemory("gives up where a host redirects for ever", () =>
      Effect.gen(function* () {
        const door = yield* serving((request, response) => {
          response.writeHead(302, { location: `${request.url}` }).end()
        })
        const failure = yield* Effect.flip(open(at(`${door.url}/docs.git`)))
        assert.strictEqual(failure.reason, "failed")
        assert.isAtMost(door.requests(), 7)
      })
    )
  })

  it.live("goes in with credentials, and tells of them nowhere", () =>
    Effect.gen(function* () {
      const server = yield* gitServer({ credentials: "me:s3cr3t/ü" })
      server.init("docs.git")
      server.commit("docs.git", { "a.md": "a" })
      const folder = at(server.urlOf("docs.git"))
      const none = yield* Effect.flip(open(folder))
      assert.strictEqual(none.reason, "unauthorized")
      const wrong = yield* Effect.flip(open(folder, undefined, { username: "me", password: "wr0ng" }))
      assert.strictEqual(wrong.reason, "unauthorized")
      assert.notInclude(JSON.stringify(wrong), "wr0ng")
      const branch = yield* open(folder, undefined, { username: "me", password: "s3cr3t/ü" })
      yield* branch.write("a.md", bytes("b"))
      yield* branch.commit(commit("Change"))
      yield* branch.push
      assert.deepStrictEqual(server.files("docs.git"), { "a.md": "b" })
    })
  )
})

describe.runIf(hasGit)("NodeGitRemote, in memory", () => {
  const open = opening(undefined)

  describe("what a host may answer", () => {
    const pkt = (line: string) => `${(line.length + 4).toString(16).padStart(4, "0")}${line}`
    const oid = "1".repeat(40)
    const refs = `${pkt("# service=git-upload-pack\n")}0000${pkt(`${oid} refs/heads/main\0 shallow ofs-delta side-band-64k\n`)}0000`
    const packOf = (count: number, ...parts: ReadonlyArray<Uint8Array>) => {
      const head = Buffer.alloc(12)
      head.write("PACK")
      head.writeUInt32BE(2, 4)
      head.writeUInt32BE(count, 8)
      const all = Buffer.concat([head, ...parts])
      return Buffer.concat([all, createHash("sha1").update(all).digest()])
    }
    /** The head of an object: its type and how long it says that it is. */
    const objectHead = (type: number, size: number) => {
      const head: Array<number> = []
      let rest = Math.floor(size / 16)
      let byte = (type << 4) | (size & 15)
      for (; rest > 0; rest = Math.floor(rest / 128)) {
        head.push(byte | 0x80)
        byte = rest & 0x7f
      }
      return Buffer.from([...head, byte])
    }
    const banded = (pack: Uint8Array) => {
      const parts: Array<Uint8Array> = [Buffer.from(`${pkt(`shallow ${oid}\n`)}0000${pkt("NAK\n")}`)]
      for (let i = 0; i < pack.length; i += 60_000) {
        const part = pack.subarray(i, i + 60_000)
        parts.push(Buffer.from((part.length + 5).toString(16).padStart(4, "0")), Buffer.from([1]), part)
      }
      return Buffer.concat([...parts, Buffer.from("0000")])
    }
    const answering = (body: string | Uint8Array) =>
      serving((request, response) => {
        if (request.method === "GET") {
          response.writeHead(200, { "content-type": "application/x-git-upload-pack-advertisement" }).end(refs)
        } else {
          request.resume()
          response.writeHead(200, { "content-type": "application/x-git-upload-pack-result" }).end(body)
        }
      })
    const bomb = deflateSync(new Uint8Array(64 * 1024 * 1024))

    it.live.each([
      ["what is no Git", "Hello", /repository/],
      ["half an answer", "0008", /repository/],
      ["an empty pack", banded(packOf(0)), /repository/],
      ["a damaged pack", banded(packOf(1, Buffer.from("nonsense, and long enough to be looked at"))), /damaged/],
      ["an object that is longer than it says", banded(packOf(1, objectHead(3, 10), bomb)), /damaged/],
      ["an object that says it is huge", banded(packOf(1, objectHead(3, 2 ** 40), bomb)), /a file of more than/],
      [
        "a delta that says its result is huge",
        banded(
          packOf(
            1,
            objectHead(7, 9),
            Buffer.alloc(20),
            deflateSync(Buffer.from([0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 0x00]))
          )
        ),
        /a file of more than/
      ],
      ["more objects than there are", banded(packOf(0xffffffff)), /more than 500000 objects/]
    ] as const)("fails with a sentence at %s", ([, body, message]) =>
      Effect.gen(function* () {
        const server = yield* answering(body)
        const failure = yield* Effect.flip(open(at(`${server.url}/docs.git`)))
        assert.instanceOf(failure, GitFailed)
        assert.match(failure.message, message)
      })
    )

    it.live("names what it failed at, and shows nothing of what it was answered", () =>
      Effect.gen(function* () {
        const server = yield* serving((_, response) => void response.end("<html>secret</html>"))
        const { message, reason } = yield* Effect.flip(open(at(`${server.url}/docs.git`)))
        assert.strictEqual(reason, "failed")
        assert.match(message, /did not respond as a Git repository \(git\.fetch, \w+Error\)$/)
      })
    )

    it.live.each([
      [404, "not-found"],
      [403, "unauthorized"],
      [500, "failed"]
    ] as const)("tells what the status %s means", ([status, reason]) =>
      Effect.gen(function* () {
        const server = yield* serving((_, response) => void response.writeHead(status).end("<html>secret</html>"))
        const failure = yield* Effect.flip(open(at(`${server.url}/docs.git`)))
        assert.strictEqual(failure.reason, reason)
        assert.notInclude(failure.message, "secret")
      })
    )
  })
})

describe.skipIf(hasGit)("NodeGitRemote, without git", () => {
  it.skip("is not tested: there is no git on this machine", () => Layer.empty)
})
