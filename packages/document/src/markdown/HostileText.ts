/**
 * Tells text that would be more than a document may hold, or more than is parsed at once. Such text
 * is kept whole in one verbatim block. Any other takes time that grows with its length alone.
 *
 * Limits: 4 Mi characters, 50,000 lines that are not blank, 50,000 cells of tables.
 */
const maxLength = 4 * 1024 * 1024
const maxLines = 50_000
const maxCells = 50_000

export const isHostile = (text: string): boolean =>
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
