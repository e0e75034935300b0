/**
 * The port that reads and writes the Markdown of pages in another thread: it is most of the work of an
 * import or an export, and one large page alone would hold up everybody else.
 *
 * The default does it in place, with the same result. On Node, provide the adapter of
 * `@lectern/services-node`.
 */
import { Context, Effect, Layer, Schema, type Scope } from "effect"
import { ExportLinks } from "./export/ExportLinks.ts"
import type { ExportPaths } from "./export/ExportPaths.ts"
import * as PageText from "./export/PageText.ts"
import type { ParsedAhead, Unparsable } from "./import/SyntaxAhead.ts"

/** It takes longer, or more memory, than a page may. */
export class PageUnwritable extends Schema.TaggedError<PageUnwritable>()("PageUnwritable", {
  message: Schema.String
}) {}

export interface PageThread {
  /** What a file of Markdown is parsed to; undefined: whoever wants it parses it in place. */
  readonly parse: (bytes: Uint8Array) => Effect.Effect<ParsedAhead | Unparsable | undefined>
  /** Writes the pages of one export (see `PageText`): of this space, to these paths. */
  readonly writer: (
    space: string,
    paths: ExportPaths
  ) => (page: PageText.Page) => Effect.Effect<PageText.PageText, PageUnwritable>
}

/** For whoever has no thread. */
export const inPlace: PageThread = {
  parse: () => Effect.undefined,
  writer: (space, paths) => {
    const links = new ExportLinks(space, paths)
    return (page) => Effect.sync(() => PageText.write({ ...page, links }))
  }
}

export class PageThreads extends Context.Service<
  PageThreads,
  {
    /** A thread for one import or export; it ends with the scope. */
    readonly open: Effect.Effect<PageThread, never, Scope.Scope>
  }
>()("@lectern/core/content/PageThreads") {
  static readonly layer = Layer.succeed(PageThreads, PageThreads.of({ open: Effect.succeed(inPlace) }))
}
