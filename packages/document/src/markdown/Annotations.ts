/**
 * Finds annotations: footnotes that explain one piece of text, written as `[text](#user-content-fn-1)[^1]`, with the
 * footnote at the top level of the page. An annotation is part of that text, not a block of the page.
 */
import * as FootnoteElement from "./FootnoteElement.ts"
import { normalise } from "./LinkReferences.ts"
import { isAnnotation } from "./InlinesFromMarkdown.ts"
import type { Block, FootnoteDefinition, Node, Root } from "./syntax/SyntaxTree.ts"

export interface Annotations {
  /** Footnotes of annotations, by identifier. */
  readonly footnotes: ReadonlyMap<string, FootnoteDefinition>
  /** Identifiers of annotations whose text is in HTML, which may stay unparsed. */
  readonly inHtml: ReadonlySet<string>
}

/**
 * Returns the top-level footnotes of the page. Those in hints and tabs count, since these are printed as tags, between
 * which blocks are at the top level.
 */
const atTop = (nodes: ReadonlyArray<Block>): ReadonlyArray<FootnoteDefinition> =>
  nodes.flatMap((node) => {
    if (node.type === "footnoteDefinition") return [node]
    if (node.type === "tabs") return node.children.flatMap(({ children }) => atTop(children))
    return node.type === "admonition" ? atTop(node.children) : []
  })

/**
 * Finds the annotations of a page. A footnote that has several references or definitions, or is referenced within
 * another footnote, is an ordinary one.
 */
export const find = (root: Root): Annotations => {
  const found = new Map<string, FootnoteDefinition>()
  const inHtml = new Set<string>()
  const definitions = new Map<string, FootnoteDefinition>()
  for (const definition of atTop(root.children)) definitions.set(definition.identifier, definition)
  if (definitions.size === 0) return { footnotes: found, inHtml }
  const marks = new Map<string, number>()
  const defined = new Map<string, number>()
  const annotated = new Set<string>()
  const open: Array<{ readonly node: Node; readonly inFootnote: boolean }> = [{ node: root, inFootnote: false }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node } = next
    if (node.type === "footnoteReference") marks.set(node.identifier, (marks.get(node.identifier) ?? 0) + 1)
    if (node.type === "footnoteDefinition") defined.set(node.identifier, (defined.get(node.identifier) ?? 0) + 1)
    if (node.type === "html") {
      for (const { label, isBare } of FootnoteElement.marksIn(node.value)) {
        const identifier = normalise(label)
        marks.set(identifier, (marks.get(identifier) ?? 0) + 1)
        if (!isBare && !next.inFootnote) annotated.add(identifier)
        if (!isBare) inHtml.add(identifier)
      }
    }
    if (!("children" in node)) continue
    const inFootnote = next.inFootnote || node.type === "footnoteDefinition"
    for (const [i, child] of node.children.entries()) {
      open.push({ node: child, inFootnote })
      const before = node.children[i - 1]
      const isOne = child.type === "footnoteReference" && before?.type === "link" && isAnnotation(before, child.label)
      if (isOne && !inFootnote) annotated.add(child.identifier)
    }
  }
  for (const identifier of annotated) {
    const definition = definitions.get(identifier)
    const isOnly = marks.get(identifier) === 1 && defined.get(identifier) === 1
    if (definition !== undefined && isOnly) found.set(identifier, definition)
  }
  return { footnotes: found, inHtml }
}
