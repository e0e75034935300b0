/**
 * Detects text that exceeds the size of a document or the limits of one parse. Such text becomes one verbatim block.
 * The time to parse other text depends only on its length.
 *
 * Limits: 4 Mi characters, 50,000 lines that are not blank, 50,000 table cells.
 */
const maxLength = 4 * 1024 * 1024
const maxLines = 50_000
const maxCells = 50_000

export const exceedsLimits = (text: string): boolean =>
  text.length > maxLength || hasTooManyLines(text) || hasTooManyCells(text)

const hasTooManyLines = (text: string): boolean => {
  let lines = 0
  for (let start = 0; start < text.length;) {
    const next = text.indexOf("\n", start)
    const end = next === -1 ? text.length : next
    if (end > start && ++lines > maxLines) return true
    start = end + 1
  }
  return false
}

const hasTooManyCells = (text: string): boolean => {
  let bars = 0
  for (let at = text.indexOf("|"); at !== -1; at = text.indexOf("|", at + 1)) if (++bars > maxCells) return true
  return false
}
