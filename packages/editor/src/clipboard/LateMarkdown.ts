/**
 * Loads Markdown and pasted HTML after the editor is displayed, since they are as large as the rest of the editor. They
 * are loaded when the editor gets the focus, so they are present at the first paste, copy or `:name:` in practice. Until
 * then a copy has plain text, and `:name:` stays text.
 */
import type * as MarkdownSlices from "./MarkdownSlices.ts"

export type LoadedMarkdown = typeof MarkdownSlices

let loaded: LoadedMarkdown | undefined
let loading: Promise<LoadedMarkdown> | undefined

/** Returns the functions for Markdown. Undefined until they are loaded. */
export const loadedMarkdown = (): LoadedMarkdown | undefined => loaded

/** Loads the functions for Markdown once. A failed request is repeated with the next call. */
export const loadMarkdown = (): Promise<LoadedMarkdown> => {
  loading ??= import("./MarkdownSlices.ts").then(
    (module) => (loaded = module),
    (failure: unknown) => {
      loading = undefined
      throw failure
    }
  )
  return loading
}
