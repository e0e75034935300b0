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
import * as Conversion from "@lectern/document/markdown/elements/Conversion"
import * as Restoration from "@lectern/document/markdown/elements/Restoration"
import * as ReferenceLabels from "@lectern/document/markdown/ReferenceLabels"
import { type PrintBlocks, reprintBlocks, type ReprintOptions } from "@lectern/document/markdown/Reprint"
import * as ReprintMisparsed from "@lectern/document/markdown/ReprintMisparsed"
import * as ReprintFootnotes from "@lectern/document/markdown/ReprintFootnotes"
import type { TextRange } from "@lectern/document/markdown/syntax/SyntaxTree"
import * as RefUrl from "@lectern/document/markdown/RefUrl"
import * as Written from "@lectern/document/markdown/SourceText"
import { WorkBudget } from "@lectern/document/alignment/WorkBudget"
import * as FolderPath from "../import/FolderPath.ts"
import * as PageSource from "../import/PageSource.ts"
import { replaceDestinations, referencePairs } from "./LinkDestinations.ts"
import type { SourceText } from "@lectern/core/content/documents/SourceText"
import * as TitleHeading from "@lectern/core/content/documents/TitleHeading"
import { type RoundTripResult, restoresPage, reparse, addFrontMatter, type ExportSource, urlsOf } from "./RoundTrip.ts"
import { blockSourceTexts, type BlockSourceText } from "./BlockSourceText.ts"

const defaultMaxText = 4 * 1024 * 1024

/** Returns the text. Undefined if no edited text results in the page, or if the limit is reached. */
export const write = (source: ExportSource, file: SourceText, maxText = defaultMaxText): string | undefined => {
  const { text, styled } = file
  if (text === undefined) return undefined
  const { path, urls } = source
  const convert = (markdown: string) =>
    PageSource.convert(markdown, { path, resolve: (url) => urls.resolve(url, path) })
  const conversion = convert(text)
  const { urlOf } = urlsOf(source)
  const isRestoredBy = (candidate: string) => restoresPage(source, reparse(source, candidate), urlOf)
  if (conversion !== undefined && styled === undefined && isRestoredBy(text)) return text
  const convertedText = conversion?.text ?? text
  const edited = writeConverted({ ...source, isConverted: true }, { ...file, text: convertedText }, maxText)
  if (edited === undefined || edited === convertedText) return edited && text
  // Text that the edit added may look like an element.
  if (conversion === undefined && convert(edited) === undefined) return edited
  const { withFileFormat } = Written.readSourceText(text)
  const options = { isMdx: FolderPath.isMdx(path), budget: new WorkBudget() }
  for (const candidate of Restoration.candidates(text, conversion ?? Conversion.unconverted(text), edited, options))
    if (isRestoredBy(candidate)) return withFileFormat(candidate)
  return undefined
}

/** Returns the text for a file without elements of other programs. */
const writeConverted = (
  source: ExportSource,
  { text, styled = [] }: SourceText,
  maxText: number
): string | undefined => {
  if (text === undefined) return undefined
  const workBudget = new WorkBudget(Math.max(maxText, 4 * text.length))
  const { urlOf } = urlsOf(source)
  const blockSourceOf = blockSourceTexts(styled, source.document.nodes, urlOf)
  const updated =
    (blockSourceOf && reprintText(source, text, workBudget, blockSourceOf)) ?? updateText(source, text, workBudget)
  if (updated !== undefined) return updated
  const document = ReferenceLabels.withValidLabels(source.document, urlOf)
  return document === source.document ? undefined : updateText({ ...source, document }, text, workBudget)
}

const updateText = (source: ExportSource, text: string, workBudget: WorkBudget): string | undefined => {
  const { document } = source
  const urls = new Map<string, Set<string>>()
  const parsedPage = reparse(source, text, undefined, (url, ref = RefUrl.fromUrl(url)) => {
    const name = RefUrl.toUrl(ref)
    const urlsOfRef = urls.get(name)
    if (urlsOfRef === undefined) urls.set(name, new Set([url]))
    else urlsOfRef.add(url)
  })
  const { urlOf } = urlsOf(source)
  if (restoresPage(source, parsedPage, urlOf)) return text
  const { bodyStart: bodyFrom, text: normal, withFileFormat: written } = Written.readSourceText(text)
  const refs = (ref: ContentRef) => urls.get(RefUrl.toUrl(ref)) ?? []
  const body = { text: normal, from: bodyFrom, urlsOf: refs }
  const outdatedPairs = urls.size === 0 ? [] : [...referencePairs(parsedPage.document, document)]
  const texts = [false, true]
    .flatMap((isBare) => replaceDestinations(body, outdatedPairs, urlOf, isBare) ?? [])
    .map(written)
  for (const candidate of new Set([...texts, text])) {
    const updated = reprintText(source, candidate, workBudget)
    if (updated !== undefined) return updated
  }
  return undefined
}

