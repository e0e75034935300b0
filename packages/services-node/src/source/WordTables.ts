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
  let skippedColumns = 0
  let headerStart: number | undefined
  const names: Array<string> = []
  WordXml.parseXml(xml, {
    open: (name, attribute, offset) => {
      const parentName = names.at(-1)
      names.push(name)
      if (parentName !== "trPr") return
      const value = attribute("val") ?? ""
      if (name === "gridBefore" && /^\d{1,3}$/.test(value)) skippedColumns = Math.min(maxColumns, Number(value))
      if (name === "tblHeader" && /^(?:0|false|off)$/i.test(value)) headerStart = offset
    },
    close: (name, to) => {
      names.pop()
      if (name === "tblHeader" && headerStart !== undefined) {
        replacements.push({ from: headerStart, to, text: "" })
        headerStart = undefined
      }
      if (name !== "trPr" || skippedColumns === 0) return
      const span = `<${prefix}tcPr><${prefix}gridSpan ${prefix}val="${skippedColumns}"/></${prefix}tcPr>`
      replacements.push({ from: to, to, text: `<${prefix}tc>${span}<${prefix}p/></${prefix}tc>` })
      skippedColumns = 0
    }
  })
  return WordXml.replaced(xml, replacements)
}
