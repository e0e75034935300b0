/** Puts the pages below one page in an order with as few moves as there can be. */
import { Effect } from "effect"
import type { ContentEditor } from "../edits/ContentEditor.ts"

/** Pages that are not in `wanted` stay where they are, behind the one they stand behind. */
export const arrange = Effect.fnUntraced(function* (
  editor: ContentEditor,
  parent: string | null,
  wanted: ReadonlyArray<string>
) {
  const rank = new Map(wanted.map((id, i) => [id, i]))
  const order = (yield* editor.children(parent)).map(({ id }) => id as string)
  const current = order.filter((id) => rank.has(id))
  const there = new Set(current)
  const present = wanted.filter((id) => there.has(id))
  const stay = longestRising(current.map((id) => rank.get(id)!))
  if (stay.size === current.length) return
  let previous: string | undefined
  for (const id of present) {
    if (!stay.has(rank.get(id)!)) {
      order.splice(order.indexOf(id), 1)
      const at = previous === undefined ? 0 : order.indexOf(previous) + 1
      order.splice(at, 0, id)
      yield* editor.movePage(id, { at })
      yield* Effect.yieldNow
    }
    previous = id
  }
})

/** The values of a longest rising subsequence. */
export const longestRising = (values: ReadonlyArray<number>): ReadonlySet<number> => {
  /** By length, the index of the smallest value that ends a run of that length. */
  const ends: Array<number> = []
  const before: Array<number | undefined> = []
  for (const [i, value] of values.entries()) {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (values[ends[middle]!]! < value) low = middle + 1
      else high = middle
    }
    before.push(low === 0 ? undefined : ends[low - 1])
    ends[low] = i
  }
  const rising = new Set<number>()
  for (let i = ends.at(-1); i !== undefined; i = before[i]) rising.add(values[i]!)
  return rising
}
