/** Asserts that edits of a page change only the exported lines that they affect. */
import { assert } from "@effect/vitest"
import { ExportUrls } from "@lectern/exchange/export/ExportUrls"
import * as StoredDocuments from "@lectern/core/content/documents/StoredDocument"
import type { Metadata } from "@lectern/exchange/export/PageMetadata"
import * as PageTextUpdate from "@lectern/exchange/export/PageTextUpdate"
import * as PageText from "@lectern/exchange/export/PageText"
import * as RoundTrip from "@lectern/exchange/export/RoundTrip"
import { isAligned } from "@lectern/document/alignment/DocumentAlignment"
import type { Block, Document } from "@lectern/document/Document"
import * as AnnotationLabels from "@lectern/document/markdown/AnnotationLabels"
import type * as Markdown from "@lectern/document/markdown/Markdown"
import * as ReferenceLabels from "@lectern/document/markdown/ReferenceLabels"
import * as RefUrl from "@lectern/document/markdown/RefUrl"
import type { TextRange } from "@lectern/document/markdown/syntax/SyntaxTree"
import * as BlockEdits from "./BlockEdits.ts"
import * as InlineEdits from "./InlineEdits.ts"
import { partsOf } from "./PageParts.ts"

/** Returns the URLs of a folder with a single page. */
export const urlsOfPage = () =>
  new ExportUrls("space", {
    pages: new Map([["page", "page.md"]]),
    files: new Map(),
    reusableContents: new Map(),
    root: "",
    readme: "README.md",
    summary: "SUMMARY.md"
  })

const urls = urlsOfPage()

export const kinds = [...InlineEdits.inlineKinds, ...BlockEdits.blockKinds] as const
export type Kind = (typeof kinds)[number]

export const isOfBlocks = (kind: Kind): kind is BlockEdits.BlockKind =>
  BlockEdits.blockKinds.some((each) => each === kind)

/**
 * Returns the lines of a text outside of ranges, as pieces separated by the ranges. Blank lines next to a range belong
 * to the range.
 */
const piecesOf = (text: string, ranges: ReadonlyArray<TextRange>): ReadonlyArray<ReadonlyArray<string>> => {
  const lines = text.split("\n")
  const pieces: Array<Array<string>> = [[]]
  if (ranges.some(({ to }) => to === -1)) pieces.push([])
  let at = 0
  for (const line of lines) {
    const end = at + line.length
    const isOwn = ranges.some(({ from, to }) => from !== to && from <= end && to >= at && !(to === at && from < to))
    if (isOwn) pieces.push([])
    else {
      pieces.at(-1)!.push(line)
      if (ranges.some(({ from, to }) => from === to && at <= from && from <= end)) pieces.push([])
    }
    at = end + 1
  }
  return pieces
}

const isBlank = (line: string): boolean => /^[>\s]*$/.test(line)

const trimmed = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  let [from, to] = [0, lines.length]
  while (from < to && isBlank(lines[from]!)) from++
  while (to > from && isBlank(lines[to - 1]!)) to--
  return lines.slice(from, to)
}

/** Asserts that the lines contain all pieces in order: the first piece at the start, the last at the end. */
const assertHas = (lines: ReadonlyArray<string>, pieces: ReadonlyArray<ReadonlyArray<string>>, whole: string): void => {
  const all = trimmed(lines)
  const [first, last] = [trimmed(pieces[0]!), trimmed(pieces.at(-1)!)]
  assert.deepStrictEqual(all.slice(0, first.length), first, whole)
  assert.deepStrictEqual(all.slice(all.length - last.length), last, whole)
  let at = first.length
  const end = all.length - (pieces.length > 1 ? last.length : 0)
  for (const piece of pieces.slice(1, -1)) {
    const wanted = trimmed(piece)
    while (at <= end - wanted.length && !wanted.every((line, i) => all[at + i] === line)) at++
    assert.isAtMost(at, end - wanted.length, `${wanted.join("\n")}\n--- is missing in ---\n${whole}`)
    at += wanted.length
  }
}

