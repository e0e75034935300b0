/**
 * Footnotes that explain one piece of text: `[text](#user-content-fn-1)[^1]`, with the footnote at
 * the top of the page. They are a part of that text, not of the page.
 */
import * as FootnoteElement from "./FootnoteElement.ts"
import { normalise } from "./LinkReferences.ts"
import { isAnnotation } from "./InlinesFromMarkdown.ts"
import type { Block, FootnoteDefinition, Node, Root } from "./syntax/SyntaxTree.ts"

export interface Annotations {
  /** By their identifiers. */
  readonly footnotes: ReadonlyMap<string, FootnoteDefinition>
  /** Identifiers of those whose text is in HTML, which may not be read. */
  readonly inHtml: ReadonlySet<string>
}

/** The footnotes of the page, those in hints and tabs as well: between tags, as these are printed, they are at the top. */
const atTop = (nodes: ReadonlyArray<Block>): ReadonlyArray<FootnoteDefinition> =>
  nodes.flatMap((node) => {
    if (node.type === "footnoteDefinition") return [node]
    if (node.type === "tabs") return node.children.flatMap(({ children }) => atTop(children))
    return node.type === "admonition" ? atTop(node.children) : []
  })

/** A footnote with several marks, or within another one, is an ordinary one. */
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
