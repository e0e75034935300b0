/**
 * Reads small pages of an import in a thread, several at once, up to what is stored of them: with the links of the
 * folder that they lead by (see `FolderResolver`), so that each is read once.
 */
import * as DocumentLinks from "@lectern/document/DocumentLinks"
import type { FencedBlock } from "@lectern/document/overlay/BlockOrigin"
import { keysFrom } from "../../identity/Ids.ts"
import * as Computation from "../../thread/Computation.ts"
import * as StoredDocument from "../documents/StoredDocument.ts"
import { WrittenDocument } from "../documents/WriteDocument.ts"
import { FolderResolver, type Places } from "./FolderResolver.ts"
import type { PageRead } from "./ReadPage.ts"
import * as PageSource from "./PageSource.ts"

interface Input {
  readonly pages: ReadonlyArray<{
    readonly text: string
    readonly file: PageSource.File
    /** Text from which the keys of its blocks are derived. */
    readonly key: string
  }>
  readonly fenced: ReadonlyArray<FencedBlock>
}

interface Answer {
  /** `written`: undefined where the document says nothing. */
  readonly pages: ReadonlyArray<
    Omit<PageSource.PageSource, "document" | "heading"> & {
      readonly written: Pick<WrittenDocument, "json" | "links"> | undefined
    }
  >
  /** Paths of files that they lead to. */
  readonly referred: ReadonlyArray<string>
}

const resolvers = new WeakMap<Places, ReturnType<typeof FolderResolver.at>>()

const resolverAt = (places: Places) => {
  const known = resolvers.get(places) ?? FolderResolver.at(places)
  resolvers.set(places, known)
  return known
}

export const ReadPages = Computation.make({
  name: "read-pages",
  run: ({ pages, fenced }: Input, places: Places): Answer => {
    const resolver = resolverAt(places)
    resolver.referred.clear()
    const read = pages.map(({ text, file, key }) => {
      const nextKey = keysFrom(key)
      const resolve = (url: string) => resolver.resolve(url, file.path)
      const { title, metadata, fields, document } = PageSource.read(text, { ...file, nextKey, resolve, fenced })
      const isEmpty = document.nodes.length === 0 && StoredDocument.isEmpty(StoredDocument.fold(document))
      const written = isEmpty ? undefined : { json: StoredDocument.jsonOf(document), links: DocumentLinks.of(document) }
      return { title, metadata, fields, written }
    })
    return { pages: read, referred: [...resolver.referred.keys()] }
  }
})

/** Pages as they came from the thread, for whoever stores them. */
export const received = ({ pages }: Answer): ReadonlyArray<PageRead> =>
  pages.map(({ written, ...page }) => ({
    ...page,
    document: written === undefined ? StoredDocument.empty : new WrittenDocument(written)
  }))
