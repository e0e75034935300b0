/**
 * Joins Word lists that a picture interrupts. A picture on its own lines between two items of a list becomes part of
 * the preceding item. Otherwise the converter would start a new list after the picture, counting from 1.
 *
 * Paragraphs are joined by their offsets in the XML. Time is linear in the length of the XML, without recursion.
 */
import * as WordXml from "./WordXml.ts"

interface Paragraph {
  readonly from: number
  /** End offset of the paragraph's properties, or of its opening tag if it has no properties. */
  inside: number
  to: number
  /** Id and level of the list that the paragraph belongs to. */
  list: string
  hasText: boolean
  hasPicture: boolean
}

const pictures = /^(?:\?(?:[^:]*:)?)?(?:drawing|pict|object)$/

export const joinLists = (xml: string): string => {
  const longRuns: Array<ReadonlyArray<Paragraph>> = []
  /** Consecutive paragraphs, one list for each open element. */
  const runs: Array<Array<Paragraph>> = [[]]
  const openParagraphs: Array<Paragraph> = []
  const names: Array<string> = []
  const end = () => {
    const run = runs.at(-1)!
    if (run.length > 2) longRuns.push(run)
    runs[runs.length - 1] = []
  }
  WordXml.parseXml(xml, {
    open: (name, attribute, offset) => {
      const parentName = names.at(-1)
      const grandparentName = names.at(-2)
      names.push(name)
      const paragraph = openParagraphs.at(-1)
      if (name === "p") {
        openParagraphs.push({
          from: offset,
          inside: xml.indexOf(">", offset) + 1,
          to: offset,
          list: "",
          hasText: false,
          hasPicture: false
        })
        runs.push([])
      } else if (name === "tbl" || name === "tc" || name === "txbxContent" || name === "sdt") {
        end()
        runs.push([])
      } else if (
        paragraph !== undefined &&
        parentName === "numPr" &&
        grandparentName === "pPr" &&
        (name === "numId" || name === "ilvl")
      ) {
        paragraph.list =
          name === "ilvl" ? `${attribute("val")} ${paragraph.list}` : `${paragraph.list}#${attribute("val")}`
      } else if (paragraph !== undefined && name === "t") paragraph.hasText = true
      else if (paragraph !== undefined && pictures.test(name)) paragraph.hasPicture = true
    },
    close: (name, to) => {
      names.pop()
      const paragraph = openParagraphs.at(-1)
      if (name === "pPr" && names.at(-1) === "p" && paragraph !== undefined) paragraph.inside = to
      else if (name === "p") {
        end()
        runs.pop()
        openParagraphs.pop()
        paragraph!.to = to
        runs.at(-1)!.push(paragraph!)
      } else if (name === "tbl" || name === "tc" || name === "txbxContent" || name === "sdt") {
        end()
        runs.pop()
      } else if (name === "body") end()
    }
  })
  const joints = longRuns.flatMap((run) => listJoints(xml, run)).toSorted((a, b) => a.from - b.from)
  return WordXml.replaced(xml, joints)
}

const isPicture = ({ list, hasText, hasPicture }: Paragraph): boolean => list === "" && hasPicture && !hasText

const listJoints = (xml: string, run: ReadonlyArray<Paragraph>) => {
  const joints: Array<{ readonly from: number; readonly to: number; readonly text: string }> = []
  for (let i = 0; i < run.length; i++) {
    const item = run[i]!
    if (item.list === "" || item.list.endsWith("#0")) continue
    let next = i + 1
    while (next < run.length && isPicture(run[next]!)) next++
    if (next === i + 1 || run[next]?.list !== item.list) continue
    const prefix = /^<([\w.-]+:)?/.exec(xml.slice(item.from, item.from + 50))?.[1] ?? ""
    for (let index = i; index < next - 1; index++) {
      const from = xml.lastIndexOf("</", run[index]!.to)
      joints.push({ from, to: run[index + 1]!.inside, text: `<${prefix}r><${prefix}br/></${prefix}r>` })
    }
    i = next - 1
  }
  return joints
}
