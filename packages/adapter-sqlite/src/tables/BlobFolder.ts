/**
 * Large blobs as files, named by their hash. SQLite would write each blob synchronously on the calling thread, and
 * twice.
 *
 * A write overwrites an incomplete file of an interrupted write, and is synced when `write` completes. A file is read
 * only after its row marks it as complete. Concurrent writes of one file write equal bytes.
 */
import { constants, readFileSync, statSync, unlinkSync } from "node:fs"
import { mkdir, open, readFile } from "node:fs/promises"
import { join } from "node:path"
import { inheritOwner, inheritFolderOwner } from "../connections/PrivateFiles.ts"

const { O_CREAT, O_WRONLY } = constants

/** Prevents root from following a symbolic link in a folder of another user. Windows has no such flag. */
const O_NOFOLLOW = constants.O_NOFOLLOW ?? 0

/** File names that are safe on every file system. */
const name = /^[A-Za-z0-9_-]{1,128}$/

export class BlobFolder {
  private readonly path: string

  constructor(path: string) {
    this.path = path
  }

  /** True if a blob with this hash can be a file. The hash becomes the file name. */
  static canStore(hash: string): boolean {
    return name.test(hash)
  }

  /** True if the file exists with this size. */
  has(hash: string, size: number): boolean {
    return statSync(this.file(hash), { throwIfNoEntry: false })?.size === size
  }

  async write(hash: string, bytes: Uint8Array): Promise<void> {
    if ((await mkdir(this.path, { recursive: true, mode: 0o700 })) !== undefined) inheritFolderOwner(this.path)
    const path = this.file(hash)
    const file = await open(path, O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600)
    try {
      inheritOwner(path, file.fd)
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

  /** Synchronous `read`, for the body of a transaction. */
  readSync(hash: string): Uint8Array {
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

/**
 * Syncs a folder. Otherwise a new file name may be lost in a power failure. Does nothing on Windows, which cannot sync
 * folders.
 */
const syncFolder = async (path: string) => {
  if (process.platform === "win32") return
  const folder = await open(path, "r")
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
