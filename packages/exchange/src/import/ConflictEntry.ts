/** Returns the page, file or reusable content of a conflict, for reports. Undefined if it was removed, and for variables. */
import { Effect } from "effect"
import type * as ContentReader from "@lectern/core/content/ContentReader"
import type { Conflict } from "@lectern/core/content/merge/Conflict"

export const conflictEntry = Effect.fnUntraced(function* (reader: ContentReader.ContentReader, conflict: Conflict) {
  if (conflict.page !== undefined) return yield* reader.page(conflict.page)
  if (conflict.file !== undefined) return yield* reader.file(conflict.file)
  if (conflict.reusableContent !== undefined) return yield* reader.reusableContent(conflict.reusableContent)
  return undefined
})
