/** Changes of `lectern lint --fix`. A change concerns one line, and all other lines keep their bytes. */

/** Replaces a part of a line. Columns and lengths are in UTF-16 code units, from 1. */
export interface Replacement {
  readonly line: number
  readonly column: number
  readonly length: number
  readonly text: string
}

/** Removes a line with its line end. */
export interface Removal {
  readonly line: number
  readonly isRemoval: true
}

export type Fix = Replacement | Removal

const lineWithEnd = /[^\r\n]*(?:\r\n|\r|\n|$)/y

const linesOf = (text: string): Array<string> => {
  const lines: Array<string> = []
  for (let at = 0; at < text.length; at += lines.at(-1)!.length) {
    lineWithEnd.lastIndex = at
    lines.push(lineWithEnd.exec(text)![0])
  }
  return lines
}

const byteOrderMark = "\uFEFF"

/** Returns the text with the changes. Of two changes that overlap, only the first is made. */
export const apply = (source: string, fixes: ReadonlyArray<Fix>): string => {
  const mark = source.startsWith(byteOrderMark) ? byteOrderMark : ""
  const lines: Array<string | undefined> = linesOf(source.slice(mark.length))
  for (const [line, lineFixes] of Map.groupBy(fixes, ({ line }) => line)) {
    const before = lines[line - 1]
    if (before === undefined) continue
    if (lineFixes.some((fix) => "isRemoval" in fix)) {
      lines[line - 1] = undefined
      continue
    }
    let text = ""
    let end = 0
    for (const { column, length, text: replacement } of (lineFixes as ReadonlyArray<Replacement>).toSorted(
      (a, b) => a.column - b.column
    )) {
      if (column - 1 < end) continue
      text += before.slice(end, column - 1) + replacement
      end = column - 1 + length
    }
    lines[line - 1] = text + before.slice(end)
  }
  return mark + lines.filter((line) => line !== undefined).join("")
}
