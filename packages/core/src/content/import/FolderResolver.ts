/**
 * Resolves destinations of links in a folder's pages to references: pages, files and reusable content of the folder
 * by id. A destination that leads to none of them stays as it is.
 */
import type { ContentRef } from "@lectern/document/Document"
import type { FolderFile } from "./Folder.ts"
import { FolderIndex } from "./FolderIndex.ts"
import * as FolderPath from "./FolderPath.ts"
import type { Origins } from "./Origins.ts"

/** All that a resolver knows, for one in a thread, where an object is sent once. */
export interface Places {
  readonly json: string
}

interface Known {
  readonly root: string
  readonly paths: ReadonlyArray<string>
  /** Ids by path. */
  readonly ids: ReadonlyArray<ReadonlyArray<readonly [path: string, id: string]>>
}

export class FolderResolver<File extends Pick<FolderFile, "path"> = FolderFile> {
  /** Files that links lead to, by path. */
  readonly referred = new Map<string, File>()
  readonly #index: FolderIndex<File>
  readonly #root: string
  readonly #pages: ReadonlyMap<string, string>
  readonly #files: ReadonlyMap<string, string>
  readonly #reusableContents: ReadonlyMap<string, string>
  readonly #origins: Origins | undefined

  /** `pages`, `files` and `reusableContents` are ids by path. */
  constructor(
    index: FolderIndex<File>,
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

  /** For `at`; undefined where links are resolved by where the files came from as well. */
  get places(): Places | undefined {
    if (this.#origins !== undefined) return undefined
    const known: Known = {
      root: this.#root,
      paths: Array.from(this.#index.files, ({ path }) => path),
      ids: [this.#pages, this.#files, this.#reusableContents].map((ids) => [...ids])
    }
    return { json: JSON.stringify(known) }
  }

  /** One that knows the same. */
  static at({ json }: Places): FolderResolver<Pick<FolderFile, "path">> {
    const { root, paths, ids } = JSON.parse(json) as Known
    const [pages, files, reusableContents] = ids.map((some) => new Map(some))
    const index = new FolderIndex(paths.map((path) => ({ path })))
    return new FolderResolver(index, root, pages!, files!, reusableContents!)
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

  /** Notes that a link leads to a file, as a resolver that knows the same has found. */
  refer(path: string): void {
    const file = this.#index.file(path)
    if (file !== undefined) this.referred.set(path, file)
  }
}
