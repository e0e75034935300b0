/**
 * Fetches the last commit of a branch with the program `git`, for branches that are too large for memory. Trees come
 * first, then the files of one folder, if the host supports partial fetches; otherwise the whole commit. Objects are
 * stored in a private folder on disk and are read one by one.
 *
 * The program is isolated. It has no credentials and connects only to `GitProxy`. It reads no settings of the system or
 * a user, runs no hooks, never prompts, and checks nothing out. The operating system limits it to 15 minutes of
 * processor time and 4 GiB of address space, except on Windows.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { GitProblem } from "./GitProblem.ts"

export interface GitProgramOptions {
  /** Name or path of the program. */
  readonly command: string
  /** Empty folder for this branch. */
  readonly folder: string
  /** Maximum unpacked size of an object, in bytes. */
  readonly maxObjectBytes: number
  /** Maximum unpacked size of all objects that are read, in bytes. */
  readonly maxReadBytes: number
}

export interface GitObject {
  readonly type: string
  readonly bytes: Uint8Array
}

/** Oldest version of Git that fetches objects by ids from its standard input. */
const minVersion = [2, 29] as const
const maxAddresses = 4 * 1024 * 1024
const maxSeconds = 15 * 60
const maxOutputBytes = 64 * 1024 * 1024

