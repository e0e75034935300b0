/** Orders the children of a page with the minimum number of moves. */
import { longestIncreasingSubsequence } from "@lectern/document/alignment/SequenceMatch"
import { Effect } from "effect"
import type { ContentEditor } from "@lectern/core/content/edits/ContentEditor"

/** Orders the children of a page as in `orderedIds`. Any other child stays after the sibling that it follows. */
export const arrange = Effect.fnUntraced(function* (
  editor: ContentEditor,
  parent: string | null,
  orderedIds: ReadonlyArray<string>
) {
  const rank = new Map(orderedIds.map((id, i) => [id, i]))
  const order = (yield* editor.children(parent)).map(({ id }) => id as string)
  const current = order.filter((id) => rank.has(id))
  const currentIds = new Set(current)
  const present = orderedIds.filter((id) => currentIds.has(id))
  const unmovedIds = new Set(longestIncreasingSubsequence(current.map((id) => rank.get(id)!)).map((i) => current[i]!))
  if (unmovedIds.size === current.length) return
  let previous: string | undefined
  for (const id of present) {
    if (!unmovedIds.has(id)) {
      order.splice(order.indexOf(id), 1)
      const at = previous === undefined ? 0 : order.indexOf(previous) + 1
      order.splice(at, 0, id)
      yield* editor.movePage(id, { at })
      yield* Effect.yieldNow
    }
    previous = id
  }
})
