/**
 * Finds the files of a folder by what links say: as it is written first, then without regard to
 * case; a page also without its ending, and by its folder.
 */
import type { FolderFile } from "./Folder.ts"
import * as FolderPath from "./FolderPath.ts"

const fold = (path: string) => path.normalize("NFC").toLowerCase()

export class FolderIndex<File extends Pick<FolderFile, "path"> = FolderFile> {
  readonly #exact: ReadonlyMap<string, File>
  readonly #folded = new Map<string, File>()

  constructor(files: ReadonlyArray<File>) {
    this.#exact = new Map(files.map((file) => [file.path, file]))
    for (const file of files) {
      const folded = fold(file.path)
      if (!this.#folded.has(folded)) this.#folded.set(folded, file)
    }
  }

  get files(): Iterable<File> {
    return this.#exact.values()
  }

  file(path: string): File | undefined {
    return this.#exact.get(path) ?? this.#folded.get(fold(path))
  }

  /** The page at a path, which may name the folder it speaks for. */
  page(path: string): File | undefined {
    const file = this.file(path)
    if (file !== undefined) return FolderPath.isMarkdown(file.path) ? file : undefined
    return this.file(`${path}.md`) ?? this.readme(path)
  }

  /** The page that speaks for a folder. */
  readme(folder: string): File | undefined {
    const within = folder === "" ? "" : `${folder}/`
    return this.file(`${within}README.md`) ?? this.file(`${within}index.md`)
  }
}
