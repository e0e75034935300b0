/**
 * Finds the files of a folder by what links say: as it is written first, then without regard to
 * case; a page also without its ending, and by its folder; an asset or a picture also by its name alone, if there is
 * exactly one of that name.
 */
import type { FolderFile } from "./Folder.ts"
import * as FolderPath from "./FolderPath.ts"

const fold = (path: string) => path.normalize("NFC").toLowerCase()

export class FolderIndex {
  readonly #exact: ReadonlyMap<string, FolderFile>
  readonly #folded = new Map<string, FolderFile>()
  #named: readonly [assets: NamedFiles, pictures: NamedFiles] | undefined

  constructor(files: ReadonlyArray<FolderFile>) {
    this.#exact = new Map(files.map((file) => [file.path, file]))
    for (const file of files) {
      const folded = fold(file.path)
      if (!this.#folded.has(folded)) this.#folded.set(folded, file)
    }
  }

  /**
   * Returns the one file of a name among those in folders for assets, else among all pictures; undefined if there is
   * none, or more than one even by case.
   */
  named(name: string): FolderFile | undefined {
    this.#named ??= [
      new NamedFiles(this.files, FolderPath.isAsset),
      new NamedFiles(this.files, (path) => FolderPath.isPicture(path) && !FolderPath.isAsset(path))
    ]
    const [assets, pictures] = this.#named
    const found = assets.find(name)
    return (found === undefined ? pictures.find(name) : found) ?? undefined
  }

  get files(): Iterable<FolderFile> {
    return this.#exact.values()
  }

  file(path: string): FolderFile | undefined {
    return this.#exact.get(path) ?? this.#folded.get(fold(path))
  }

  /** The page at a path, which may name the folder it speaks for. */
  page(path: string): FolderFile | undefined {
    const file = this.file(path)
    if (file !== undefined) return FolderPath.isMarkdown(file.path) ? file : undefined
    return this.file(`${path}.md`) ?? this.readme(path)
  }

  /** The page that speaks for a folder. */
  readme(folder: string): FolderFile | undefined {
    const within = folder === "" ? "" : `${folder}/`
    return this.file(`${within}README.md`) ?? this.file(`${within}index.md`) ?? this.file(`${within}_index.md`)
  }
}

/** Files by their names. */
class NamedFiles {
  /** null: there are several of the name. */
  readonly #exact = new Map<string, FolderFile | null>()
  readonly #folded = new Map<string, FolderFile | null>()

  constructor(files: Iterable<FolderFile>, isOne: (path: string) => boolean) {
    for (const file of files) {
      if (!isOne(file.path)) continue
      const name = FolderPath.baseName(file.path).normalize("NFC")
      this.#exact.set(name, this.#exact.has(name) ? null : file)
      this.#folded.set(fold(name), this.#folded.has(fold(name)) ? null : file)
    }
  }

  /** Returns undefined if there is none of the name, null if there are several. */
  find(name: string): FolderFile | null | undefined {
    const exact = this.#exact.get(name.normalize("NFC"))
    return exact === undefined ? this.#folded.get(fold(name)) : exact
  }
}
