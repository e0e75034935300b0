/** What goes to the thread of `NodePageThreads` and back. Tasks are done in the order they come in. */
import type { ExportPaths } from "@lectern/core/content/export/ExportPaths"
import type { Page, PageText } from "@lectern/core/content/export/PageText"
import type { ParsedAhead } from "@lectern/core/content/import/SyntaxAhead"

export type PageTask =
  | { readonly call: "parse"; readonly bytes: Uint8Array }
  | { readonly call: "write"; readonly page: Page }

/** What the pages that are written from now on link to. It has no answer. */
export interface Links {
  readonly call: "links"
  readonly space: string
  readonly paths: ExportPaths
}

/** `undefined` for a text that is not parsed ahead. */
export type PageDone = ParsedAhead | PageText | undefined

/** Without `done`: it can't be done. */
export interface PageAnswer {
  readonly done?: { readonly value: PageDone }
}

/** What the thread says first, once it has loaded what it needs. */
export const ready = "ready"
