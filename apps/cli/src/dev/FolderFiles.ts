/**
 * Files of a folder that is read again and again. A file is read again only if its times, size or number changed.
 *
 * Limit: the bytes of Markdown and settings files of up to 1 MiB are cached in memory.
 */
import type { Folder, FolderFile } from "@lectern/exchange/import/Folder"
import * as GitBlobId from "@lectern/exchange/import/GitBlobId"
import { type ListedFile, readFolder } from "@lectern/services-node/folder/FolderReader"
import { Effect } from "effect"
import { NodeHasher } from "./NodeHasher.ts"

const maxCachedBytes = 1024 * 1024
/** Files that every import reads. */
const isReadOften = (path: string) => /\.(?:mdx?|markdown|json|ya?ml|toml)$/i.test(path)

export interface FolderReading {
  readonly folder: Folder
  /** Paths of the folders in it. */
  readonly folders: ReadonlyArray<string>
  /** Paths of files that were added, changed or removed since the previous reading. */
  readonly changes: ReadonlyArray<string>
}

export class FolderFiles {
  readonly #root: string
  #files: ReadonlyMap<string, CachedFile> = new Map()

  constructor(root: string) {
    this.#root = root
  }

  /** Lists the files. Fails with `FolderUnreadable`, for example if a file is removed meanwhile. */
  readonly read = Effect.suspend(() => readFolder(this.#root)).pipe(
    Effect.map(({ files: listedFiles, folders, problems }): FolderReading => {
      const previousFiles = this.#files
      const changes: Array<string> = []
      const files = listedFiles.map((listedFile) => {
        const previous = previousFiles.get(listedFile.path)
        if (previous?.stamp === listedFile.stamp) return previous
        changes.push(listedFile.path)
        return new CachedFile(listedFile)
      })
      this.#files = new Map(files.map((file) => [file.path, file]))
      for (const path of previousFiles.keys()) if (!this.#files.has(path)) changes.push(path)
      return { folder: { files, problems }, folders, changes }
    })
  )
}

class CachedFile implements FolderFile {
  readonly path: string
  readonly size: number
  readonly stamp: string
  oid: string | undefined
  readonly bytes: FolderFile["bytes"]

  constructor({ path, size, stamp, bytes: readBytes }: ListedFile) {
    this.path = path
    this.size = size
    this.stamp = stamp
    let cached: Uint8Array | undefined
    const read = Effect.map(readBytes(), (bytes) => {
      this.oid = GitBlobId.gitBlobId(NodeHasher, bytes)
      if (isReadOften(path) && bytes.length <= maxCachedBytes) cached = bytes
      return bytes
    })
    this.bytes = () => (cached === undefined ? read : Effect.succeed(cached))
  }
}