/** Returns the page that an import makes from a text. */
export const pageOf = (written: string, located?: Markdown.ParseOptions["onBlock"]): RoundTrip.ExportSource => {
  const page = { path: "page.md", listedTitle: "Page", importedListedTitle: "Page", urls }
  const empty: Document = { object: "document", data: {}, nodes: [] }
  const read = RoundTrip.reparse({ ...page, title: "Page", metadata: {}, document: empty }, written, located)
  const fields = Object.entries(read.metadata).filter(([, field]) => field !== undefined)
  return { ...page, title: read.title, metadata: Object.fromEntries(fields) as Metadata, document: read.document }
}

/**
 * Makes one edit, and asserts that the export changes only the affected lines. `number`: any number, selects the part;
 * `other`: Markdown of a block that the edit inserts. If the page has no part for this kind of edit, its text is
 * edited. False for a page without text.
 */
export const assertOneEdited = (written: string, kind: Kind, number: number, other = "A new one"): boolean => {
  const ranges = new Map<Block, TextRange>()
  const source = pageOf(written, (block, range) => void ranges.set(block, range))
  const { document } = source
  assert.strictEqual(AnnotationLabels.withUniqueLabels(document), document)
  assert.strictEqual(PageTextUpdate.write({ ...source, document }, { text: written }), written)

  const normal = written.replaceAll("\r\n", "\n")
  const parts = { document, ranges, parts: partsOf(document.nodes, ranges) }
  const edited =
    (isOfBlocks(kind)
      ? BlockEdits.edit(parts, kind, number, { other, text: normal })
      : InlineEdits.edit(parts, kind, number, normal.length)) ?? InlineEdits.edit(parts, "text", number, normal.length)
  if (edited === undefined) return false

  const assertLines = (after: string) => {
    const is = after.replaceAll("\r\n", "\n")
    if (normal !== written) assert.strictEqual(is.replaceAll("\n", "\r\n"), after)
    const whole = `${normal}\n--- as ---\n${is}`
    const pieces = piecesOf(normal, edited.ranges)
    assertHas(is.split("\n"), pieces, whole)
    if (edited.isLess === true) assert.deepStrictEqual(said(is.split("\n")), said(pieces.flat()), whole)
  }
  const assertEdited = (document: Document) => {
    const after = PageTextUpdate.write({ ...source, document }, { text: written })
    assert.isDefined(after, `${kind} ${number} rewrites\n${written}`)
    assertLines(after!)
    const definitions: Array<readonly [number, Block]> = []
    const again = RoundTrip.reparse({ ...source, document }, after!, (block, { from }) => {
      if (block.type === "definition") definitions.push([from, block])
    }).document
    // If several definitions have the same label, the first one in the text counts.
    const nodes = definitions.toSorted(([one], [other]) => one - other).map(([, block]) => block)
    const held = ReferenceLabels.withValidLabels(document, RefUrl.toUrl, { ...document, nodes })
    assert.isTrue([document, held].some((each) => isAligned(each, again)))
  }
  const assertSaid = (document: Document) => {
    const { problem, text } = PageText.write({
      ...source,
      document: StoredDocuments.serialize(document),
      source: { text: written }
    })
    assert.isDefined(problem)
    assertLines(text)
  }
  // Markdown can't express some documents, such as a mark without its footnote. The export of these reports a problem,
  // and reads back as another document.
  const ways = [(document: Document) => assertEdited(AnnotationLabels.withUniqueLabels(document)), assertSaid]
  let failure: unknown
  for (const way of ways) {
    for (const document of BlockEdits.spaced(edited.document, edited.open ?? [])) {
      try {
        way(document)
        return true
      } catch (error) {
        failure ??= error
      }
    }
  }
  throw failure
}

const said = (lines: ReadonlyArray<string>): ReadonlyArray<string> => lines.filter((line) => !isBlank(line))
