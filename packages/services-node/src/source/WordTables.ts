/**
 * Corrects tables of a Word document for its converter. Rows that start at a later column get an empty cell for the
 * columns before. Rows that are explicitly no header rows lose the property, which the converter reads as set.
 *
 * Time is linear in the length of the XML, without recursion.
 */
import * as WordXml from "./WordXml.ts"

const maxColumns = 100

export const correctTables = (xml: string): string => {
  if (!/gridBefore|tblHeader/.test(xml)) return xml
  const prefix = WordXml.prefixOf(xml)
  const replacements: Array<{ readonly from: number; readonly to: number; readonly text: string }> = []
  let before = 0
  let mark: number | undefined
  const names: Array<string> = []
  WordXml.parseXml(xml, {
    open: (name, attribute, at) => {
      const around = names.at(-1)
      names.push(name)
      if (around !== "trPr") return
      const value = attribute("val") ?? ""
      if (name === "gridBefore" && /^\d{1,3}$/.test(value)) before = Math.min(maxColumns, Number(value))
      if (name === "tblHeader" && /^(?:0|false|off)$/i.test(value)) mark = at
    },
    close: (name, to) => {
      names.pop()
      if (name === "tblHeader" && mark !== undefined) {
        replacements.push({ from: mark, to, text: "" })
        mark = undefined
      }
      if (name !== "trPr" || before === 0) return
      const span = `<${prefix}tcPr><${prefix}gridSpan ${prefix}val="${before}"/></${prefix}tcPr>`
      replacements.push({ from: to, to, text: `<${prefix}tc>${span}<${prefix}p/></${prefix}tc>` })
      before = 0
    }
  })
  return WordXml.replaced(xml, replacements)
}
