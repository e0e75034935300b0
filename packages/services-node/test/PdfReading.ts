/** Reads PDFs: text by page, outline, links, metadata. */
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs"

export interface OutlineEntry {
  readonly title: string
  readonly items: ReadonlyArray<OutlineEntry>
}

export interface ReadPdf {
  /** Text of each page, with one line per line on paper. */
  readonly pages: ReadonlyArray<string>
  readonly outline: ReadonlyArray<OutlineEntry>
  readonly urls: ReadonlyArray<string>
  /** Links inside the PDF, by page numbers. */
  readonly jumps: ReadonlyArray<readonly [from: number, to: number]>
  readonly title: unknown
  readonly language: unknown
}

export const readPdf = async (bytes: Uint8Array): Promise<ReadPdf> => {
  const task = getDocument({ data: Uint8Array.from(bytes), verbosity: 0 })
  const document = await task.promise
  const pages: Array<string> = []
  const urls: Array<string> = []
  const jumps: Array<readonly [number, number]> = []
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number)
    const { items } = await page.getTextContent()
    pages.push(linesOf(items.flatMap((item) => ("str" in item ? [item] : []))))
    for (const annotation of await page.getAnnotations()) {
      if (annotation.url !== undefined) urls.push(annotation.url)
      if (annotation.dest == null) continue
      const to = await document.getDestination(annotation.dest)
      if (to !== null) jumps.push([number, (await document.getPageIndex(to[0])) + 1])
    }
  }
  const outline = outlineOf(await document.getOutline())
  const { info } = await document.getMetadata()
  const title = "Title" in info ? info.Title : undefined
  const language = "Language" in info ? info.Language : undefined
  await task.destroy()
  return { pages, outline, urls, jumps, title, language }
}

interface Item {
  readonly str: string
  readonly transform: ReadonlyArray<number>
}

const linesOf = (items: ReadonlyArray<Item>): string => {
  const lines = new Map<number, Array<Item>>()
  for (const item of items) {
    const y = Math.round(item.transform[5]!)
    lines.set(y, [...(lines.get(y) ?? []), item])
  }
  return [...lines]
    .sort(([a], [b]) => b - a)
    .map(([, line]) => onPaper(line))
    .join("\n")
}

/** Returns the text of a line from left to right. PDFs store right-to-left text in reading order. */
const onPaper = (line: ReadonlyArray<Item>): string => {
  const runsLeft = line.some(({ str }) => /[\u0590-\u08ff]/u.test(str))
  const placed = runsLeft ? line.toSorted((a, b) => a.transform[4]! - b.transform[4]!) : line
  return placed.map(({ str }) => str).join("")
}

const outlineOf = (
  items: ReadonlyArray<{ readonly title: string; readonly items: ReadonlyArray<any> }> | null
): ReadonlyArray<OutlineEntry> => (items ?? []).map(({ title, items }) => ({ title, items: outlineOf(items) }))
