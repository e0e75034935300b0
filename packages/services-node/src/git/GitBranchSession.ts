/**
 * A branch of a remote repository, by isomorphic-git in memory. Runs in the thread of `NodeGitRemote`. Only the last
 * commit is fetched, so the length of the history does not matter.
 */
import { AllowedHosts } from "@lectern/core/fetch/Addresses"
import type { GitFailed, GitHead, GitFolder, NewCommit } from "@lectern/exchange/git/GitRemote"
import type { GitCredentials } from "@lectern/core/exchange/GitSyncRow"
import * as git from "isomorphic-git"
import { deflateSync } from "node:zlib"
import { type GitConnections, gitConnections, gitHttp } from "./GitHttp.ts"
import { GitProgram } from "./GitProgram.ts"
import { GitProxy } from "./GitProxy.ts"
import * as GitListing from "./GitListing.ts"
import { GitProblem, printable } from "./GitProblem.ts"
import { GitTreeEditor } from "./GitTreeEditor.ts"
import * as GitTrees from "./GitTrees.ts"
import { MemoryFiles } from "./MemoryFiles.ts"
import { checkPack, type PackLimits } from "./PackCheck.ts"

export interface GitLimits extends PackLimits {
  /** Maximum size of one response, in bytes. */
  readonly maxFetchBytes: number
  /** Maximum size of all files in memory, in bytes. */
  readonly maxMemoryBytes: number
}

export interface OpenRequest {
  readonly folder: GitFolder
  readonly credentials: GitCredentials | undefined
  readonly allowedPrivateHosts: ReadonlyArray<string>
  readonly limits: GitLimits
  /** The program to fetch with. Default: the library fetches. */
  readonly program?: ProgramRequest | undefined
}

export interface ProgramRequest {
  readonly command: string
  /** Empty folder on disk, which is deleted with the branch. */
  readonly folder: string
  /** Maximum size of all fetched data, in bytes. */
  readonly maxFetchBytes: number
  /** Maximum time without a request of the program (ms). */
  readonly maxSilence: number
}

export interface OpenedBranch extends GitListing.Listing {
  readonly head: GitHead | undefined
}

const gitdir = "/repository"
const remote = "origin"
const local = "refs/heads/lectern"

/** Maximum size of blobs that are cached after the listing, in bytes. */
const maxCacheBytes = 64 * 1024 * 1024

export class GitBranchSession {
  readonly #localOptions: { readonly fs: git.FsClient; readonly gitdir: string; readonly cache: object }
  readonly #remoteOptions: { readonly http: git.HttpClient; readonly remote: string; readonly url: string }
  readonly #folder: GitFolder
  readonly #files: MemoryFiles
  readonly #cache = new Map<string, Uint8Array>()
  #cacheBytes = 0
  readonly #fetcher: GitProgram | undefined
  readonly #connections: GitConnections
  readonly #programOptions: ProgramRequest | undefined
  #commit: string | undefined
  #tree: string | undefined
  #editor: GitTreeEditor | undefined
  #proxy: GitProxy | undefined
  #proxyUrl: Promise<string> | undefined

