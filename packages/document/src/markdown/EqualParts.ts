/** Pairs parts of a text, such as lines or rows, with equal parts before an edit. */

/** Returns the index of the old part for each part; undefined for new parts. No old part is paired twice. */
export const pairEqualParts = (
  before: ReadonlyArray<string>,
  after: ReadonlyArray<string>
): ReadonlyArray<number | undefined> => {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const unpaired = new Map<string, Array<number>>()
  for (let at = start; at < before.length - end; at++) {
    const existing = unpaired.get(before[at]!)
    if (existing === undefined) unpaired.set(before[at]!, [at])
    else existing.push(at)
  }
  return after.map((part, i) => {
    if (i < start) return i
    return i >= after.length - end ? i - after.length + before.length : unpaired.get(part)?.shift()
  })
}
