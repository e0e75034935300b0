/**
 * Footnotes and endnotes of a Word document, in the HTML of its converter. Each reference mark becomes a footnote
 * reference, and each note becomes an element for a definition. Notes without a reference mark and reference marks
 * without a note do not change.
 */
import type { Element, Root } from "hast"
import { attribute, elements, isElement, replace } from "./Hast.ts"
import type { PageNodes } from "./PageNodes.ts"

const definitionTag = "lectern-footnote"

const noteId = /^(footnote|endnote)-(\d{1,6})$/
const noteLink = /^#(footnote|endnote)-(\d{1,6})$/
const backLink = /^#(?:footnote|endnote)-ref-\d{1,6}$/

const labelOf = (match: RegExpExecArray | null): string | undefined => {
  if (match === null) return undefined
  return match[1] === "endnote" ? `e${match[2]}` : match[2]
}

const definition = (label: string, children: Element["children"]): Element => ({
  type: "element",
  tagName: definitionTag,
  properties: { "data-label": label },
  children
})

/** Removes the notes from the tree and returns them, in tree order. */
export const takeFootnotes = (content: Root | Element): ReadonlyArray<Element> => {
  const notes: Array<Element> = []
  replace(content, (element) => {
    if (!isElement(element, definitionTag)) return undefined
    notes.push(element)
    return []
  })
  return notes
}

export const labelIn = (note: Element): string => attribute(note, "data-label") ?? ""

/** Returns the label of the note that an element refers to. Undefined if the element is not a footnote reference. */
const markOf = (element: Element): string | undefined => {
  const [link, ...rest] = element.children
  if (!isElement(element, "sup") || !isElement(link, "a") || rest.length > 0) return undefined
  return labelOf(noteLink.exec(attribute(link, "href") ?? ""))
}

export const mark = (content: Root, nodes: PageNodes): void => {
  const notes = new Set<string>()
  const marks = new Set<string>()
  for (const element of elements(content)) {
    const note = isElement(element, "li") ? labelOf(noteId.exec(attribute(element, "id") ?? "")) : undefined
    if (note !== undefined) notes.add(note)
    const label = markOf(element)
    if (label !== undefined) marks.add(label)
  }
  const isNote = (label: string | undefined): label is string =>
    label !== undefined && notes.has(label) && marks.has(label)
  if (notes.size === 0) return
  replace(content, (element) => {
    const label = markOf(element)
    if (isNote(label)) return [nodes.inline("footnote-reference", { label })]
    if (isElement(element, "a") && backLink.test(attribute(element, "href") ?? "")) return []
    if (!isElement(element, "ol")) return undefined
    const items = element.children.filter((child) => isElement(child, "li"))
    const labels = items.map((item) => labelOf(noteId.exec(attribute(item, "id") ?? "")))
    if (items.length === 0 || !labels.every(isNote)) return undefined
    return items.map((item, i) => definition(labels[i]!, item.children))
  })
}
