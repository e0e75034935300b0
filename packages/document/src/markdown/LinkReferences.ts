/**
 * The definitions of a page, by which reference-style links and images find their targets. A link
 * keeps its label, so it is written in that style again as long as the definition says the same.
 */
import type { Block, ContentRef, Data } from "../Document.ts"
import * as RefUrl from "./RefUrl.ts"
import type { Definition, Image, ImageReference, Link, LinkReference, Node, Root } from "./syntax/SyntaxTree.ts"

export type Resolve = (url: string, use: RefUrl.RefUse) => ContentRef | undefined

export interface References {
  readonly refOf: (url: string, use: RefUrl.RefUse) => ContentRef
  /** The data of an inline link or image. */
  readonly resource: (node: Link | Image, use: RefUrl.RefUse) => Data
  /** The data of a reference-style one. */
  readonly reference: (node: LinkReference | ImageReference, use: RefUrl.RefUse) => Data
  /** Blocks of the footnote of an annotation; undefined for an ordinary footnote. */
  readonly annotationBody: (identifier: string) => ReadonlyArray<Block> | undefined
  /** Tells whether the page has an ordinary footnote with this identifier. */
  readonly hasFootnote: (identifier: string) => boolean
}

/** Labels are compared without case, and white space counts as one space. */
export const normalise = (label: string): string =>
  label
    .replace(/[\t\n\r ]+/g, " ")
    .replace(/^ | $/g, "")
    .toLowerCase()
    .toUpperCase()

export const make = (
  root: Root,
  resolve: Resolve | undefined,
  annotationBody: References["annotationBody"],
  /** Identifiers of the footnotes that are those of annotations. */
  ofAnnotations: ReadonlySet<string>
): References => {
  const byIdentifier = new Map<string, Definition>()
  const byLabel = new Map<string, Definition>()
  for (const definition of nodesOf(root, "definition")) {
    if (!byIdentifier.has(definition.identifier)) byIdentifier.set(definition.identifier, definition)
    const label = normalise(definition.label)
    if (!byLabel.has(label)) byLabel.set(label, definition)
  }
  let copied = 0
  let footnotes: ReadonlySet<string> | undefined
  const refOf = (url: string, use: RefUrl.RefUse) => resolve?.(url, use) ?? RefUrl.fromUrl(url)
  const dataOf = (url: string, title: string | undefined, use: RefUrl.RefUse): Data =>
    title ? { ref: refOf(url, use), title } : { ref: refOf(url, use) }

  return {
    refOf,
    annotationBody,
    hasFootnote: (identifier) => {
      footnotes ??= new Set(Array.from(nodesOf(root, "footnoteDefinition"), (footnote) => footnote.identifier))
      return footnotes.has(identifier) && !ofAnnotations.has(identifier)
    },
    resource: (node, use) => dataOf(node.url, node.title, use),
    reference: (node, use) => {
      const definition = byIdentifier.get(node.identifier)
      // The parser makes a reference only where there is a definition.
      if (definition === undefined) return dataOf("", undefined, use)
      copied += definition.url.length + (definition.title?.length ?? 0)
      if (copied > maxCopied) return { ref: RefUrl.fromUrl(""), reference: node.label }
      const data = dataOf(definition.url, definition.title, use)
      const label = node.label
      return byLabel.get(normalise(label)) === definition ? { ...data, reference: label } : data
    }
  }
}

/** Characters that links take over from definitions, so that a long one used often does not multiply. */
const maxCopied = 1024 * 1024

const nodesOf = function* <Type extends "definition" | "footnoteDefinition">(
  root: Root,
  type: Type
): Generator<Extract<Node, { readonly type: Type }>> {
  const open: Array<Node> = [root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === type) yield node as Extract<Node, { readonly type: Type }>
    if ("children" in node && node.type !== "paragraph" && node.type !== "heading" && node.type !== "table") {
      for (let i = node.children.length - 1; i >= 0; i--) open.push(node.children[i]!)
    }
  }
}
