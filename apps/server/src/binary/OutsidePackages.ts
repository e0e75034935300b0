/**
 * Packages that read files from their own folder: fonts, formulas and WebAssembly. The binary contains them as an archive,
 * compressed with Zstandard. The archive is unpacked into a private temporary folder when the first PDF or preview picture
 * is rendered. The folder is removed when the process ends.
 */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { zstdDecompressSync } from "node:zlib"
import { entriesOf } from "./Archive.ts"

export class OutsidePackages {
  /** Folder of the unpacked packages, shared by all threads of the process. */
  readonly folder: string
  readonly #archive: () => Uint8Array
  #require: NodeJS.Require | undefined

  constructor(folder: string, archive: () => Uint8Array) {
    this.folder = folder
    this.#archive = archive
  }

  /** `require` for the packages. Unpacks them first. */
  readonly require = Object.assign((id: string): unknown => this.#unpacked()(id), {
    resolve: (id: string): string => this.#unpacked().resolve(id)
  })

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  #unpacked(): NodeJS.Require {
    if (this.#require !== undefined) return this.#require
    if (!existsSync(this.folder)) {
      const draft = `${this.folder}-${Math.random().toString(36).slice(2)}`
      unpack(this.#archive(), draft)
      try {
        renameSync(draft, this.folder)
      } catch (error) {
        rmSync(draft, { recursive: true, force: true })
        // If the folder exists, another thread has unpacked the packages.
        if (!existsSync(this.folder)) throw error
      }
    }
    return (this.#require = createRequire(join(this.folder, "packages.cjs")))
  }
}

const unpack = (archive: Uint8Array, folder: string): void => {
  const unpacked = zstdDecompressSync(archive)
  mkdirSync(folder, { mode: 0o700 })
  for (const { path, offset, size } of entriesOf((start, size) => unpacked.subarray(start, start + size))) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(file, unpacked.subarray(offset, offset + size), { mode: 0o600 })
  }
}
