/**
 * Loads CodeMirror after the editor is displayed, since it is as large as the rest of the editor. Until then, blocks of
 * code are plain text.
 */
import type * as CodeEditor from "./CodeEditor.ts"

export type LoadedCode = typeof CodeEditor

let loaded: LoadedCode | undefined
let loading: Promise<LoadedCode> | undefined

/** Returns the editor of code. Undefined until it is loaded. */
export const loadedCode = (): LoadedCode | undefined => loaded

/** Loads the editor of code once. A failed request is repeated with the next call. */
export const loadCode = (): Promise<LoadedCode> => {
  loading ??= import("./CodeEditor.ts").then(
    (module) => (loaded = module),
    (failure: unknown) => {
      loading = undefined
      throw failure
    }
  )
  return loading
}
