/**
 * Resolves reference-style links and images by the definitions of a page. A link keeps its label, and is printed in
 * this style while the definition has the same target.
 */
import type { Block, ContentRef, Data } from "../Document.ts"
import * as RefUrl from "./RefUrl.ts"
import type { Definition, Image, ImageReference, Link, LinkReference, Node, Root } from "./syntax/SyntaxTree.ts"

export type Resolve = (url: string, use: RefUrl.RefUse) => ContentRef | undefined

export interface References {
  readonly resolveRef: (url: string, use: RefUrl.RefUse) => ContentRef
  /** Returns the data of an inline link or image. */
  readonly resource: (node: Link | Image, use: RefUrl.RefUse) => Data
  /** Returns the data of a reference-style link or image. */
  readonly reference: (node: LinkReference | ImageReference, use: RefUrl.RefUse) => Data
  /** Returns the blocks of an annotation's footnote; undefined for an ordinary footnote. */
  readonly annotationBody: (identifier: string) => ReadonlyArray<Block> | undefined
  /** Returns true if the page has an ordinary footnote with this identifier. */
  readonly hasFootnote: (identifier: string) => boolean
}

/** Normalizes a label for comparison: ignores case, and collapses white space to one space. */
export const normalizeLabel = (label: string): string =>
  label
    .replace(/[\t\n\r ]+/g, " ")
    .replace(/^ | $/g, "")
    .toLowerCase()
    .toUpperCase()

export const createReferences = (
  root: Root,
  resolve: Resolve | undefined,
  annotationBody: References["annotationBody"],
  /** Identifiers of footnotes that belong to annotations. */
  annotationIds: ReadonlySet<string>
): References => {
  const byIdentifier = new Map<string, Definition>()
  const byLabel = new Map<string, Definition>()
  for (const definition of nodesOf(root, "definition")) {
    if (!byIdentifier.has(definition.identifier)) byIdentifier.set(definition.identifier, definition)
    const label = normalizeLabel(definition.label)
    if (!byLabel.has(label)) byLabel.set(label, definition)
  }
  let copiedLength = 0
  let footnotes: ReadonlySet<string> | undefined
  const resolveRef = (url: string, use: RefUrl.RefUse) => resolve?.(url, use) ?? RefUrl.fromUrl(url)
  const linkData = (url: string, title: string | undefined, use: RefUrl.RefUse): Data =>
    title ? { ref: resolveRef(url, use), title } : { ref: resolveRef(url, use) }

  return {
    resolveRef,
    annotationBody,
    hasFootnote: (identifier) => {
      footnotes ??= new Set(Array.from(nodesOf(root, "footnoteDefinition"), (footnote) => footnote.identifier))
      return footnotes.has(identifier) && !annotationIds.has(identifier)
    },
    resource: (node, use) => linkData(node.url, node.title, use),
    reference: (node, use) => {
      const definition = byIdentifier.get(node.identifier)
      // The parser creates a reference only if a definition exists.
      if (definition === undefined) return linkData("", undefined, use)
      copiedLength += definition.url.length + (definition.title?.length ?? 0)
      if (copiedLength > maxCopiedLength) return { ref: RefUrl.fromUrl(""), reference: node.label }
      const data = linkData(definition.url, definition.title, use)
      const label = node.label
      return byLabel.get(normalizeLabel(label)) === definition ? { ...data, reference: label } : data
    }
  }
}

/**
 * Maximum number of characters that all links copy from definitions. Prevents a long definition with many links from
 * multiplying.
 */
const maxCopiedLength = 1024 * 1024

const nodesOf = function* <Type extends "definition" | "footnoteDefinition">(
  root: Root,
  type: Type
): Generator<Extract<Node, { readonly type: Type }>> {
  const pending: Array<Node> = [root]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === type) yield node as Extract<Node, { readonly type: Type }>
    if ("children" in node && node.type !== "paragraph" && node.type !== "heading" && node.type !== "table") {
      for (let i = node.children.length - 1; i >= 0; i--) pending.push(node.children[i]!)
    }
  }
}
