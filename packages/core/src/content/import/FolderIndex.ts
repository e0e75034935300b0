/**
 * Finds the files of a folder by what links say: as it is written first, then without regard to
 * case; a page also without its ending, and by its folder.
 */
import type { FolderFile } from "./Folder.ts"
import * as FolderPath from "./FolderPath.ts"

const fold = (path: string) => path.normalize("NFC").toLowerCase()

export class FolderIndex {
  readonly #exact: ReadonlyMap<string, FolderFile>
  readonly #folded = new Map<string, FolderFile>()

  constructor(files: ReadonlyArray<FolderFile>) {
    this.#exact = new Map(files.map((file) => [file.path, file]))
    for (const file of files) {
      const folded = fold(file.path)
      if (!this.#folded.has(folded)) this.#folded.set(folded, file)
    }
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
    return this.file(`${within}README.md`) ?? this.file(`${within}index.md`)
  }
}
