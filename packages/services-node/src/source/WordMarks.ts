/**
 * Retains content of a Word document that its converter leaves out: formulas, and numbers of list items. Before the
 * conversion, bookmarks for them are added to the XML. In the converted HTML, formulas and the first numbers of lists
 * replace the bookmarks.
 *
 * Time is linear in the length of the XML, without recursion.
 */
import type { Element, Root } from "hast"
import { attribute, isElement, replace } from "./Hast.ts"
import type { PageNodes } from "./PageNodes.ts"
import { type Formula, type MathElement, toLatex } from "./WordFormulas.ts"
import type { WordNumbering } from "./WordNumbering.ts"
import * as WordXml from "./WordXml.ts"

const formulaNamePrefix = "lectern-formula-"
const itemName = "lectern-item-"

/**
 * Returns the XML of a part with bookmarks, and adds its formulas to `formulas`. `numbering` counts the items of lists.
 * Default: items are not counted.
 */
export const mark = (xml: string, formulas: Array<Formula>, numbering?: WordNumbering): string => {
  const prefix = WordXml.prefixOf(xml)
  const bookmark = (name: string) => `<${prefix}bookmarkStart ${prefix}id="0" ${prefix}name="${name}"/>`
  const replacements: Array<{ readonly from: number; readonly to: number; readonly text: string }> = []
  const names: Array<string> = []
  const paragraphs: Array<{ list?: string; level?: string; style?: string }> = []
  /** Open elements of a formula. */
  let math: Array<MathElement> = []
  let from = 0
  let block: { readonly from: number; bookmarks: string } | undefined
  WordXml.parseXml(xml, {
    open: (name, attribute, offset) => {
      const parentName = names.at(-1)
      names.push(name)
      const local = name.startsWith("m:") ? name.slice(2) : undefined
      if (math.length > 0 || local === "oMath") {
        if (math.length === 0) from = offset
        const element = { name: local ?? name, value: local && attribute("val"), children: [], text: "" }
        math.at(-1)?.children.push(element)
        math.push(element)
      } else if (local === "oMathPara") block = { from: offset, bookmarks: "" }
      else if (name === "p") paragraphs.push({})
      const paragraph = paragraphs.at(-1)
      const value = attribute("val")
      if (paragraph === undefined || value === undefined) return
      if (name === "pStyle" && parentName === "pPr") paragraph.style = value
      if (parentName !== "numPr" || names.at(-3) !== "pPr") return
      if (name === "numId") paragraph.list = value
      else if (name === "ilvl") paragraph.level = value
    },
    text: (text) => {
      const top = math.at(-1)
      if (top?.name === "t") top.text += text
    },
    close: (name, to) => {
      names.pop()
      if (math.length > 0) {
        const [root] = math
        math.pop()
        if (math.length > 0) return
        const latex = toLatex(root!)
        const text =
          latex === ""
            ? ""
            : bookmark(`${formulaNamePrefix}${formulas.push({ latex, isBlock: block !== undefined }) - 1}`)
        if (block === undefined) replacements.push({ from, to, text })
        else block.bookmarks += text
      } else if (name === "m:oMathPara" && block !== undefined) {
        replacements.push({ from: block.from, to, text: block.bookmarks })
        block = undefined
      } else if (name === "p") paragraphs.pop()
      else if (name === "pPr" && names.at(-1) === "p" && numbering !== undefined) {
        const { list, level, style } = paragraphs.at(-1) ?? {}
        const number = numbering.next({ list, level, style })
        if (number !== undefined) replacements.push({ from: to, to, text: bookmark(`${itemName}${number}`) })
      }
    }
  })
  return WordXml.replaced(xml, replacements)
}

/**
 * Replaces the bookmarks in the HTML of a document. A list is split before an item whose number does not follow the
 * previous one.
 */
export const resolve = (content: Root, nodes: PageNodes, formulas: ReadonlyArray<Formula>): void => {
  const split = new Set<Element>()
  replace(content, (element) => {
    if (isElement(element, "ol") && !split.has(element)) {
      const lists = listsOf(element)
      for (const list of lists) split.add(list)
      return lists
    }
    if (!isElement(element, "a")) return undefined
    const id = attribute(element, "id") ?? ""
    if (id.startsWith(itemName)) return element.children
    const formula = id.startsWith(formulaNamePrefix) ? formulas[Number(id.slice(formulaNamePrefix.length))] : undefined
    return formula === undefined ? undefined : [nodes.formula(formula.latex, formula.isBlock), ...element.children]
  })
}

const listsOf = (list: Element): Array<Element> => {
  const lists: Array<Element> = []
  let expected: number | undefined
  for (const child of list.children) {
    const number = isElement(child, "li") ? numberOf(child) : undefined
    const lastList = lists.at(-1)
    if (lastList === undefined || (number !== undefined && number !== expected)) {
      const start = number === undefined ? {} : { start: String(number) }
      lists.push({ ...list, properties: { ...list.properties, ...start }, children: [child] })
    } else lastList.children.push(child)
    if (isElement(child, "li")) expected = number === undefined ? expected : number + 1
  }
  return lists
}

/** Returns the number in the bookmark at the start of an item. */
const numberOf = ({ children }: Element): number | undefined => {
  let first = children[0]
  if (isElement(first, "p")) first = first.children[0]
  const id = isElement(first, "a") ? (attribute(first, "id") ?? "") : ""
  return id.startsWith(itemName) ? Number(id.slice(itemName.length)) : undefined
}
