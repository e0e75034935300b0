/**
 * Writes a page as the text of its imported file (see `SourceText`). If the page is unchanged, the text stays;
 * otherwise edited blocks are printed in the style of the file.
 *
 * Limit: to find the text of a page, up to 4 MiB of text are printed and parsed, or four times the file's size if that
 * is more.
 */
import type { Block, ContentRef } from "@lectern/document/Document"
import * as HeadingDepth from "@lectern/document/markdown/HeadingDepth"
import * as Markdown from "@lectern/document/markdown/Markdown"
import * as ReferenceLabels from "@lectern/document/markdown/ReferenceLabels"
import { type Print, reprint, type ReprintOptions } from "@lectern/document/markdown/Reprint"
import * as ReprintMisread from "@lectern/document/markdown/ReprintMisread"
import * as ReprintFootnotes from "@lectern/document/markdown/ReprintFootnotes"
import type { TextRange } from "@lectern/document/markdown/syntax/SyntaxTree"
import * as RefUrl from "@lectern/document/markdown/RefUrl"
import * as Written from "@lectern/document/markdown/WrittenText"
import { WorkBudget } from "@lectern/document/alignment/WorkBudget"
import { exchanged, pairs } from "./LinkDestinations.ts"
import type { SourceText } from "../documents/SourceText.ts"
import * as TitleHeading from "../documents/TitleHeading.ts"
import { type Attempt, isAll, readBack, settle, type Source, urlsOf } from "./RoundTrip.ts"
import { reader, type StyledText } from "./BlockSourceText.ts"

const defaultText = 4 * 1024 * 1024

/** Returns the text. Undefined if no edited text results in the page, or if the limit is reached. */
export const write = (source: Source, { text, styled = [] }: SourceText, maxText = defaultText): string | undefined => {
  if (text === undefined) return undefined
  const effort = new WorkBudget(Math.max(maxText, 4 * text.length))
  const { urlOf } = urlsOf(source)
  const own = reader(styled, source.document.nodes, urlOf)
  const kept = (own && edited(source, text, effort, own)) ?? keep(source, text, effort)
  if (kept !== undefined) return kept
  const document = ReferenceLabels.held(source.document, urlOf)
  return document === source.document ? undefined : keep({ ...source, document }, text, effort)
}

const keep = (source: Source, text: string, effort: WorkBudget): string | undefined => {
  const { document } = source
  const urls = new Map<string, Set<string>>()
  const read = readBack(source, text, undefined, (url, ref = RefUrl.fromUrl(url)) => {
    const name = RefUrl.toUrl(ref)
    const known = urls.get(name)
    if (known === undefined) urls.set(name, new Set([url]))
    else known.add(url)
  })
  const { urlOf } = urlsOf(source)
  if (isAll(source, read, urlOf)) return text
  const { bodyFrom, text: normal, written } = Written.of(text)
  const refs = (ref: ContentRef) => urls.get(RefUrl.toUrl(ref)) ?? []
  const own = { text: normal, from: bodyFrom, urlsOf: refs }
  const others = urls.size === 0 ? [] : [...pairs(read.document, document)]
  const texts = [false, true].flatMap((isBare) => exchanged(own, others, urlOf, isBare) ?? []).map(written)
  for (const other of new Set([...texts, text])) {
    const kept = edited(source, other, effort)
    if (kept !== undefined) return kept
  }
  return undefined
}

/** Returns the text in which only the outdated parts are replaced, by new output of the printer. */
const edited = (source: Source, text: string, effort: WorkBudget, styled?: StyledText): string | undefined => {
  const { document, title } = source
  const ranges = new Map<Block, TextRange>()
  const read = readBack(source, text, (block, range) => void ranges.set(block, range))
  const { urlOf } = urlsOf(source)
  if (styled === undefined && isAll(source, read, urlOf)) return text
  const file = Written.of(text)
  const { block, at = TitleHeading.remarksIn(document) } = read.heading ?? {}
  const nodes = block === undefined ? read.document.nodes : read.document.nodes.toSpliced(at, 0, block)
  const first = block ?? nodes[0]
  // If the document has no heading of the title's level, the file may start with one. It then states the title or a
  // former title.
  const isTitle = read.heading !== undefined || !HeadingDepth.isTitle(document.nodes[0])
  const heading = HeadingDepth.isTitle(first) && isTitle ? titled(first, title) : undefined
  const page = ReprintFootnotes.part(
    heading === undefined
      ? document.nodes
      : document.nodes.toSpliced(Math.min(at, TitleHeading.remarksIn(document)), 0, heading)
  )
  const footnotes = ReprintFootnotes.beside(page)
  const printIn =
    (nodes: ReadonlyArray<Block>): Print =>
    (blocks, hasHtmlTables = false) =>
      Markdown.print(
        { ...document, nodes: blocks },
        { href: urlOf, style: file.style, hasHtmlTables, whole: { ...document, nodes }, footnotes }
      )
  const written = ReprintFootnotes.located({ text: file.text, from: file.bodyFrom, nodes, ranges })
  const head = file.text.slice(0, file.bodyFrom)
  const attempts = (place: ReprintFootnotes.Place) => {
    const after = ReprintFootnotes.among(page, written, place)
    // The first of several link definitions with one label counts.
    const held = ReferenceLabels.held(document, urlOf, { ...document, nodes: [...after, ...document.nodes] })
    const attempt = (options: ReprintOptions): Attempt | undefined => {
      if (!effort.consume(text.length)) return undefined
      const body = reprint(written, after, printIn(after), { styled, ...options })
      return body === undefined ? undefined : settle({ ...source, document: held }, body, head)
    }
    return { attempt, held }
  }
  for (const place of places) {
    const { attempt, held } = attempts(place)
    let widths: ReprintMisread.Widths | undefined = ReprintMisread.narrow
    for (let round = 0; widths !== undefined && round < maxRounds; round++) {
      const merged: Array<Block> = []
      const found = attempt({ ...widths, merged: (block) => void merged.push(block) })
      if (found === undefined) return undefined
      if (found.isWhole) return file.written(found.text)
      widths = ReprintMisread.wider(widths, merged, held.nodes, found.document.nodes)
    }
  }
  const last = attempts("end").attempt({ hasWholeBlocks: true })
  return last?.isWhole === true ? file.written(last.text) : undefined
}

/**
 * Positions of new footnotes, least intrusive first. Blocks at the end of a page can change the meaning of everything
 * after them.
 */
const places = ["end", "block"] as const

/**
 * Maximum number of rounds in which a page is printed. Each round prints more blocks of the page without their source.
 */
const maxRounds = 8

const titled = (heading: Block, title: string): Block =>
  TitleHeading.textOf(heading) === title ? heading : { ...heading, nodes: TitleHeading.of(title).nodes! }