  private constructor({ folder, credentials, allowedPrivateHosts, limits, program }: OpenRequest) {
    this.#files = new MemoryFiles({
      maxBytes: limits.maxMemoryBytes,
      // A pack comes from the remote host and is checked before it is unpacked.
      check: (path, bytes) => {
        if (path.endsWith(".pack")) checkPack(bytes, limits)
      },
      fallback: (path) => this.#looseObject(path)
    })
    const { url } = folder
    const allowed = new AllowedHosts(allowedPrivateHosts)
    this.#connections = gitConnections({ url, credentials, allowed })
    this.#programOptions = program
    this.#fetcher =
      program &&
      new GitProgram({
        ...program,
        maxObjectBytes: limits.maxObjectBytes,
        maxReadBytes: 4 * program.maxFetchBytes
      })
    this.#localOptions = { fs: { promises: this.#files } as never, gitdir, cache: {} }
    this.#remoteOptions = { url, remote, http: gitHttp(this.#connections, url, limits.maxFetchBytes) }
    this.#folder = folder
  }

  static async open(request: OpenRequest): Promise<{ readonly work: GitBranchSession; readonly opened: OpenedBranch }> {
    const work = new GitBranchSession(request)
    try {
      return { work, opened: await work.#openBranch() }
    } catch (error) {
      throw problemOf(error, request.folder)
    }
  }

  async #openBranch(): Promise<OpenedBranch> {
    const { ref, url, directory } = this.#folder
    await git.init({ ...this.#localOptions, bare: true, defaultBranch: "lectern" })
    await git.addRemote({ ...this.#localOptions, remote, url })
    const oid = await this.#fetch(ref)
    if (oid === undefined) return { head: undefined, files: [], problems: [] }
    const { commit } = await git.readCommit({ ...this.#localOptions, oid })
    this.#commit = oid
    this.#tree = commit.tree
    const tree = await GitListing.treeAt(this.#source, commit.tree, directory)
    if (tree !== undefined) await this.#withProgram((program) => program.fetchFiles(tree))
    const listing = tree === undefined ? { files: [], problems: [] } : await GitListing.list(this.#source, tree)
    return { head: { oid, message: commit.message.slice(0, 10_000).toWellFormed() }, ...listing }
  }

  async #fetch(ref: string): Promise<string | undefined> {
    if (this.#fetcher !== undefined) {
      const oid = await this.#withProgram((program, url) => program.fetch(url, ref))
      // The file contains the commit at which the history ends, for the library.
      if (oid !== undefined) await this.#files.writeFile(`${gitdir}/shallow`, `${oid}\n`)
      return oid
    }
    try {
      const options = { ref, remoteRef: ref, singleBranch: true, depth: 1, tags: false }
      return (await git.fetch({ ...this.#localOptions, ...this.#remoteOptions, ...options })).fetchHead ?? undefined
    } catch (error) {
      if (error instanceof git.Errors.NotFoundError && error.data.what === ref) return undefined
      throw error
    }
  }

  /**
   * Runs work of the program, which reaches the repository through a proxy. Undefined if no program is used. Kills the
   * program after `maxSilence` without a request.
   */
  async #withProgram<A>(work: (program: GitProgram, url: string) => Promise<A>): Promise<A | undefined> {
    const { host } = new URL(this.#folder.url)
    if (this.#fetcher === undefined || this.#programOptions === undefined) return undefined
    this.#proxy ??= new GitProxy(this.#connections, this.#programOptions.maxFetchBytes)
    const proxy = this.#proxy
    const url = await (this.#proxyUrl ??= proxy.listen())
    const program = this.#fetcher
    const { maxSilence } = this.#programOptions
    let isSilent = false
    const watch = setInterval(() => {
      if (proxy.idleFor < maxSilence) return
      isSilent = true
      program.end()
    }, maxSilence / 10)
    try {
      return await work(program, url)
    } catch (error) {
      const { failure } = proxy
      if (isSilent) throw new GitProblem("timeout", `The program git received no data from ${host} in time`)
      if (failure === undefined) throw error
      throw "status" in failure ? statusProblem(host, failure.status) : failure.error
    } finally {
      clearInterval(watch)
    }
  }

  /**
   * Returns an object of the program as a loose object file. Undefined if the path is not that of an object, or the
   * object does not exist.
   */
  async #looseObject(path: string): Promise<Buffer | undefined> {
    const [, first, rest] = /\/objects\/([0-9a-f]{2})\/([0-9a-f]{38})$/.exec(path) ?? []
    const object = first === undefined ? undefined : await this.#fetcher?.object(first + rest)
    return (
      object &&
      deflateSync(Buffer.concat([Buffer.from(`${object.type} ${object.bytes.length}\0`), object.bytes]), { level: 1 })
    )
  }

  readonly #readTree = async (oid: string): Promise<ReadonlyArray<GitTrees.TreeEntry>> =>
    GitTrees.parse(await this.#object(oid, "tree"))

  readonly #source: GitListing.ListingSource = {
    readTree: this.#readTree,
    readBlob: async (oid) => {
      const bytes = await this.#object(oid, "blob")
      if (this.#cacheBytes + bytes.length <= maxCacheBytes && !this.#cache.has(oid)) {
        this.#cache.set(oid, bytes)
        this.#cacheBytes += bytes.length
      }
      return bytes
    }
  }

  async #object(oid: string, type: "blob" | "tree"): Promise<Uint8Array> {
    const cachedObject = this.#cache.get(oid)
    if (cachedObject !== undefined) return cachedObject
    const fetchedObject = await this.#fetcher?.object(oid)
    const read = fetchedObject ?? (await git.readObject({ ...this.#localOptions, oid, format: "content" }))
    if (read.type !== type) throw new Error("An object of the repository is of another type than it should be")
    return "bytes" in read ? read.bytes : (read.object as Uint8Array)
  }

  async read(oid: string): Promise<Uint8Array> {
    return await this.#guard(() => this.#object(oid, "blob"))
  }

  async write(path: string, bytes: Uint8Array): Promise<void> {
    await this.#guard(async () => {
      const oid = await git.writeBlob({ ...this.#localOptions, blob: bytes })
      await (await this.#editing()).setFile(this.#full(path), oid)
    })
  }

  async remove(path: string): Promise<void> {
    await this.#guard(async () => (await this.#editing()).remove(this.#full(path)))
  }

  async commit({ message, author, committer, at }: NewCommit): Promise<string | undefined> {
    return await this.#guard(async () => {
      const tree = await (await this.#editing()).finish()
      if (tree === undefined || tree === this.#tree) return undefined
      const time = { timestamp: Math.floor(at / 1000), timezoneOffset: 0 }
      this.#tree = tree
      this.#commit = await git.writeCommit({
        ...this.#localOptions,
        commit: {
          message,
          tree,
          parent: this.#commit === undefined ? [] : [this.#commit],
          author: { ...author, ...time },
          committer: { ...committer, ...time }
        }
      })
      return this.#commit
    })
  }

  async push(): Promise<void> {
    const value = this.#commit
    if (value === undefined) return
    const { ref } = this.#folder
    try {
      await git.writeRef({ ...this.#localOptions, ref: local, value, force: true })
      await git.push({ ...this.#localOptions, ...this.#remoteOptions, ref: local, remoteRef: ref })
    } catch (error) {
      const rejection = error instanceof git.Errors.GitPushError ? reasonIn(error.data.result.refs[ref]) : undefined
      const isMoved =
        error instanceof git.Errors.PushRejectedError ||
        error instanceof git.Errors.NotFoundError ||
        /fetch first|non-fast-forward|stale|cannot lock|reference already exists|moved/i.test(rejection ?? "")
      if (isMoved) {
        throw new GitProblem("moved", `The branch ${ref} has new commits: import them first`)
      }
      if (rejection !== undefined) {
        throw new GitProblem("rejected", `The repository rejected the push${rejection === "" ? "" : `: ${rejection}`}`)
      }
      throw problemOf(error, this.#folder)
    }
  }

  #full(path: string): string {
    const { directory } = this.#folder
    return directory === "" ? path : `${directory}/${path}`
  }

  async #editing(): Promise<GitTreeEditor> {
    const writeTree = (object: Buffer) =>
      git.writeObject({ ...this.#localOptions, type: "tree", format: "content", object: new Uint8Array(object) })
    return (this.#editor ??= await GitTreeEditor.create({ readTree: this.#readTree, writeTree }, this.#tree))
  }

  async #guard<A>(work: () => Promise<A>): Promise<A> {
    try {
      return await work()
    } catch (error) {
      throw problemOf(error, this.#folder)
    }
  }
}

/** Returns the reason of a rejected push as printable text. */
const reasonIn = (response: { readonly error?: string } | undefined): string => printable(response?.error ?? "")

const statuses: { readonly [status: number]: readonly [GitFailed["reason"], string] } = {
  401: ["unauthorized", "requires valid credentials: a user name and a token"],
  403: ["unauthorized", "does not allow this operation with these credentials"],
  404: ["not-found", "has no such repository, or requires credentials for it"]
}

const statusProblem = (host: string, status: number): GitProblem => {
  const [reason, message] = statuses[status] ?? ["failed", `responded with status ${status}`]
  return new GitProblem(reason, `${host} ${message}`)
}

const problemOf = (error: unknown, { url }: GitFolder): GitProblem => {
  if (error instanceof GitProblem) return error
  const { host } = new URL(url)
  if (error instanceof git.Errors.HttpError) {
    return statusProblem(host, error.data.statusCode)
  }
  if (error instanceof git.Errors.UnsafeFilepathError) {
    return new GitProblem("failed", "The repository has a file name that could refer to another file")
  }
  if (error instanceof git.Errors.RemoteCapabilityError) {
    return new GitProblem("failed", `${host} does not support fetching a commit without its history`)
  }
  return new GitProblem("failed", `${host} did not respond as a Git repository (${printable(kindOf(error))})`)
}

/**
 * Returns the name of a library error. Its message is left out, since it contains the host's response, which the user
 * may not be allowed to see.
 */
const kindOf = (error: unknown): string =>
  error instanceof Error && "caller" in error && "code" in error ? `${error.caller}, ${error.code}` : String(error)
