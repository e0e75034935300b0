/** Reads PDFs back: their text by page, their outline, their links, what they say of themselves. */
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs"

export interface OutlineEntry {
  readonly title: string
  readonly items: ReadonlyArray<OutlineEntry>
}

export interface ReadPdf {
  /** The text of each page, a line for each line of paper. */
  readonly pages: ReadonlyArray<string>
  readonly outline: ReadonlyArray<OutlineEntry>
  readonly urls: ReadonlyArray<string>
  /** From which page of paper to which: the links within. */
  readonly jumps: ReadonlyArray<readonly [from: number, to: number]>
  readonly title: unknown
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
  await task.destroy()
  return { pages, outline, urls, jumps, title }
}

const linesOf = (items: ReadonlyArray<{ readonly str: string; readonly transform: ReadonlyArray<number> }>): string => {
  const lines = new Map<number, string>()
  for (const { str, transform } of items) {
    const y = Math.round(transform[5]!)
    lines.set(y, (lines.get(y) ?? "") + str)
  }
  return [...lines]
    .sort(([a], [b]) => b - a)
    .map(([, line]) => line)
    .join("\n")
}

const outlineOf = (
  items: ReadonlyArray<{ readonly title: string; readonly items: ReadonlyArray<any> }> | null
): ReadonlyArray<OutlineEntry> => (items ?? []).map(({ title, items }) => ({ title, items: outlineOf(items) }))