/** Returns the text in which only the outdated parts are replaced, by new output of the printer. */
const reprintText = (
  source: ExportSource,
  text: string,
  workBudget: WorkBudget,
  styled?: BlockSourceText
): string | undefined => {
  const { document, title } = source
  const ranges = new Map<Block, TextRange>()
  const parsedPage = reparse(source, text, (block, range) => void ranges.set(block, range))
  const { urlOf } = urlsOf(source)
  if (styled === undefined && restoresPage(source, parsedPage, urlOf)) return text
  const file = Written.readSourceText(text)
  const { block, at = TitleHeading.countLeadingComments(document) } = parsedPage.heading ?? {}
  const nodes = block === undefined ? parsedPage.document.nodes : parsedPage.document.nodes.toSpliced(at, 0, block)
  const first = block ?? nodes[0]
  // If the document has no heading of the title's level, the file may start with one. It then states the title or a
  // former title.
  const isTitle = parsedPage.heading !== undefined || !HeadingDepth.isTitle(document.nodes[0])
  const heading = HeadingDepth.isTitle(first) && isTitle ? withTitleText(first, title) : undefined
  const page = ReprintFootnotes.splitPage(
    heading === undefined
      ? document.nodes
      : document.nodes.toSpliced(Math.min(at, TitleHeading.countLeadingComments(document)), 0, heading)
  )
  const footnotes = ReprintFootnotes.separateFootnotes(page)
  const printIn =
    (nodes: ReadonlyArray<Block>): PrintBlocks =>
    (blocks, hasHtmlTables = false) =>
      Markdown.print(
        { ...document, nodes: blocks },
        { href: urlOf, style: file.style, hasHtmlTables, contextDocument: { ...document, nodes }, footnotes }
      )
  const locatedBlocks = ReprintFootnotes.withFootnotes({ text: file.text, from: file.bodyStart, nodes, ranges })
  const head = file.text.slice(0, file.bodyStart)
  const attemptsWith = (footnotePosition: ReprintFootnotes.FootnotePlacement) => {
    const reprintedBlocks = ReprintFootnotes.insertIntoPage(page, locatedBlocks, footnotePosition)
    // The reprinted blocks come first: Markdown resolves a label by its first definition, and these blocks may define
    // labels.
    const labelledDocument = ReferenceLabels.withValidLabels(document, urlOf, {
      ...document,
      nodes: [...reprintedBlocks, ...document.nodes]
    })
    const attempt = (options: ReprintOptions): RoundTripResult | undefined => {
      if (!workBudget.consume(text.length)) return undefined
      const body = reprintBlocks(locatedBlocks, reprintedBlocks, printIn(reprintedBlocks), {
        authoredText: styled,
        ...options
      })
      return body === undefined ? undefined : addFrontMatter({ ...source, document: labelledDocument }, body, head)
    }
    return { attempt, labelledDocument }
  }
  for (const footnotePosition of footnotePositions) {
    const { attempt, labelledDocument } = attemptsWith(footnotePosition)
    let widths: ReprintMisparsed.ReprintScope | undefined = ReprintMisparsed.narrowScope
    for (let round = 0; widths !== undefined && round < maxRounds; round++) {
      const merged: Array<Block> = []
      const result = attempt({ ...widths, onMerge: (block) => void merged.push(block) })
      if (result === undefined) return undefined
      if (result.isLossless) return file.withFileFormat(result.text)
      widths = ReprintMisparsed.widerScope(widths, merged, labelledDocument.nodes, result.document.nodes)
    }
  }
  const lastResult = attemptsWith("end").attempt({ hasWholeBlocks: true })
  return lastResult?.isLossless === true ? file.withFileFormat(lastResult.text) : undefined
}

/**
 * Positions of new footnotes, least intrusive first. Blocks at the end of a page can change the meaning of everything
 * after them.
 */
const footnotePositions = ["end", "block"] as const

/**
 * Maximum number of rounds in which a page is printed. Each round prints more blocks of the page without their source.
 */
const maxRounds = 8

const withTitleText = (heading: Block, title: string): Block =>
  TitleHeading.textOf(heading) === title ? heading : { ...heading, nodes: TitleHeading.headingOf(title).nodes! }
