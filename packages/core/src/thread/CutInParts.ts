/** Cuts a list into parts, in its order, that are neither too large nor too many: one that is too large is alone. */

export interface Most {
  /** Of all in a part together. */
  readonly size: number
  readonly count: number
}

export const cutInParts = <A>(
  items: ReadonlyArray<A>,
  sizeOf: (item: A) => number,
  most: Most
): ReadonlyArray<ReadonlyArray<A>> => {
  const parts: Array<Array<A>> = []
  let size = 0
  for (const item of items) {
    const own = sizeOf(item)
    const part = parts.at(-1)
    size += own
    if (part !== undefined && size <= most.size && part.length < most.count) part.push(item)
    else {
      parts.push([item])
      size = own
    }
  }
  return parts
}
