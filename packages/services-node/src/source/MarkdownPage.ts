/** Reads a page whose source is Markdown. */
import * as Syntax from "@lectern/document/markdown/Syntax"
import { markdownPage, type PageOptions, type SourcePage } from "@lectern/exchange/import/SourceReader"
import * as Charset from "./Charset.ts"

export const read = (bytes: Uint8Array, { contentType }: PageOptions): SourcePage =>
  markdownPage(Syntax.normalizeText(Charset.decode(bytes, contentType)))
