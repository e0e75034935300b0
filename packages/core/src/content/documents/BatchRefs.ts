/** The names of a batch of changes, and their ids. */
import type { ContentRef } from "@lectern/document/Document"

export type RefKind = "page" | "file" | "reusableContent"

/** Kinds and ids by name. */
export type BatchRefTable = ReadonlyMap<string, { readonly kind: RefKind; readonly id: string }>

export class BatchRefs {
  readonly #ids: Map<string, { readonly kind: RefKind; readonly id: string }>

  constructor(table: BatchRefTable = new Map()) {
    this.#ids = new Map(table)
  }

  /** The names in a form that can be sent to another thread. */
  get table(): BatchRefTable {
    return this.#ids
  }

  /** Adds a name. Returns false if the name is already in use. */
  add(kind: RefKind, name: string, id: string): boolean {
    if (this.#ids.has(name)) return false
    this.#ids.set(name, { kind, id })
    return true
  }

  get(kind: RefKind, name: string): string | undefined {
    const entry = this.#ids.get(name)
    return entry?.kind === kind ? entry.id : undefined
  }

  /** Returns the reference with ids instead of names. */
  resolve(ref: ContentRef): ContentRef {
    switch (ref.kind) {
      case "page":
        return { ...ref, page: this.get("page", ref.page) ?? ref.page }
      case "anchor":
        return ref.page === undefined ? ref : { ...ref, page: this.get("page", ref.page) ?? ref.page }
      case "file":
        return { ...ref, file: this.get("file", ref.file) ?? ref.file }
      case "reusable-content": {
        const id = this.get("reusableContent", ref.reusableContent)
        return id === undefined ? ref : { ...ref, reusableContent: id }
      }
      default:
        return ref
    }
  }

  /**
   * Returns the reference for a URL with a name of the batch: `/pages/<name>`, `./<name>.md` or `./<name>`, for
   * example.
   */
  fromUrl(url: string): ContentRef | undefined {
    const match = /^(?:\.\/|\/pages\/|\/files\/|\/reusable-contents\/)([^#]{1,256})(?:#([^#]+))?$/.exec(url)
    if (match === null) return undefined
    const [, name, anchor] = match
    const entry = this.#ids.get(name!) ?? this.#ids.get(name!.replace(/\.md$/, ""))
    if (entry === undefined) return undefined
    if (entry.kind === "file") return { kind: "file", file: entry.id }
    if (entry.kind === "reusableContent") return { kind: "reusable-content", reusableContent: entry.id }
    return anchor === undefined ? { kind: "page", page: entry.id } : { kind: "anchor", page: entry.id, anchor }
  }
}
