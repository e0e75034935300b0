/**
 * Resolves destinations of links in a folder's pages to references: pages, files and reusable content of the folder
 * by id. A destination that leads to none of them stays as it is.
 */
import type { ContentRef } from "@lectern/document/Document"
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
    const hash = url.indexOf("#")
    const anchor = hash === -1 ? "" : url.slice(hash + 1)
    const target = hash === -1 ? url : url.slice(0, hash)
    const within = FolderPath.isExternal(url)
      ? undefined
      : (this.#at(target, from, anchor) ?? this.#at(FolderPath.decode(target), from, anchor))
    return within ?? this.#fromOrigin(url, from, anchor)
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
