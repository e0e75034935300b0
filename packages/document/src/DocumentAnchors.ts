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
import * as NamedAnchors from "./NamedAnchors.ts"
import { blockSpec } from "./vocabulary/BlockTypes.ts"

/** A block with an anchor. Further names may be added during the traversal. */
interface AnchoredBlock {
  readonly block: Block
  readonly text: string
  readonly names: Array<string>
}

export const anchorsOf = (document: Document): ReadonlyMap<Block, Anchors.Anchor> => {
  const headings: Array<AnchoredBlock> = []
  const titledBlocks: Array<AnchoredBlock> = []
  /** Names in HTML that have no heading yet. They belong to the next heading if no visible content comes before it. */
  let pendingNames: Array<string> = []
  const assignPendingNames = () => {
    const { names } = headings.at(-1) ?? {}
    if (names !== undefined) for (const name of pendingNames) names.push(name)
    pendingNames = []
  }
  const pendingBlocks: Array<Block> = document.nodes.toReversed()
  for (let block = pendingBlocks.pop(); block !== undefined; block = pendingBlocks.pop()) {
    for (const name of NamedAnchors.namesInBlock(block)) pendingNames.push(name)
    if (DocumentText.headingLevel(block) !== undefined) {
      const text = DocumentText.inlinesText(block.nodes ?? [])
      headings.push({ block, text, names: [...pendingNames, ...NamedAnchors.namesInHeading(text)] })
      pendingNames = []
      continue
    }
    if (pendingNames.length > 0 && !NamedAnchors.isInvisible(block)) assignPendingNames()
    const title = titleOf(block)
    if (title !== undefined) titledBlocks.push({ block, text: title, names: [] })
    DocumentText.pushChildBlocks(pendingBlocks, block)
  }
  assignPendingNames()
  const anchorOf = Anchors.anchorAssigner()
  return new Map([...headings, ...titledBlocks].map(({ block, text, names }) => [block, anchorOf(block, text, names)]))
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
  return isEmpty ? ("fields" in anchor ? anchor.fallback : undefined) : title
}

/** Returns a text as a list, or the first 10 texts of a list, which limits the length of an anchor. */
const textsIn = (value: unknown): ReadonlyArray<string> =>
  (Array.isArray(value) ? value.slice(0, 10) : [value]).filter((one) => typeof one === "string")

/** Returns the serialized anchors (see `Anchors`): headings in document order, then titles. */
export const serializedAnchors = (document: Document): ReadonlyArray<string> =>
  Array.from(anchorsOf(document).values(), Anchors.serializeAnchor)

/**
 * Returns the document for responses. Blocks with an anchor have it as `meta.id`, and links to anchors in this or
 * another page use the id of the target.
 *
 * - `otherPageAnchors`: ids of anchors in other pages, by URL.
 * - `forMembers`: if true, a changed link also holds the original anchor, so that `written` restores it when a client
 *   sends the document back. Default: false.
 */
export const withAnchors = (
  document: Document,
  otherPageAnchors: ReadonlyMap<string, string> = new Map(),
  { forMembers = false } = {}
): Document => {
  const anchors = anchorsOf(document)
  if (anchors.size === 0 && otherPageAnchors.size === 0) return document
  const findAnchor = Anchors.anchorFinder(Array.from(anchors.values(), Anchors.serializeAnchor))
  const anchoredDocument = BlockTree.mapBlocks(document, (rebuilt, original) => {
    const anchor = anchors.get(original)
    return anchor === undefined ? rebuilt : { ...rebuilt, meta: { id: anchor.id } }
  })
  return DocumentRefs.mapRefs(anchoredDocument, (ref) => {
    if (ref.kind !== "anchor" || ref.space !== undefined) return ref
    const anchor = ref.page === undefined ? findAnchor(ref.anchor) : otherPageAnchors.get(RefUrl.toUrl(ref))
    if (anchor === undefined || anchor === ref.anchor) return ref
    const original = forMembers ? { written: { anchor: ref.anchor, shown: anchor } satisfies WrittenAnchor } : {}
    return { ...ref, anchor, ...original }
  })
}

/**
 * Returns the document with anchors added to headings that have none, such as headings read from HTML. Existing anchors
 * do not change, and new ones are unique in the document.
 */
export const withMissingAnchors = (document: Document): Document => {
  const usedIds = new Set<string>()
  const headings: Array<Block> = []
  const pending: Array<Block> = document.nodes.toReversed()
  for (let block = pending.pop(); block !== undefined; block = pending.pop()) {
    if (block.meta?.id !== undefined) usedIds.add(block.meta.id)
    else if (DocumentText.headingLevel(block) !== undefined) headings.push(block)
    DocumentText.pushChildBlocks(pending, block)
  }
  if (headings.length === 0) return document
  const anchorOf = Anchors.idAssigner(usedIds)
  const ids = new Map(headings.map((block) => [block, anchorOf(block, DocumentText.inlinesText(block.nodes ?? []))]))
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
export const originalRef = (ref: ContentRef): ContentRef => {
  if (ref.kind !== "anchor" || !("written" in ref)) return ref
  const { written, ...responseRef } = ref as typeof ref & { readonly written: Partial<WrittenAnchor> | null }
  const isUnchanged = typeof written?.anchor === "string" && written.shown === responseRef.anchor
  return isUnchanged ? { ...responseRef, anchor: written.anchor! } : responseRef
}
