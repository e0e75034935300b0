/**
 * Remembers the pages and files of the last export of a space. The next export, of another revision, omits each page or
 * file that is unchanged: its inputs are equal, and all possible link targets have the same path. The bytes are not
 * stored.
 */
import type { ExportPaths } from "./ExportPaths.ts"
import type { FileFields } from "../import/FileFields.ts"
import type { PageText } from "./PageText.ts"

/** Description of a written page, without its text. `size` is in bytes. */
export interface ToldPage extends Omit<PageText, "text" | "bytes"> {
  readonly size: number
}

/** Description of a written file, without its bytes. */
export interface ToldFile {
  readonly fields: FileFields
  readonly size: number
}

/** Pages or files by path. */
export class Written<Told> {
  readonly #last = new Map<string, { readonly of: string; readonly told: Told }>()

  /** Returns the description of the file at a path if it was created from equal inputs. */
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

export class PreviousExport {
  readonly pages = new Written<ToldPage>()
  readonly files = new Written<ToldFile>()
  #paths: ExportPaths | undefined

  /** Starts the next export. If a path changed, the links of any page may change, so all pages are forgotten. */
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
