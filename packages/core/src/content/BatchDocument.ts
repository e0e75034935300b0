/** Reads a document that a batch of changes brings along, with the names that are good in the batch. */
import { Effect, Result } from "effect"
import type { DocumentBody } from "./ContentChange.ts"
import { InvalidChange } from "./ContentErrors.ts"
import type { ContentRef, Document } from "./Document.ts"
import * as DocumentInput from "./DocumentInput.ts"
import * as DocumentRefs from "./DocumentRefs.ts"
import { plainText } from "./DocumentText.ts"
import * as Documents from "./Document.ts"
import * as RefUrl from "./markdown/RefUrl.ts"
import * as Markdown from "./markdown/Markdown.ts"
import type { PageCover } from "./Page.ts"
import * as PageFrontMatter from "./PageFrontMatter.ts"

export type RefKind = "page" | "file" | "reusableContent"

/** The names of a batch and the ids they stand for. */
export class Refs {
  readonly #ids = new Map<string, { readonly kind: RefKind; readonly id: string }>()

  /** False where the name stands for something else already. */
  add(kind: RefKind, name: string, id: string): boolean {
    if (this.#ids.has(name)) return false
    this.#ids.set(name, { kind, id })
    return true
  }

  get(kind: RefKind, name: string): string | undefined {
    const found = this.#ids.get(name)
    return found?.kind === kind ? found.id : undefined
  }

  /** A reference with ids in place of names. */
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

  /** What a URL stands for that is written with a name: `/pages/<name>`, `./<name>.md`, `./<name>` … */
  ofUrl(url: string): ContentRef | undefined {
    const match = /^(?:\.\/|\/pages\/|\/files\/|\/reusable-contents\/)([^#]{1,256})(?:#([^#]+))?$/.exec(url)
    if (match === null) return undefined
    const [, written, anchor] = match
    const found = this.#ids.get(written!) ?? this.#ids.get(written!.replace(/\.md$/, ""))
    if (found === undefined) return undefined
    if (found.kind === "file") return { kind: "file", file: found.id }
    if (found.kind === "reusableContent") return { kind: "reusable-content", reusableContent: found.id }
    return anchor === undefined ? { kind: "page", page: found.id } : { kind: "anchor", page: found.id, anchor }
  }
}

export interface Read {
  readonly document: Document
  readonly metadata: PageFrontMatter.PageFrontMatter["metadata"] & { readonly cover?: typeof PageCover.Type }
  /** Front matter to keep as it is; undefined takes away what was kept. Absent where the input has none at all. */
  readonly verbatim?: { readonly frontMatter: string | undefined }
  /** The text of a heading that the document starts with: the title of a page that has no other. */
  readonly heading?: string
}

export const read = (
  body: DocumentBody,
  path: string,
  { nextKey, refs }: { readonly nextKey: () => string; readonly refs: Refs }
): Effect.Effect<Read, InvalidChange> => {
  const invalid = (at: string, message: string) => Effect.fail(new InvalidChange({ issues: [{ path: at, message }] }))
  if (body.markdown !== undefined && body.document !== undefined) {
    return invalid(path, "Expected Markdown or a document, not both")
  }
  if (body.markdown !== undefined) {
    const parsed = Markdown.parse(body.markdown, { nextKey, resolve: (url) => refs.ofUrl(url) })
    const { metadata, verbatim } = PageFrontMatter.read(parsed.frontMatter)
    const cover = PageFrontMatter.cover(parsed.frontMatter, (url) => {
      const ref = refs.ofUrl(url) ?? RefUrl.fromUrl(url)
      return ref.kind === "file" ? ref : undefined
    })
    return Effect.succeed({
      document: parsed.document,
      metadata: { ...metadata, ...(cover !== undefined && { cover }) },
      ...(parsed.frontMatter !== undefined && { verbatim: { frontMatter: verbatim } }),
      ...headingOf(parsed.document)
    })
  }
  if (body.document === undefined) return Effect.succeed({ document: Documents.empty, metadata: {} })
  const normalised = DocumentInput.normalise(body.document, nextKey)
  if (Result.isFailure(normalised)) {
    const { path: at, message } = normalised.failure
    return invalid(at === "" ? `${path}.document` : `${path}.document.${at}`, message)
  }
  const document = DocumentRefs.mapRefs(normalised.success, (ref) => refs.resolve(ref))
  return Effect.succeed({ document, metadata: {}, ...headingOf(document) })
}

const maxTitle = 256

const headingOf = (document: Document): { readonly heading?: string } => {
  const first = document.nodes[0]
  const text = first?.type === "heading-1" ? Array.from(plainText(first).trim()).slice(0, maxTitle).join("") : ""
  return text === "" ? {} : { heading: text }
}
