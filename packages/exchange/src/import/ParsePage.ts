/**
 * Parses the pages of an import (see `PageSource`). A page of more than 64 Ki characters is parsed in a thread, unless
 * there are no threads or it is short enough for `inPlace` of `Threads`. Only this module can resolve the links of a
 * page. So the thread first returns the URLs, and parses the page again with the resolved references. Without resolved
 * references, one pass is enough.
 *
 * A page that takes too long to parse is stored verbatim and reported.
 */
import { Effect } from "effect"
import { keysFrom } from "@lectern/core/identity/Ids"
import { Slice } from "@lectern/core/storage/Slice"
import type { StorageError } from "@lectern/core/storage/Storage"
import * as Computation from "@lectern/core/thread/Computation"
import * as Fallback from "@lectern/core/thread/Fallback"
import type { Threads } from "@lectern/core/thread/Threads"
import type { ContentRef } from "@lectern/document/Document"
import type { FencedBlock } from "@lectern/document/integration-blocks/BlockOrigin"
import { serializePrepared, type StoredDocument } from "@lectern/core/content/documents/StoredDocument"
import * as PageFindings from "./PageFindings.ts"
import * as PageSource from "./PageSource.ts"

const maxInlineLength = 64 * 1024

export interface ParsedPage extends Omit<PageSource.PageSource, "document"> {
  readonly document: StoredDocument
  readonly findings: PageFindings.PageFindings
}

const toParsedPage = (page: PageSource.PageSource, text: string): ParsedPage => ({
  ...page,
  document: serializePrepared(page.document),
  findings: PageFindings.findingsOf(page.document, text)
})

interface ParseInput {
  readonly text: string
  readonly file: PageSource.PageFile
  /** Text from which the keys of the blocks are derived. */
  readonly key: string
  readonly refs: ReadonlyMap<string, ContentRef>
  readonly fenced: ReadonlyArray<FencedBlock>
}

interface ParseResult {
  readonly page: ParsedPage
  /** JSON array of the URLs that the page links to. */
  readonly urls: string
}

export const ParsePage = Computation.make({
  name: "read-page",
  timeout: 60_000,
  run: ({ text, file, key, refs, fenced }: ParseInput): ParseResult => {
    const urls = new Set<string>()
    const resolve = (url: string) => {
      urls.add(url)
      return refs.get(url)
    }
    const page = PageSource.read(text, { ...file, nextKey: keysFrom(key), resolve, fenced })
    return { page: toParsedPage(page, text), urls: JSON.stringify([...urls]) }
  }
})

interface ParseEnv {
  readonly threads: Threads["Service"]
  readonly nextKey: () => string
  /** Blocks of integrations that are stored as code. */
  readonly fenced: ReadonlyArray<FencedBlock>
  /** Resolves a URL in a file to a reference. */
  readonly resolve: (url: string, from: string) => ContentRef | undefined
  /** Called for a page that is stored verbatim. */
  readonly onVerbatim: (path: string) => void
}

/** Returns a function that parses the pages of an import. Pages that cannot be parsed are stored verbatim. */
export const pageParser = ({ threads, nextKey, fenced, resolve: resolveFrom, onVerbatim }: ParseEnv) => {
  const parseLarge = Effect.fnUntraced(function* (text: string, file: PageSource.PageFile) {
    const input: ParseInput = { text, file, key: nextKey(), refs: new Map(), fenced }
    const { page, urls } = yield* threads.run(ParsePage, input, { patient: true })
    const refs = new Map<string, ContentRef>()
    const slice = yield* Slice.start
    for (const url of JSON.parse(urls) as ReadonlyArray<string>) {
      const ref = resolveFrom(url, file.path)
      if (ref !== undefined) refs.set(url, ref)
      if (slice.isOver()) yield* slice.pause
    }
    if (refs.size === 0) return page
    return (yield* threads.run(ParsePage, { ...input, refs }, { patient: true })).page
  })

  return (text: string, file: PageSource.PageFile): Effect.Effect<ParsedPage, StorageError> => {
    const options = { ...file, nextKey, fenced, resolve: (url: string) => resolveFrom(url, file.path) }
    const inPlace = Effect.sync(() => toParsedPage(PageSource.read(text, options), text))
    if (text.length <= maxInlineLength) return inPlace
    return Fallback.withFallback(
      "A page could not be read as Markdown",
      text.length <= threads.inPlace ? inPlace : parseLarge(text, file),
      Effect.sync(() => {
        onVerbatim(file.path)
        return toParsedPage(PageSource.readVerbatim(text, options), text)
      })
    )
  }
}
