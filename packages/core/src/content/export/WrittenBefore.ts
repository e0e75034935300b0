/**
 * Remembers the pages and files that an export of a space wrote last, so that the next one, of another revision, leaves
 * out each that comes out the same: it is made of the same, and all that it may link to is where it was. Bytes are not
 * kept.
 */
import type { ExportPaths } from "./ExportPaths.ts"
import type { FileFields } from "../import/FileFields.ts"
import type { PageText } from "./PageText.ts"

/** An export tells this of a page beside its text; `size`: in bytes. */
export interface ToldPage extends Omit<PageText, "text" | "bytes"> {
  readonly size: number
}

/** Likewise of a file beside its bytes. */
export interface ToldFile {
  readonly fields: FileFields
  readonly size: number
}

/** Pages, or files, by path. */
export class Written<Told> {
  readonly #last = new Map<string, { readonly of: string; readonly told: Told }>()

  /** As it was told of the file at a path, where that was made of the same. */
  find(path: string, of: string): Told | undefined {
    const last = this.#last.get(path)
    return last?.of === of ? last.told : undefined
  }

  wrote(path: string, of: string, told: Told): void {
    this.#last.set(path, { of, told })
  }

  forget(): void {
    this.#last.clear()
  }
}

export class WrittenBefore {
  readonly pages = new Written<ToldPage>()
  readonly files = new Written<ToldFile>()
  #paths: ExportPaths | undefined

  /** Another export begins: where one path is another, any page may have another link. */
  begin(paths: ExportPaths): void {
    if (this.#paths !== undefined && !isSame(this.#paths, paths)) this.pages.forget()
    this.#paths = paths
  }
}

const isSame = (some: ExportPaths, others: ExportPaths): boolean =>
  some.root === others.root &&
  some.readme === others.readme &&
  some.summary === others.summary &&
  isSameOf(some.pages, others.pages) &&
  isSameOf(some.files, others.files) &&
  isSameOf(some.reusableContents, others.reusableContents)

const isSameOf = (some: ReadonlyMap<string, string>, others: ReadonlyMap<string, string>): boolean =>
  some.size === others.size && some.entries().every(([id, path]) => others.get(id) === path)
