/** Pairs parts of a text, such as lines or rows, with equal parts before an edit. */

/** Returns the index of the old part for each part; undefined for new parts. No old part is paired twice. */
export const paired = (was: ReadonlyArray<string>, is: ReadonlyArray<string>): ReadonlyArray<number | undefined> => {
  const least = Math.min(was.length, is.length)
  let start = 0
  while (start < least && was[start] === is[start]) start++
  let end = 0
  while (end < least - start && was.at(-1 - end) === is.at(-1 - end)) end++
  const spare = new Map<string, Array<number>>()
  for (let at = start; at < was.length - end; at++) {
    const known = spare.get(was[at]!)
    if (known === undefined) spare.set(was[at]!, [at])
    else known.push(at)
  }
  return is.map((part, i) => {
    if (i < start) return i
    return i >= is.length - end ? i - is.length + was.length : spare.get(part)?.shift()
  })
}
