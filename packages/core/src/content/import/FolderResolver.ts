/**
 * Resolves destinations of links in a folder's pages to references: pages, files and reusable content of the folder
 * by id. A destination that leads to none of them stays as it is.
 *
 * Other programs take `/` for another folder than the one that is imported: for one in it that they publish, or for the
 * repository around it. So a path from `/` that leads nowhere is looked for from the folders above the page, the
 * outermost first, and then without its first name.
 */
import type { ContentRef } from "@lectern/document/Document"
import * as RefUrl from "@lectern/document/markdown/RefUrl"
import type { FolderFile } from "./Folder.ts"
import type { FolderIndex } from "./FolderIndex.ts"
import * as FolderPath from "./FolderPath.ts"
import type { Origins } from "./Origins.ts"

export class FolderResolver {
  /** Files that links lead to, by path. */
  readonly referred = new Map<string, FolderFile>()
  readonly #index: FolderIndex
  readonly #root: string
  readonly #pages: ReadonlyMap<string, string>
  readonly #files: ReadonlyMap<string, string>
  readonly #reusableContents: ReadonlyMap<string, string>
  readonly #origins: Origins | undefined

  /** `pages`, `files` and `reusableContents` are ids by path. */
  constructor(
    index: FolderIndex,
    root: string,
    pages: ReadonlyMap<string, string>,
    files: ReadonlyMap<string, string>,
    reusableContents: ReadonlyMap<string, string>,
    origins?: Origins
  ) {
    this.#origins = origins
    this.#index = index
    this.#root = root
    this.#pages = pages
    this.#files = files
    this.#reusableContents = reusableContents
  }

  /** The reference that a URL in a file means; undefined where it leads to nothing of the folder. */
  resolve(url: string, from: string): ContentRef | undefined {
    if (url === "" || url.startsWith("#")) return undefined
    const { anchor, target } = partsOf(url)
    const within = FolderPath.isExternal(url)
      ? undefined
      : (this.#at(target, from, anchor) ?? this.#at(FolderPath.decode(target), from, anchor))
    return within ?? this.#fromOrigin(url, from, anchor) ?? this.#fromElsewhere(url, from)
  }

  /** Tells whether a URL that means no reference names a file of the folder that isn't there. */
  leadsNowhere(url: string, from: string): boolean {
    if (/^$|^[#?]|\{\{/.test(url) || FolderPath.isExternal(url) || RefUrl.fromUrl(url).kind !== "url") return false
    const { target } = partsOf(url)
    return [target, FolderPath.decode(target)].every((one) => {
      const path = FolderPath.join(FolderPath.directory(from), one, this.#root)
      return path === undefined || (this.#index.file(path) ?? this.#index.page(path)) === undefined
    })
  }

  /** Tells whether a URL leads somewhere only because `/` may mean another folder. */
  isFromElsewhere(url: string, from: string): boolean {
    if (!isFromRoot(url)) return false
    const { anchor, target } = partsOf(url)
    const strict = [target, FolderPath.decode(target)].some((one) => this.#at(one, from, anchor) !== undefined)
    return !strict && this.#fromElsewhere(url, from) !== undefined
  }

  /** The reference that a path from `/` means where that is another folder. */
  #fromElsewhere(url: string, from: string): ContentRef | undefined {
    if (!isFromRoot(url)) return undefined
    const { anchor, target } = partsOf(url)
    const path = FolderPath.normalise(FolderPath.decode(target))
    if (path === undefined || path === "") return undefined
    const within = this.#root === "" ? "" : `${this.#root}/`
    if (!from.startsWith(within)) return undefined
    const names = FolderPath.directory(from.slice(within.length)).split("/")
    for (let count = 1; count <= names.length && names[0] !== ""; count++) {
      const found = this.#refOf(`${within}${names.slice(0, count).join("/")}/${path}`, anchor)
      if (found !== undefined) return found
    }
    const [, ...rest] = path.split("/")
    return rest.length === 0 ? undefined : this.#refOf(within + rest.join("/"), anchor)
  }

  /** The reference that a URL means where the file came from. */
  #fromOrigin(url: string, from: string, anchor: string): ContentRef | undefined {
    const found = this.#origins?.resolve(url, from)
    if (found === undefined) return undefined
    if ("path" in found) return this.#refOf(found.path, anchor)
    return found.url === url ? undefined : { kind: "url", url: found.url }
  }

  #at(target: string, from: string, anchor: string): ContentRef | undefined {
    const path = FolderPath.join(FolderPath.directory(from), target, this.#root)
    return path === undefined ? undefined : this.#refOf(path, anchor)
  }

  #refOf(path: string, anchor: string): ContentRef | undefined {
    const page = this.#index.page(path)
    const content = page && anchor === "" ? this.#reusableContents.get(page.path) : undefined
    if (content !== undefined) return { kind: "reusable-content", reusableContent: content }
    const id = page && this.#pages.get(page.path)
    if (id !== undefined) return anchor === "" ? { kind: "page", page: id } : { kind: "anchor", page: id, anchor }
    const file = this.#index.file(path)
    const fileId = file && this.#files.get(file.path)
    if (file === undefined || fileId === undefined || anchor !== "") return undefined
    this.referred.set(file.path, file)
    return { kind: "file", file: fileId }
  }
}

const partsOf = (url: string): { readonly target: string; readonly anchor: string } => {
  const hash = url.indexOf("#")
  return hash === -1 ? { target: url, anchor: "" } : { target: url.slice(0, hash), anchor: url.slice(hash + 1) }
}

const isFromRoot = (url: string): boolean => url.startsWith("/") && !url.startsWith("//")
