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
  const found: Array<ReadonlyArray<Paragraph>> = []
  /** Consecutive paragraphs, one list for each open element. */
  const runs: Array<Array<Paragraph>> = [[]]
  const open: Array<Paragraph> = []
  const names: Array<string> = []
  const end = () => {
    const run = runs.at(-1)!
    if (run.length > 2) found.push(run)
    runs[runs.length - 1] = []
  }
  WordXml.parseXml(xml, {
    open: (name, attribute, at) => {
      const around = names.at(-1)
      const before = names.at(-2)
      names.push(name)
      const own = open.at(-1)
      if (name === "p") {
        open.push({ from: at, inside: xml.indexOf(">", at) + 1, to: at, list: "", hasText: false, hasPicture: false })
        runs.push([])
      } else if (name === "tbl" || name === "tc" || name === "txbxContent" || name === "sdt") {
        end()
        runs.push([])
      } else if (own !== undefined && around === "numPr" && before === "pPr" && (name === "numId" || name === "ilvl")) {
        own.list = name === "ilvl" ? `${attribute("val")} ${own.list}` : `${own.list}#${attribute("val")}`
      } else if (own !== undefined && name === "t") own.hasText = true
      else if (own !== undefined && pictures.test(name)) own.hasPicture = true
    },
    close: (name, to) => {
      names.pop()
      const own = open.at(-1)
      if (name === "pPr" && names.at(-1) === "p" && own !== undefined) own.inside = to
      else if (name === "p") {
        end()
        runs.pop()
        open.pop()
        own!.to = to
        runs.at(-1)!.push(own!)
      } else if (name === "tbl" || name === "tc" || name === "txbxContent" || name === "sdt") {
        end()
        runs.pop()
      } else if (name === "body") end()
    }
  })
  const joints = found.flatMap((run) => listJoints(xml, run)).toSorted((a, b) => a.from - b.from)
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
    for (let at = i; at < next - 1; at++) {
      const from = xml.lastIndexOf("</", run[at]!.to)
      joints.push({ from, to: run[at + 1]!.inside, text: `<${prefix}r><${prefix}br/></${prefix}r>` })
    }
    i = next - 1
  }
  return joints
}
