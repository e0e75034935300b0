/**
 * Resolves link destinations in a folder's pages to references: pages, files and reusable content of the folder, by id.
 * A destination without a match stays unchanged.
 *
 * Other programs resolve a path from `/` against another folder: a published subfolder of the imported folder, or the
 * enclosing repository. An unresolved path from `/` is therefore tried from the ancestor folders of the page, outermost
 * first. Then it is tried without its first segment. The last candidates are the folders whose files many programs
 * publish at `/`, next to the pages or at the top.
 *
 * An asset or a picture with an unresolved path is found by its file name, if the folder has exactly one file of that
 * name.
 *
 * Other programs also publish pages as `name.html` or `name/`, and a folder's page as `index.html`, or take a query with
 * the id of a heading. An unresolved destination is tried without these, and a relative one also from `name/`. Blogs
 * publish `2024-03-31-name.md` below folders of its date: an unresolved destination that ends in `2024/03/31/name` or
 * `2024/03/name` is the only post of that date and name.
 *
 * A link in double brackets and a shortcode name a page or a file by its path, or by its name if only one has this name.
 *
 * The fragment after `#` names a heading of a page. For a file, the fragment states how to display the file
 * (`a.pdf#page=2`, `a.png#only-dark`). A reference has no field for this: only the file is kept.
 */
import type { ContentRef } from "@lectern/document/Document"
import { nameScheme } from "@lectern/document/markdown/elements/Wikilinks"
import * as RefUrl from "@lectern/document/markdown/RefUrl"
import { decodePercent } from "@lectern/document/PercentEncoding"
import type { FolderFile, OtherPage } from "./Folder.ts"
import type { FolderIndex } from "./FolderIndex.ts"
import type { FolderPlan } from "./FolderPlan.ts"
import * as FolderPath from "./FolderPath.ts"
import type { Origins } from "./Origins.ts"

/** Folders whose files other programs publish at `/`. */
const publishedAtRoot = ["static", "public"]

export class FolderResolver {
  /** Files that links refer to, by path. */
  readonly referencedFiles = new Map<string, FolderFile>()
  readonly #index: FolderIndex
  readonly #root: string
  readonly #pages: ReadonlyMap<string, string>
  readonly #files: ReadonlyMap<string, string>
  readonly #reusableContents: ReadonlyMap<string, string>
  readonly #origins: Origins | undefined
  readonly #otherPages: ReadonlyMap<string, OtherPage> | undefined

  /** `pages`, `files` and `reusableContents` are ids by path. */
  constructor(
    { index, root, origins, otherPages }: Pick<FolderPlan, "index" | "root" | "origins" | "otherPages">,
    pages: ReadonlyMap<string, string>,
    files: ReadonlyMap<string, string>,
    reusableContents: ReadonlyMap<string, string>
  ) {
    this.#origins = origins
    this.#otherPages = otherPages
    this.#index = index
    this.#root = root
    this.#pages = pages
    this.#files = files
    this.#reusableContents = reusableContents
  }

  /** Returns the reference for a URL in a file. Undefined if the URL has no target in the folder. */
  resolve(url: string, from: string): ContentRef | undefined {
    if (url === "" || url.startsWith("#")) return undefined
    if (url.startsWith(nameScheme)) return this.#resolveName(url.slice(nameScheme.length), from)
    return this.#resolveStrictly(url, from) ?? this.#resolveAtOrigin(url, from) ?? this.#resolveLoosely(url, from)
  }

  /** Returns true if an unresolved URL names a file that is missing in the folder. */
  isBroken(url: string, from: string): boolean {
    if (/^$|^[#?]|\{\{/.test(url) || RefUrl.isAbsolute(url) || RefUrl.fromUrl(url).kind !== "url") return false
    const { target } = partsOf(url)
    return [target, decodePercent(target)].every((one) => {
      const path = FolderPath.join(FolderPath.directory(from), one, this.#root)
      return path === undefined || (this.#index.file(path) ?? this.#index.page(path)) === undefined
    })
  }

  /** Returns true if a URL is resolved only by the rules of other programs. */
  resolvesLoosely(url: string, from: string): boolean {
    return this.#resolveStrictly(url, from) === undefined && this.#resolveLoosely(url, from) !== undefined
  }

  /** Resolves the name of a page or a file: as a path, or else as the only file of this name in the folder. */
  #resolveName(url: string, from: string): ContentRef | undefined {
    const { anchor, target } = partsOf(url)
    const ref =
      this.#resolvePath(target, from, anchor) ??
      this.#resolvePath(`/${target}`, from, anchor) ??
      this.#resolveLoosely(url, from)
    const named = ref === undefined ? this.#index.findNamed(target) : undefined
    return ref ?? (named && this.#refOf(named.path, FolderPath.isMarkdown(named.path) ? anchor : ""))
  }

  /** Resolves a URL exactly as written. */
  #resolveStrictly(url: string, from: string): ContentRef | undefined {
    if (RefUrl.isAbsolute(url)) return undefined
    const { anchor, target } = partsOf(url)
    return this.#resolvePath(target, from, anchor) ?? this.#resolvePath(decodePercent(target), from, anchor)
  }

  /** Resolves a URL by the rules of other programs. */
  #resolveLoosely(url: string, from: string): ContentRef | undefined {
    if (RefUrl.isAbsolute(url)) return undefined
    const variants = variantsOf(partsOf(url))
    for (const { anchor, target } of variants) {
      const pathRef =
        this.#resolvePath(target, from, anchor) ??
        this.#resolveFromOtherRoots(target, from, anchor) ??
        this.#resolveFromPublishedPage(target, from, anchor)
      if (pathRef !== undefined) return pathRef
    }
    for (const { anchor, target } of variants) {
      const post = this.#index.post(target)
      const postRef = post && this.#refOf(post.path, anchor)
      if (postRef !== undefined) return postRef
    }
    const { anchor, target } = partsOf(url)
    const file = anchor === "" || target === "" ? undefined : this.resolve(target, from)
    return file?.kind === "file" ? file : this.#resolveByName(url)
  }

  /** Resolves a URL by its file name only. */
  #resolveByName(url: string): ContentRef | undefined {
    for (const { target } of variantsOf(partsOf(url))) {
      const name = FolderPath.baseName(target)
      const file = name === "" ? undefined : this.#index.findByName(name)
      const fileRef = file && this.#refOf(file.path, "")
      if (fileRef?.kind === "file") return fileRef
    }
    return undefined
  }

  /** Resolves a path above a page at the URL of the page with a slash at its end: `../b` in `a.md` leads to `b.md`. */
  #resolveFromPublishedPage(target: string, from: string, anchor: string): ContentRef | undefined {
    if (!target.startsWith("../") || !FolderPath.isMarkdown(from) || FolderPath.isReadme(from)) return undefined
    const ref = this.#resolvePath(target, `${FolderPath.withoutExtension(from)}/`, anchor)
    return ref?.kind === "page" || ref?.kind === "anchor" ? ref : undefined
  }

