/**
 * Splits a list into consecutive parts within limits of size and count. An item above the size limit is a part of its
 * own.
 */

export interface PartLimits {
  /** Maximum total size of a part. */
  readonly size: number
  readonly count: number
}

export const splitIntoParts = <A>(
  items: ReadonlyArray<A>,
  sizeOf: (item: A) => number,
  limits: PartLimits
): ReadonlyArray<ReadonlyArray<A>> => {
  const parts: Array<Array<A>> = []
  let size = 0
  for (const item of items) {
    const itemSize = sizeOf(item)
    const part = parts.at(-1)
    size += itemSize
    if (part !== undefined && size <= limits.size && part.length < limits.count) part.push(item)
    else {
      parts.push([item])
      size = itemSize
    }
  }
  return parts
}
