/**
 * Large blobs as files, named by their hash: SQLite would take each in one go, on the thread of the
 * process, and write it twice.
 *
 * A file is written over whatever a writer that ended early left of it, and its bytes are on the
 * disk when `write` has answered. Nobody reads a file before its row says that it is whole; two that
 * write the same file write the same bytes.
 */
import { constants, readFileSync, statSync, unlinkSync } from "node:fs"
import { mkdir, open, readFile } from "node:fs/promises"
import { join } from "node:path"
import { handOver, handOverFolder } from "./FileOwner.ts"

const { O_CREAT, O_WRONLY } = constants

/** Nobody has root write, or give away, what a link in somebody else's folder leads to. Windows has no such flag. */
const O_NOFOLLOW = constants.O_NOFOLLOW ?? 0

/** Names that are safe on every file system. */
const name = /^[A-Za-z0-9_-]{1,128}$/

export class BlobFolder {
  private readonly path: string

  constructor(path: string) {
    this.path = path
  }

  /** Tells whether a blob of this hash can be a file: the hash becomes its name. */
  static takes(hash: string): boolean {
    return name.test(hash)
  }

  /** Tells whether the file of a blob is there in its whole length. */
  holds(hash: string, size: number): boolean {
    return statSync(this.file(hash), { throwIfNoEntry: false })?.size === size
  }

  async write(hash: string, bytes: Uint8Array): Promise<void> {
    if ((await mkdir(this.path, { recursive: true, mode: 0o700 })) !== undefined) handOverFolder(this.path)
    const path = this.file(hash)
    const file = await open(path, O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600)
    try {
      handOver(path, file.fd)
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await syncFolder(this.path)
  }

  read(hash: string): Promise<Uint8Array> {
    return readFile(this.file(hash)).then(bytesOf)
  }

  /** For the body of a transaction, which waits for nothing. */
  readNow(hash: string): Uint8Array {
    return bytesOf(readFileSync(this.file(hash)))
  }

  remove(hash: string): void {
    try {
      unlinkSync(this.file(hash))
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== "ENOENT") throw thrown
    }
  }

  private file(hash: string): string {
    return join(this.path, hash)
  }
}

const bytesOf = (buffer: Buffer): Uint8Array => new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)

/** Without it the name of a new file may be gone after a power cut. Windows has no such thing. */
const syncFolder = async (path: string) => {
  if (process.platform === "win32") return
  const folder = await open(path, "r")
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
