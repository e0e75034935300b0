/**
 * Converts references to link destinations in a folder. References to exported parts become relative URLs, from which
 * an import restores the same references. Other references stay unchanged.
 */
import { Equal } from "effect"
import type { ContentRef, Document } from "@lectern/document/Document"
import * as DocumentRefs from "@lectern/document/DocumentRefs"
import * as FileFields from "../import/FileFields.ts"
import { file } from "../import/Folder.ts"
import { FolderIndex } from "../import/FolderIndex.ts"
import { FolderResolver } from "../import/FolderResolver.ts"
import * as RefUrl from "@lectern/document/markdown/RefUrl"
import * as ExportPaths from "./ExportPaths.ts"

export class ExportUrls {
  readonly #space: string
  readonly #paths: ExportPaths.ExportPaths
  readonly #resolver: FolderResolver

  constructor(space: string, paths: ExportPaths.ExportPaths) {
    this.#space = space
    this.#paths = paths
    const byPath = (ids: ReadonlyMap<string, string>) => new Map(Array.from(ids, ([id, path]) => [path, id]))
    const pages = byPath(paths.pages)
    const files = byPath(paths.files)
    const reusableContents = byPath(paths.reusableContents)
    // An import also resolves links to these files.
    files.set(ExportPaths.configuration, "")
    for (const path of [ExportPaths.variables, FileFields.path]) files.set(ExportPaths.pathInRoot(paths, path), "")
    const all = [...pages.keys(), ...files.keys(), ...reusableContents.keys(), paths.summary]
    const index = new FolderIndex(all.map((path) => file(path, "")))
    this.#resolver = new FolderResolver({ index, root: paths.root }, pages, files, reusableContents)
  }

  /** Returns the reference that an import creates for a URL. */
  resolve(url: string, from: string): ContentRef | undefined {
    return this.#resolver.resolve(url, from)
  }

  /** Returns true if an import resolves the URL only by the looser rules of other programs (see `FolderResolver`). */
  isLoose(url: string, from: string): boolean {
    return this.#resolver.resolvesLoosely(url, from)
  }

  /** Returns a reference to an exported part without its space. Undefined for any other reference. */
  localRef(ref: ContentRef): ContentRef | undefined {
    if (this.#pathOf(ref) === undefined) return undefined
    if (ref.kind === "space" || !("space" in ref) || ref.space === undefined) return ref
    const { space: _, ...localRef } = ref
    return localRef
  }

  /** Returns the document with its references to the exported space reduced to references without a space. */
  withLocalRefs(document: Document): Document {
    return DocumentRefs.mapRefs(document, (ref) => this.localRef(ref) ?? ref)
  }

  /**
   * Returns the URLs of references that must stay unchanged, although an import would resolve them to a file of the
   * folder.
   */
  verbatimUrls(refs: ReadonlyArray<ContentRef>, from: string): ReadonlySet<string> {
    const urls = new Set<string>()
    for (const ref of refs) {
      if (this.localRef(ref) !== undefined) continue
      const url = RefUrl.toUrl(ref)
      if (this.resolve(url, from) !== undefined) urls.add(url)
    }
    return urls
  }

  /** Returns the URL of a reference in a file. */
  url(ref: ContentRef, from: string, verbatimUrls: ReadonlySet<string> = new Set()): string {
    const localRef = this.localRef(ref)
    const path = localRef && this.#pathOf(localRef)
    if (localRef === undefined || path === undefined) return RefUrl.toUrl(ref)
    const anchor = localRef.kind === "anchor" ? `#${localRef.anchor}` : ""
    const relative = ExportPaths.relativePath(from, path)
    const candidates = [encode(relative), `./${encode(relative)}`, relative].map((one) => one + anchor)
    const resolvesBack = (url: string) => !verbatimUrls.has(url) && Equal.equals(this.resolve(url, from), localRef)
    return candidates.find(resolvesBack) ?? RefUrl.toUrl(localRef)
  }

  #pathOf(ref: ContentRef): string | undefined {
    if ("space" in ref && ref.space !== undefined && ref.space !== this.#space) return undefined
    switch (ref.kind) {
      case "page":
        return this.#paths.pages.get(ref.page)
      case "anchor":
        return ref.page === undefined ? undefined : this.#paths.pages.get(ref.page)
      case "file":
        return this.#paths.files.get(ref.file)
      case "reusable-content":
        return this.#paths.reusableContents.get(ref.reusableContent)
      default:
        return undefined
    }
  }
}

/** Returns a path as a URL. A path that would look like a URL with a scheme gets the prefix `./`. */
export const encode = (path: string): string => {
  const url = path.replace(/[\s%#?&()<>[\]\\"`|]/g, (character) => encodeURIComponent(character).replace(/[()]/g, hex))
  return RefUrl.isAbsolute(url) ? `./${url}` : url
}

const hex = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
