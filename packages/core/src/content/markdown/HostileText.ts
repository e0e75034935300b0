/**
 * Tells text that would take the parser more than linear time in ways that no construct can bound,
 * or that would be more than a document may hold. Such text is kept whole in one verbatim block.
 *
 * Limits: 4 Mi characters, 50,000 lines that are not blank, 10,000 of them in a row, 50,000 cells
 * of tables, 2,000 list markers in a row, 200 link titles in parentheses.
 */
const maxLength = 4 * 1024 * 1024
const maxLines = 50_000
const maxLinesInRow = 10_000
const maxCells = 50_000
const maxMarkers = 2000
const maxTitles = 200

export const isHostile = (text: string): boolean =>
  text.length > maxLength ||
  hasTooManyLines(text) ||
  hasTooManyCells(text) ||
  hasTooManyMarkers(text) ||
  hasTooManyTitles(text)

const hasTooManyLines = (text: string): boolean => {
  let lines = 0
  let inRow = 0
  for (let start = 0; start < text.length;) {
    const next = text.indexOf("\n", start)
    const end = next === -1 ? text.length : next
    if (end === start) inRow = 0
    else if (++inRow > maxLinesInRow || ++lines > maxLines) return true
    start = end + 1
  }
  return false
}

const hasTooManyCells = (text: string): boolean => {
  let bars = 0
  for (let at = text.indexOf("|"); at !== -1; at = text.indexOf("|", at + 1)) if (++bars > maxCells) return true
  return false
}

/** Each of them could be a list or the start of a divider, to which all of the line is read. */
const hasTooManyMarkers = (text: string): boolean => {
  let markers = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 42 || code === 45 || code === 95) {
      if (++markers > maxMarkers) return true
    } else if (code !== 32 && code !== 9) markers = 0
  }
  return false
}

const hasTooManyTitles = (text: string): boolean => {
  let titles = 0
  for (let at = text.indexOf("]("); at !== -1; at = text.indexOf("](", at + 2)) {
    titleAt.lastIndex = at + 2
    if (titleAt.test(text) && ++titles > maxTitles) return true
  }
  return false
}

const titleAt = /[^\s()]{0,2048}\s{1,100}\(/y
