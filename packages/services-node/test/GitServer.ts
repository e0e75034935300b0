/**
 * A Git server on loopback: `git http-backend` over HTTP, with bare repositories in a folder that is deleted with the
 * scope. `git` creates and reads the repositories.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import type { IncomingMessage, ServerResponse } from "node:http"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { Effect } from "effect"
import { serving } from "./Servers.ts"

/** True if `git` is installed. */
export const hasGit = spawnSync("git", ["--version"]).status === 0

/** Environment of `git`, independent of the settings and the name of the developer. */
const environment = {
  PATH: process.env["PATH"] ?? "",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.com",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.com",
  GIT_AUTHOR_DATE: "2026-01-01T00:00:00Z",
  GIT_COMMITTER_DATE: "2026-01-01T00:00:00Z"
}

export interface TreeFile {
  readonly mode?: string
  readonly name: string
  /** Bytes of the file. Alternatively, `oid` is the id of an object. */
  readonly content?: string | Uint8Array
  readonly oid?: string
}

export interface GitServer {
  readonly urlOf: (repository: string) => string
  /** Runs `git` in a repository, and returns its output. */
  readonly git: (repository: string, args: ReadonlyArray<string>, input?: string | Uint8Array) => string
  /** Creates an empty repository. */
  readonly init: (repository: string) => void
  readonly tree: (repository: string, files: ReadonlyArray<TreeFile>) => string
  /** Commits a tree of only these files, by path, to a branch. Returns the id of the commit. */
  readonly commit: (
    repository: string,
    files: Readonly<Record<string, string | Uint8Array>>,
    options?: Commit
  ) => string
  /** Commits an existing tree to a branch. Returns the id of the commit. */
  readonly commitTree: (repository: string, tree: string, options?: Commit) => string
  /** Returns the text of every file of a branch, by path. */
  readonly files: (repository: string, branch?: string) => Record<string, string>
  readonly requests: () => number
}

interface Commit {
  readonly branch?: string
  readonly message?: string
  readonly author?: string
}

export interface GitServerOptions {
  /** Accepted credentials as `user:password`. Default: everyone is accepted. */
  readonly credentials?: string
  /** Responds instead of the server if it returns true. */
  readonly before?: (request: IncomingMessage, response: ServerResponse) => boolean
}

export const gitServer = Effect.fnUntraced(function* ({ credentials, before }: GitServerOptions = {}) {
  const root = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "lectern-git-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )
  const expected = credentials && `Basic ${Buffer.from(credentials).toString("base64")}`
  const { url, requests } = yield* serving((request, response) => {
    if (before?.(request, response) === true) return
    if (expected !== undefined && request.headers.authorization !== expected) {
      response.writeHead(401, { "www-authenticate": "Basic" }).end("No")
      return
    }
    backend(root, request, response)
  })

  const git = (repository: string, args: ReadonlyArray<string>, input?: string | Uint8Array) =>
    execFileSync("git", ["-C", join(root, repository), ...args], {
      env: environment,
      encoding: "utf8",
      maxBuffer: 256 * 1024 * 1024,
      ...(input !== undefined && { input })
    })
  const hash = (repository: string, bytes: string | Uint8Array) =>
    git(repository, ["hash-object", "-w", "--stdin"], bytes).trim()
  const tree = (repository: string, files: ReadonlyArray<TreeFile>) => {
    const lines = files.map(({ mode = "100644", name, content = "", oid = hash(repository, content) }) => {
      const type = mode === "40000" || mode === "040000" ? "tree" : mode === "160000" ? "commit" : "blob"
      return `${mode} ${type} ${oid}\t${name}\0`
    })
    return git(repository, ["mktree", "-z", "--missing"], lines.join("")).trim()
  }
  const commitTree = (
    repository: string,
    made: string,
    { branch = "main", message = "Change", author }: Commit = {}
  ) => {
    const ref = `refs/heads/${branch}`
    const parent = spawnSync("git", ["-C", join(root, repository), "rev-parse", "-q", "--verify", ref], {
      env: environment,
      encoding: "utf8"
    }).stdout.trim()
    const oid = execFileSync(
      "git",
      ["-C", join(root, repository), "commit-tree", made, "-m", message, ...(parent === "" ? [] : ["-p", parent])],
      { env: { ...environment, ...(author !== undefined && { GIT_AUTHOR_NAME: author }) }, encoding: "utf8" }
    ).trim()
    git(repository, ["update-ref", ref, oid])
    return oid
  }

  const server: GitServer = {
    urlOf: (repository) => `${url}/${repository}`,
    requests,
    git,
    tree,
    commitTree,
    init: (repository) => {
      mkdirSync(dirname(join(root, repository)), { recursive: true })
      execFileSync("git", ["init", "-q", "--bare", "-b", "main", join(root, repository)], { env: environment })
      git(repository, ["config", "http.receivepack", "true"])
    },
    commit: (repository, files, options) => {
      const lines = Object.entries(files).map(([path, content]) => `100644 ${hash(repository, content)}\t${path}\0`)
      git(repository, ["read-tree", "--empty"])
      git(repository, ["update-index", "-z", "--index-info"], lines.join(""))
      return commitTree(repository, git(repository, ["write-tree"]).trim(), options)
    },
    files: (repository, branch = "main") => {
      const listed = git(repository, ["ls-tree", "-r", "-z", "--name-only", branch]).split("\0").slice(0, -1)
      return Object.fromEntries(listed.map((path) => [path, git(repository, ["show", `${branch}:${path}`])]))
    }
  }
  return server
})

const backend = (root: string, request: IncomingMessage, response: ServerResponse) => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost")
  const child = spawn("git", ["http-backend"], {
    env: {
      ...environment,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      PATH_INFO: decodeURIComponent(pathname),
      QUERY_STRING: searchParams.toString(),
      REQUEST_METHOD: request.method ?? "GET",
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      ...(request.headers["content-length"] !== undefined && { CONTENT_LENGTH: request.headers["content-length"] }),
      GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
      REMOTE_USER: "tester",
      REMOTE_ADDR: "127.0.0.1"
    }
  })
  // The process may end before it reads all input, and the client may disconnect.
  child.stdin.on("error", () => {})
  request.pipe(child.stdin)
  const chunks: Array<Buffer> = []
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk))
  child.on("close", () => {
    const all = Buffer.concat(chunks)
    const end = all.indexOf("\r\n\r\n")
    const headers = all.subarray(0, end).toString().split("\r\n")
    let status = 200
    for (const header of headers) {
      const [name = "", value = ""] = header.split(/:\s*/, 2)
      if (name.toLowerCase() === "status") status = Number.parseInt(value, 10)
      else if (name !== "") response.setHeader(name, value)
    }
    response.statusCode = status
    response.end(all.subarray(end + 4))
  })
}
