/** The part of a text in CodeMirror that differs from another text, so that the cursor and the scroll position stay. */

interface TextChange {
  readonly from: number
  readonly to: number
  readonly insert: string
}

/** Returns the change without the equal characters at the start and end. `start`: offset of the text. Default: 0. */
export const textChange = (before: string, after: string, start = 0): TextChange => {
  const max = Math.min(before.length, after.length)
  let first = 0
  while (first < max && before.charCodeAt(first) === after.charCodeAt(first)) first++
  let same = 0
  while (
    same < max - first &&
    before.charCodeAt(before.length - 1 - same) === after.charCodeAt(after.length - 1 - same)
  )
    same++
  return { from: start + first, to: start + before.length - same, insert: after.slice(first, after.length - same) }
}