const settings = [
  ["protocol.allow", "never"],
  ["protocol.http.allow", "always"],
  ["http.followRedirects", "false"],
  ["http.proxy", ""],
  ["credential.helper", ""],
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["core.packedGitLimit", "256m"],
  ["core.packedGitWindowSize", "32m"],
  ["core.bigFileThreshold", "16m"],
  ["pack.threads", "2"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["fetch.unpackLimit", "1"],
  ["fetch.negotiationAlgorithm", "noop"],
  ["fetch.recurseSubmodules", "no"],
  ["transfer.bundleURI", "false"],
  ["advice.detachedHead", "false"]
].flatMap(([name, value]) => ["-c", `${name}=${value}`])

/**
 * Name of the file in the folder that lists the running processes. `endProcesses` reads it after the thread has ended.
 */
const runningFile = "running"

/** Kills the running processes of a branch. */
export const endProcesses = (folder: string): void => {
  let processList: string
  try {
    processList = readFileSync(join(folder, runningFile), "utf8")
  } catch {
    return
  }
  for (const pid of processList.split("\n")) if (pid !== "") endGroup(Number(pid))
}

const endGroup = (pid: number): void => {
  try {
    process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL")
  } catch {
    // Killing fails if the process has already ended, which is ignored.
  }
}

/** True if the program exists and is new enough. */
export const isUsable = (command: string): Promise<boolean> =>
  new Promise((resolve) => {
    const env = { PATH: process.env["PATH"] ?? "" }
    execFile(command, ["--version"], { encoding: "utf8", timeout: 10_000, env }, (failure, output) => {
      const [, major = "0", minor = "0"] = /(\d+)\.(\d+)/.exec(output) ?? []
      const isNew = Number(major) > minVersion[0] || (Number(major) === minVersion[0] && Number(minor) >= minVersion[1])
      resolve(failure === null && isNew)
    })
  })

export class GitProgram {
  readonly #options: GitProgramOptions
  readonly #read = new Set<string>()
  #readBytes = 0
  readonly #runningProcesses = new Set<number>()
  #reader: ObjectReader | undefined

  constructor(options: GitProgramOptions) {
    this.#options = options
  }

  /** Fetches a branch and returns the id of its last commit. Undefined if the branch does not exist. */
  async fetch(url: string, ref: string): Promise<string | undefined> {
    mkdirSync(this.#gitDir)
    await this.#run(["init", "--quiet", "--bare", "--template=", this.#gitDir])
    await this.#run(["remote", "add", "origin", url])
    const { code, stderr } = await this.#runToEnd([...fetchArgs, "--depth=1", "origin", `+${ref}:${localRef}`])
    if (code !== 0) {
      if (/couldn't find remote ref/i.test(stderr)) return undefined
      throw problemOf(stderr)
    }
    return (await this.#run(["rev-parse", "--verify", localRef])).trim()
  }

  /** Fetches the missing files of a tree. */
  async fetchFiles(tree: string): Promise<void> {
    const objectList = await this.#run(["rev-list", "--objects", "--missing=print", "--no-object-names", tree])
    const missing = objectList.split("\n").flatMap((line) => (line.startsWith("?") ? [line.slice(1)] : []))
    if (missing.length === 0) return
    await this.#run([...fetchArgs, "--no-write-fetch-head", "--stdin", "origin"], `${missing.join("\n")}\n`)
  }

  /** Returns an object. Undefined if it does not exist. */
  async object(oid: string): Promise<GitObject | undefined> {
    this.#reader ??= new ObjectReader(this.#start(["cat-file", "--batch"]))
    const { maxObjectBytes, maxReadBytes } = this.#options
    const object = await this.#reader.read(oid, maxObjectBytes)
    if (object !== undefined && !this.#read.has(oid)) {
      this.#read.add(oid)
      this.#readBytes += object.bytes.length
      if (this.#readBytes > maxReadBytes) {
        throw new GitProblem("too-large", `The unpacked branch exceeds ${maxReadBytes / 1024 ** 2} MiB`)
      }
    }
    return object
  }

  /** Kills the running processes. */
  end(): void {
    for (const pid of this.#runningProcesses) endGroup(pid)
  }

  get #gitDir(): string {
    return join(this.#options.folder, "repository")
  }

  async #run(args: ReadonlyArray<string>, input?: string): Promise<string> {
    const { code, stderr, stdout } = await this.#runToEnd(args, input)
    if (code !== 0) throw problemOf(stderr)
    return stdout
  }

  async #runToEnd(args: ReadonlyArray<string>, input = "") {
    const child = this.#start(args)
    child.stdin!.on("error", () => {})
    child.stdin!.end(input)
    const [stdout, stderr, code] = await Promise.all([
      textOf(child.stdout!, child),
      textOf(child.stderr!, child),
      new Promise<number>((resolve, fail) => {
        child.on("error", () => fail(new GitProblem("failed", "The program git can't be started")))
        child.on("close", (code) => resolve(code ?? -1))
      })
    ])
    return { stdout, stderr, code }
  }

  #start(args: ReadonlyArray<string>): ChildProcess {
    const { command, folder } = this.#options
    const localRef = [...settings, ...args]
    const options = {
      cwd: folder,
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: folder,
        XDG_CONFIG_HOME: folder,
        TMPDIR: folder,
        LC_ALL: "C",
        GIT_DIR: this.#gitDir,
        GIT_CONFIG_NOSYSTEM: "1",
        GIT_CONFIG_SYSTEM: "/dev/null",
        GIT_CONFIG_GLOBAL: "/dev/null",
        GIT_ALLOW_PROTOCOL: "http",
        GIT_PROTOCOL_FROM_USER: "0",
        GIT_TERMINAL_PROMPT: "0",
        GIT_NO_REPLACE_OBJECTS: "1",
        GIT_NO_LAZY_FETCH: "1",
        NO_PROXY: "*",
        no_proxy: "*"
      },
      // The process gets its own process group, so that its child processes are killed with it.
      detached: process.platform !== "win32"
    }
    const bounds = `ulimit -t ${maxSeconds}; ulimit -v ${maxAddresses}; exec "$0" "$@"`
    const child =
      process.platform === "win32"
        ? spawn(command, localRef, options)
        : spawn("/bin/sh", ["-c", bounds, command, ...localRef], options)
    child.on("error", () => {})
    const { pid } = child
    if (pid !== undefined) {
      this.#runningProcesses.add(pid)
      this.#writeRunning()
      child.on("close", () => {
        this.#runningProcesses.delete(pid)
        this.#writeRunning()
      })
    }
    return child
  }

  #writeRunning(): void {
    writeFileSync(join(this.#options.folder, runningFile), [...this.#runningProcesses].join("\n"))
  }
}

const localRef = "refs/lectern/head"
const fetchArgs = ["fetch", "--quiet", "--no-tags", "--filter=blob:none"]

/**
 * Converts an error output of Git to a problem. The output itself is not shown, since it may contain the host's
 * response.
 */
const problemOf = (stderr: string): GitProblem => {
  if (/out of memory|cannot allocate|unable to create thread/i.test(stderr)) {
    return new GitProblem("too-large", "The repository exceeds the memory limit")
  }
  return /index-pack|inflate|pack .*(?:corrupt|bad)|bad (?:pack|object)|sha1 mismatch/i.test(stderr)
    ? new GitProblem("failed", "The repository sent a damaged pack")
    : new GitProblem("failed", "The server did not respond as a Git repository (git fetch)")
}

const textOf = async (stream: Readable, child: ChildProcess): Promise<string> => {
  const chunks: Array<Buffer> = []
  let size = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxOutputBytes) {
      child.kill("SIGKILL")
      throw new GitProblem("too-large", "The branch exceeds the maximum number of files")
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString("utf8")
}

/** A process that returns objects by id, one after another. */
class ObjectReader {
  readonly #child: ChildProcess
  readonly #chunks: AsyncIterator<Buffer>
  #buffered: Buffer = Buffer.alloc(0)
  #lastRead: Promise<unknown> = Promise.resolve()

  constructor(child: ChildProcess) {
    this.#child = child
    child.stdin!.on("error", () => {})
    child.stderr!.resume()
    this.#chunks = (child.stdout as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
  }

  read(oid: string, maxBytes: number): Promise<GitObject | undefined> {
    const next = this.#lastRead.then(() => this.#next(oid, maxBytes))
    this.#lastRead = next.catch(() => {})
    return next
  }

  async #next(oid: string, maxBytes: number): Promise<GitObject | undefined> {
    this.#child.stdin!.write(`${oid}\n`)
    while (!this.#buffered.includes(10)) await this.#readChunk()
    const end = this.#buffered.indexOf(10)
    const [, type, length] = this.#buffered.subarray(0, end).toString("latin1").split(" ")
    this.#buffered = this.#buffered.subarray(end + 1)
    if (length === undefined) return undefined
    const size = Number(length)
    if (size > maxBytes) {
      this.#child.kill("SIGKILL")
      throw new GitProblem("too-large", `The repository has a file of more than ${maxBytes / 1024 ** 2} MiB`)
    }
    const parts: Array<Buffer> = []
    // Skips the object and the line feed after it.
    for (let remaining = size + 1; remaining > 0;) {
      if (this.#buffered.length === 0) await this.#readChunk()
      const part = this.#buffered.subarray(0, remaining)
      parts.push(part)
      remaining -= part.length
      this.#buffered = this.#buffered.subarray(part.length)
    }
    return { type: type!, bytes: new Uint8Array(Buffer.concat(parts).subarray(0, size)) }
  }

  async #readChunk(): Promise<void> {
    const { done, value } = await this.#chunks.next()
    if (done === true) throw new GitProblem("failed", "The program git ended while objects were read")
    this.#buffered = this.#buffered.length === 0 ? value : Buffer.concat([this.#buffered, value])
  }
}