  /** Resolves a path from `/` against folders other than the root. */
  #resolveFromOtherRoots(target: string, from: string, anchor: string): ContentRef | undefined {
    if (!target.startsWith("/")) return undefined
    const path = FolderPath.normalize(target)
    if (path === undefined || path === "") return undefined
    const rootPrefix = this.#root === "" ? "" : `${this.#root}/`
    if (!from.startsWith(rootPrefix)) return undefined
    const names = FolderPath.directory(from.slice(rootPrefix.length)).split("/")
    for (let count = 1; count <= names.length && names[0] !== ""; count++) {
      const ancestorRef = this.#refOf(`${rootPrefix}${names.slice(0, count).join("/")}/${path}`, anchor)
      if (ancestorRef !== undefined) return ancestorRef
    }
    const [, ...rest] = path.split("/")
    const strippedRef = rest.length === 0 ? undefined : this.#refOf(rootPrefix + rest.join("/"), anchor)
    if (strippedRef !== undefined) return strippedRef
    for (const folder of publishedAtRoot.flatMap((name) => [rootPrefix + name, name])) {
      const file = this.#refOf(`${folder}/${path}`, anchor)
      if (file?.kind === "file") return file
    }
    return undefined
  }

  /** Resolves a URL at the original location of the file. */
  #resolveAtOrigin(url: string, from: string): ContentRef | undefined {
    const originalTarget = this.#origins?.resolve(url, from)
    if (originalTarget === undefined) return undefined
    if ("path" in originalTarget) return this.#refOf(originalTarget.path, partsOf(url).anchor)
    return originalTarget.url === url ? undefined : { kind: "url", url: originalTarget.url }
  }

  #resolvePath(target: string, from: string, anchor: string): ContentRef | undefined {
    const path = FolderPath.join(FolderPath.directory(from), target, this.#root)
    return path === undefined ? undefined : this.#refOf(path, anchor)
  }

  #refOf(path: string, anchor: string): ContentRef | undefined {
    const page = this.#index.page(path)
    const content = page && anchor === "" ? this.#reusableContents.get(page.path) : undefined
    if (content !== undefined) return { kind: "reusable-content", reusableContent: content }
    const id = page && this.#pages.get(page.path)
    const target = id !== undefined ? { page: id } : page && this.#otherPages?.get(page.path)
    if (target !== undefined) return anchor === "" ? { kind: "page", ...target } : { kind: "anchor", ...target, anchor }
    const file = this.#index.file(path)
    const fileId = file && this.#files.get(file.path)
    if (file === undefined || fileId === undefined || anchor !== "") return undefined
    this.referencedFiles.set(file.path, file)
    return { kind: "file", file: fileId }
  }
}

interface Destination {
  readonly target: string
  readonly anchor: string
}

const partsOf = (url: string): Destination => {
  const hash = url.indexOf("#")
  return hash === -1 ? { target: url, anchor: "" } : { target: url.slice(0, hash), anchor: url.slice(hash + 1) }
}

/**
 * Returns the variants of a destination: as written, without a query, and without the extensions of published pages.
 */
const variantsOf = ({ anchor, target }: Destination): ReadonlyArray<Destination> => {
  const [withoutQuery = "", query] = target.split("?", 2)
  const exactDestination = { target: decodePercent(target), anchor }
  if (withoutQuery === "") return [exactDestination]
  const heading = anchor === "" && query !== undefined ? (new URLSearchParams(query).get("id") ?? "") : anchor
  const page = withoutQuery.replace(/\.html?$/i, "")
  const folder = page.replace(/(^|\/)index$/i, "$1.")
  return [
    exactDestination,
    ...[withoutQuery, page, folder].map((path) => ({ target: decodePercent(path), anchor: heading }))
  ]
}
