/**
 * A bounded file system in memory for libraries, so that no file of an untrusted repository is written to disk. It
 * implements the functions that isomorphic-git uses, without links and permissions.
 */
import { GitProblem } from "./GitProblem.ts"

export interface MemoryFilesOptions {
  /** Maximum size of all files together, in bytes. */
  readonly maxBytes: number
  /** Checks each file before it is stored. Throws if the file is not allowed. */
  readonly check: (path: string, bytes: Uint8Array) => void
  /** Returns a file that is not in memory. Default: such files do not exist. */
  readonly fallback?: (path: string) => Promise<Buffer | undefined>
}

const failure = (code: string, path: string) => Object.assign(new Error(`${code}: ${path}`), { code })

const parentOf = (path: string) => path.slice(0, Math.max(1, path.lastIndexOf("/")))

const normalize = (path: string) =>
  `/${path
    .split("/")
    .filter((name) => name !== "" && name !== ".")
    .join("/")}`

export class MemoryFiles {
  readonly #files = new Map<string, Buffer>()
  /** Names of entries by folder. */
  readonly #folders = new Map<string, Set<string>>([["/", new Set()]])
  readonly #options: MemoryFilesOptions
  #size = 0

  constructor(options: MemoryFilesOptions) {
    this.#options = options
  }

  async readFile(path: string, options?: string | { readonly encoding?: string }): Promise<Buffer | string> {
    const filePath = normalize(path ?? "")
    const bytes = this.#files.get(filePath) ?? (await this.#options.fallback?.(filePath))
    if (bytes === undefined) throw failure(this.#folders.has(filePath) ? "EISDIR" : "ENOENT", filePath)
    const encoding = typeof options === "string" ? options : options?.encoding
    return encoding === undefined ? bytes : bytes.toString("utf8")
  }

  async writeFile(path: string, data: Uint8Array | string): Promise<void> {
    const filePath = normalize(path)
    if (this.#folders.has(filePath)) throw failure("EISDIR", filePath)
    const siblings = this.#folders.get(parentOf(filePath))
    if (siblings === undefined) throw failure("ENOENT", filePath)
    const bytes = typeof data === "string" ? Buffer.from(data) : Buffer.from(data.buffer, data.byteOffset, data.length)
    this.#options.check(filePath, bytes)
    this.#size += bytes.length - (this.#files.get(filePath)?.length ?? 0)
    if (this.#size > this.#options.maxBytes) {
      throw new GitProblem("too-large", `The repository exceeds ${this.#options.maxBytes / 1024 ** 2} MiB`)
    }
    this.#files.set(filePath, bytes)
    siblings.add(filePath.slice(filePath.lastIndexOf("/") + 1))
  }

  async mkdir(path: string): Promise<void> {
    const filePath = normalize(path)
    if (this.#folders.has(filePath) || this.#files.has(filePath)) throw failure("EEXIST", filePath)
    const siblings = this.#folders.get(parentOf(filePath))
    if (siblings === undefined) throw failure("ENOENT", filePath)
    this.#folders.set(filePath, new Set())
    siblings.add(filePath.slice(filePath.lastIndexOf("/") + 1))
  }

  async rmdir(path: string): Promise<void> {
    const filePath = normalize(path)
    const names = this.#folders.get(filePath)
    if (names === undefined) throw failure(this.#files.has(filePath) ? "ENOTDIR" : "ENOENT", filePath)
    if (names.size > 0) throw failure("ENOTEMPTY", filePath)
    this.#folders.delete(filePath)
    this.#folders.get(parentOf(filePath))?.delete(filePath.slice(filePath.lastIndexOf("/") + 1))
  }

  async unlink(path: string): Promise<void> {
    const filePath = normalize(path)
    const bytes = this.#files.get(filePath)
    if (bytes === undefined) throw failure("ENOENT", filePath)
    this.#size -= bytes.length
    this.#files.delete(filePath)
    this.#folders.get(parentOf(filePath))?.delete(filePath.slice(filePath.lastIndexOf("/") + 1))
  }

  async readdir(path: string): Promise<ReadonlyArray<string>> {
    const filePath = normalize(path)
    const names = this.#folders.get(filePath)
    if (names === undefined) throw failure(this.#files.has(filePath) ? "ENOTDIR" : "ENOENT", filePath)
    return [...names]
  }

  async stat(path: string) {
    const filePath = normalize(path)
    const bytes = this.#files.get(filePath)
    const isFolder = this.#folders.has(filePath)
    if (bytes === undefined && !isFolder) throw failure("ENOENT", filePath)
    return {
      size: bytes?.length ?? 0,
      mode: isFolder ? 0o40755 : 0o100644,
      mtimeMs: 0,
      ctimeMs: 0,
      dev: 0,
      ino: 0,
      uid: 0,
      gid: 0,
      isFile: () => !isFolder,
      isDirectory: () => isFolder,
      isSymbolicLink: () => false
    }
  }

  lstat(path: string) {
    return this.stat(path)
  }

  async readlink(path: string): Promise<string> {
    throw failure("EINVAL", path)
  }

  async symlink(_target: string, path: string): Promise<void> {
    throw failure("EPERM", path)
  }
}
