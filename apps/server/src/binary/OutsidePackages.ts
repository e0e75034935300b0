/**
 * Packages that read files beside them: fonts, formulas, WebAssembly, and the native part of SQLite. The
 * binary holds them as one archive, and unpacks it where a PDF is first written or a picture of a page first
 * drawn, into a folder for temporary files that nobody else can read. It goes when the process ends.
 *
 * The archive is compressed by Zstandard.
 */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { zstdDecompressSync } from "node:zlib"
import { indexOf } from "./Archive.ts"

export class OutsidePackages {
  /** Of this process: all its threads share what is unpacked. */
  readonly folder: string
  readonly #archive: () => Uint8Array
  #require: NodeJS.Require | undefined

  constructor(folder: string, archive: () => Uint8Array) {
    this.folder = folder
    this.#archive = archive
  }

  /** `require` of the packages, which unpacks them first. */
  readonly require = Object.assign((id: string): unknown => this.#unpacked()(id), {
    resolve: (id: string): string => this.#unpacked().resolve(id)
  })

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  #unpacked(): NodeJS.Require {
    if (this.#require !== undefined) return this.#require
    if (!existsSync(this.folder)) {
      const half = `${this.folder}-${Math.random().toString(36).slice(2)}`
      unpack(this.#archive(), half)
      try {
        renameSync(half, this.folder)
      } catch (error) {
        rmSync(half, { recursive: true, force: true })
        // Another thread was faster.
        if (!existsSync(this.folder)) throw error
      }
    }
    return (this.#require = createRequire(join(this.folder, "packages.cjs")))
  }
}

const unpack = (archive: Uint8Array, folder: string): void => {
  const all = zstdDecompressSync(archive)
  mkdirSync(folder, { mode: 0o700 })
  for (const { path, at, size } of indexOf((at, size) => all.subarray(at, at + size))) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(file, all.subarray(at, at + size), { mode: 0o600 })
  }
}
