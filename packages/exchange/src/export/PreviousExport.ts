/**
 * Stores a description of each page and file of the last export of a space, without texts and bytes. The next export
 * skips a page if its inputs are unchanged and no page, file or reusable content has moved to another path, since links
 * contain paths. It skips a file if the inputs of the file are unchanged.
 */
import type { ExportPaths } from "./ExportPaths.ts"
import type { FileFields } from "../import/FileFields.ts"
import type { PageText } from "./PageText.ts"

/** Description of a written page, without its text. `size` is in bytes. */
export interface ExportedPage extends Omit<PageText, "text" | "bytes"> {
  readonly size: number
}

/** Description of a written file, without its bytes. */
export interface ExportedFile {
  readonly fields: FileFields
  readonly size: number
}

/** Pages or files by path. */
export class ExportedParts<Description> {
  readonly #parts = new Map<string, { readonly inputsKey: string; readonly description: Description }>()

  /** Returns the description of the file at a path if it was created from equal inputs. */
  get(path: string, inputsKey: string): Description | undefined {
    const part = this.#parts.get(path)
    return part?.inputsKey === inputsKey ? part.description : undefined
  }

  set(path: string, inputsKey: string, description: Description): void {
    this.#parts.set(path, { inputsKey, description })
  }

  clear(): void {
    this.#parts.clear()
  }
}

export class PreviousExport {
  readonly pages = new ExportedParts<ExportedPage>()
  readonly files = new ExportedParts<ExportedFile>()
  #paths: ExportPaths | undefined

  /** Starts the next export. If a path changed, the links of any page may change, so all pages are forgotten. */
  begin(paths: ExportPaths): void {
    if (this.#paths !== undefined && !hasSamePaths(this.#paths, paths)) this.pages.clear()
    this.#paths = paths
  }
}

const hasSamePaths = (before: ExportPaths, after: ExportPaths): boolean =>
  before.root === after.root &&
  before.readme === after.readme &&
  before.summary === after.summary &&
  isEqualMap(before.pages, after.pages) &&
  isEqualMap(before.files, after.files) &&
  isEqualMap(before.reusableContents, after.reusableContents)

const isEqualMap = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): boolean =>
  before.size === after.size && before.entries().every(([id, path]) => after.get(id) === path)
