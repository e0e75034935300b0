/**
 * Loads Markdown after the editor is displayed, since it is as large as the rest of the editor. It is loaded when the
 * editor gets the focus, so it is present at the first paste, copy or `:name:` in practice. Until then a copy has plain
 * text, and `:name:` stays text.
 */
import type * as MarkdownSlices from "./MarkdownSlices.ts"

type Loaded = typeof MarkdownSlices

let loaded: Loaded | undefined
let loading: Promise<Loaded> | undefined

/** Returns the functions for Markdown. Undefined until they are loaded. */
export const loadedMarkdown = (): Loaded | undefined => loaded

/** Loads the functions for Markdown once. A failed request is repeated with the next call. */
export const loadMarkdown = (): Promise<Loaded> => {
  loading ??= import("./MarkdownSlices.ts").then(
    (module) => (loaded = module),
    (failure: unknown) => {
      loading = undefined
      throw failure
    }
  )
  return loading
}
