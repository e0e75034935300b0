/**
 * Computes the anchors of a document. Headings come first, then expandable blocks and tabs (by their titles), and
 * displayed parts of APIs (by method and path, or by name). Anchors of headings do not depend on the other anchors. A
 * name in HTML is an alias of the heading that directly follows, otherwise of the last heading before it.
 */
import * as Anchors from "./Anchors.ts"
import * as BlockTree from "./BlockTree.ts"
import type { Block, ContentRef, Document } from "./Document.ts"
import * as DocumentRefs from "./DocumentRefs.ts"
import * as DocumentText from "./DocumentText.ts"
import * as RefUrl from "./markdown/RefUrl.ts"
import * as NamedPlaces from "./NamedPlaces.ts"
import { blockSpec } from "./vocabulary/BlockTypes.ts"

/** A block with an anchor. Further names may be added during the traversal. */
interface Place {
  readonly block: Block
  readonly text: string
  readonly names: Array<string>
}

export const of = (document: Document): ReadonlyMap<Block, Anchors.Anchor> => {
  const headings: Array<Place> = []
  const titled: Array<Place> = []
  /** Names that precede the next heading or other visible content. */
  let ahead: Array<string> = []
  const settle = () => {
    const { names } = headings.at(-1) ?? {}
    if (names !== undefined) for (const name of ahead) names.push(name)
    ahead = []
  }
  const open: Array<Block> = document.nodes.toReversed()
  for (let block = open.pop(); block !== undefined; block = open.pop()) {
    for (const name of NamedPlaces.ofBlock(block)) ahead.push(name)
    if (DocumentText.headingLevel(block) !== undefined) {
      const text = DocumentText.ofInlines(block.nodes ?? [])
      headings.push({ block, text, names: [...ahead, ...NamedPlaces.ofHeading(text)] })
      ahead = []
      continue
    }
    if (ahead.length > 0 && !NamedPlaces.isUnseen(block)) settle()
    const title = titleOf(block)
    if (title !== undefined) titled.push({ block, text: title, names: [] })
    DocumentText.pushBlocksIn(open, block)
  }
  settle()
  const anchorOf = Anchors.all()
  return new Map([...headings, ...titled].map(({ block, text, names }) => [block, anchorOf(block, text, names)]))
}

const titleOf = (block: Block): string | undefined => {
  const { anchor } = blockSpec(block.type)
  if (anchor === undefined) return undefined
  const title =
    "fields" in anchor
      ? anchor.fields.flatMap((name) => textsIn(block.data?.[name])).join(" ")
      : block.fragments
          ?.find(({ fragment }) => fragment === anchor.fragment)
          ?.nodes.map(DocumentText.plainText)
          .join(" ")
  const isEmpty = title === undefined || title.trim() === ""
  return isEmpty ? ("fields" in anchor ? anchor.otherwise : undefined) : title
}

/** Returns a text as a list, or the first 10 texts of a list, which limits the length of an anchor. */
const textsIn = (value: unknown): ReadonlyArray<string> =>
  (Array.isArray(value) ? value.slice(0, 10) : [value]).filter((one) => typeof one === "string")

/** Returns the serialized anchors (see `Anchors`): headings in document order, then titles. */
export const packed = (document: Document): ReadonlyArray<string> => Array.from(of(document).values(), Anchors.pack)

/**
 * Returns the document for responses. Blocks with an anchor have it as `meta.id`, and links to anchors in this or
 * another page use the id of the target.
 *
 * - `elsewhere`: ids of anchors in other pages, by URL.
 * - `forMembers`: if true, a changed link also holds the original anchor, so that `written` restores it when a client
 *   sends the document back. Default: false.
 */
export const shown = (
  document: Document,
  elsewhere: ReadonlyMap<string, string> = new Map(),
  { forMembers = false } = {}
): Document => {
  const anchors = of(document)
  if (anchors.size === 0 && elsewhere.size === 0) return document
  const find = Anchors.finder(Array.from(anchors.values(), Anchors.pack))
  const marked = BlockTree.mapBlocks(document, (rebuilt, original) => {
    const anchor = anchors.get(original)
    return anchor === undefined ? rebuilt : { ...rebuilt, meta: { id: anchor.id } }
  })
  return DocumentRefs.mapRefs(marked, (ref) => {
    if (ref.kind !== "anchor" || ref.space !== undefined) return ref
    const anchor = ref.page === undefined ? find(ref.anchor) : elsewhere.get(RefUrl.toUrl(ref))
    if (anchor === undefined || anchor === ref.anchor) return ref
    const beside = forMembers ? { written: { anchor: ref.anchor, shown: anchor } satisfies WrittenAnchor } : {}
    return { ...ref, anchor, ...beside }
  })
}

/**
 * Returns the document with anchors added to headings that have none, such as headings read from HTML. Existing anchors
 * do not change, and new ones are unique in the document.
 */
export const completed = (document: Document): Document => {
  const taken = new Set<string>()
  const headings: Array<Block> = []
  const open: Array<Block> = document.nodes.toReversed()
  for (let block = open.pop(); block !== undefined; block = open.pop()) {
    if (block.meta?.id !== undefined) taken.add(block.meta.id)
    else if (DocumentText.headingLevel(block) !== undefined) headings.push(block)
    DocumentText.pushBlocksIn(open, block)
  }
  if (headings.length === 0) return document
  const anchorOf = Anchors.ids(taken)
  const ids = new Map(headings.map((block) => [block, anchorOf(block, DocumentText.ofInlines(block.nodes ?? []))]))
  return BlockTree.mapBlocks(document, (rebuilt, original) => {
    const id = ids.get(original)
    return id === undefined ? rebuilt : { ...rebuilt, meta: { id } }
  })
}

/** Original anchor of a link in a response, and the id that replaces it. */
interface WrittenAnchor {
  readonly anchor: string
  readonly shown: string
}

/**
 * Returns the original reference of a link in a response. A link whose anchor the client changed keeps the changed
 * anchor.
 */
export const written = (ref: ContentRef): ContentRef => {
  if (ref.kind !== "anchor" || !("written" in ref)) return ref
  const { written, ...own } = ref as typeof ref & { readonly written: Partial<WrittenAnchor> | null }
  const isAsShown = typeof written?.anchor === "string" && written.shown === own.anchor
  return isAsShown ? { ...own, anchor: written.anchor! } : own
}
