/**
 * Finds annotations: footnotes that explain one piece of text, written as `[text](#user-content-fn-1)[^1]`, with the
 * footnote at the top level of the page. An annotation is part of that text, not a block of the page.
 */
import * as FootnoteElement from "./FootnoteElement.ts"
import { normalizeLabel } from "./LinkReferences.ts"
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
const topLevelFootnotes = (nodes: ReadonlyArray<Block>): ReadonlyArray<FootnoteDefinition> =>
  nodes.flatMap((node) => {
    if (node.type === "footnoteDefinition") return [node]
    if (node.type === "tabs") return node.children.flatMap(({ children }) => topLevelFootnotes(children))
    return node.type === "admonition" ? topLevelFootnotes(node.children) : []
  })

/**
 * Finds the annotations of a page. A footnote that has several references or definitions, or is referenced within
 * another footnote, is an ordinary one.
 */
export const findAnnotations = (root: Root): Annotations => {
  const annotationFootnotes = new Map<string, FootnoteDefinition>()
  const inHtml = new Set<string>()
  const definitions = new Map<string, FootnoteDefinition>()
  for (const definition of topLevelFootnotes(root.children)) definitions.set(definition.identifier, definition)
  if (definitions.size === 0) return { footnotes: annotationFootnotes, inHtml }
  const referenceCounts = new Map<string, number>()
  const definitionCounts = new Map<string, number>()
  const annotated = new Set<string>()
  const pending: Array<{ readonly node: Node; readonly inFootnote: boolean }> = [{ node: root, inFootnote: false }]
  for (let entry = pending.pop(); entry !== undefined; entry = pending.pop()) {
    const { node } = entry
    if (node.type === "footnoteReference")
      referenceCounts.set(node.identifier, (referenceCounts.get(node.identifier) ?? 0) + 1)
    if (node.type === "footnoteDefinition")
      definitionCounts.set(node.identifier, (definitionCounts.get(node.identifier) ?? 0) + 1)
    if (node.type === "html") {
      for (const { label, isBare } of FootnoteElement.findReferences(node.value)) {
        const identifier = normalizeLabel(label)
        referenceCounts.set(identifier, (referenceCounts.get(identifier) ?? 0) + 1)
        if (!isBare && !entry.inFootnote) annotated.add(identifier)
        if (!isBare) inHtml.add(identifier)
      }
    }
    if (!("children" in node)) continue
    const inFootnote = entry.inFootnote || node.type === "footnoteDefinition"
    for (const [i, child] of node.children.entries()) {
      pending.push({ node: child, inFootnote })
      const before = node.children[i - 1]
      const isAnnotationReference =
        child.type === "footnoteReference" && before?.type === "link" && isAnnotation(before, child.label)
      if (isAnnotationReference && !inFootnote) annotated.add(child.identifier)
    }
  }
  for (const identifier of annotated) {
    const definition = definitions.get(identifier)
    const isUnique = referenceCounts.get(identifier) === 1 && definitionCounts.get(identifier) === 1
    if (definition !== undefined && isUnique) annotationFootnotes.set(identifier, definition)
  }
  return { footnotes: annotationFootnotes, inHtml }
}
