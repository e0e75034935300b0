/**
 * Writes a book: a title page, the contents with page numbers, the pages of the space, and an outline of pages and
 * headings. A page starts on a new sheet, unless the page before it has no text. Equal books result in equal bytes.
 */
import type { Document } from "@lectern/document/Document"
import * as HtmlNodes from "@lectern/document/html/HtmlNodes"
import * as DocumentText from "@lectern/document/DocumentText"
import { maxPdfBytes } from "@lectern/core/pdf/PdfWriter"
import { languageInfo } from "@lectern/core/schema/InterfaceLanguage"
import * as LocalizedMessages from "@lectern/site/page/LocalizedMessages"
import PdfKit from "pdfkit"
import type { BookHead, FileResponse } from "./PdfMessages.ts"
import { blocks } from "./Blocks.ts"
import { Contents, titleOf } from "./Contents.ts"
import { Flow, BookRefused } from "./Flow.ts"
import { Formulas } from "./Formulas.ts"
import { type Face, Fonts } from "./Fonts.ts"
import { colors, contentWidth, paper, smallSize } from "./PageStyle.ts"
import { facesOf, fileIds, formulasIn, textIn, usualFaces } from "./DocumentResources.ts"
import { packObjects } from "./ObjectStreams.ts"
import { Pictures } from "./Pictures.ts"
import { Destinations } from "./Destinations.ts"
import type { Element } from "./Element.ts"
import { body, type Sheet, type DisplayedFile } from "./Sheet.ts"
import type { Style } from "./Span.ts"
import { gap, type Strip, type Strips } from "./Strip.ts"
import { Structure } from "./Structure.ts"
import { baselineOf, lineHeightOf, Typesetter } from "./Typesetter.ts"

export interface BookSource {
  readonly document: (page: string) => Promise<Document>
  readonly file: (id: string) => Promise<FileResponse>
}

type Page = BookHead["pages"][number]

interface OutlineItem {
  readonly addItem: (title: string, options: object) => OutlineItem
}

const outlineTop = (y: number) => ({ top: Math.max(0, y - 12), left: paper.width })

export const writeBook = async (head: BookHead, source: BookSource): Promise<Uint8Array> => {
  const writer = new BookWriter(head, source)
  return writer.write()
}

class BookWriter {
  readonly #head: BookHead
  readonly #source: BookSource
  readonly #doc: InstanceType<typeof PdfKit>
  readonly #chunks: Array<Buffer> = []
  readonly #fonts: Fonts
  readonly #formulas = new Formulas()
  readonly #structure: Structure
  /** The structure element of the title page and the contents. */
  readonly #opening: Element
  readonly #typesetter: Typesetter
  readonly #pictures: Pictures
  readonly #destinations: Destinations
  readonly #flow: Flow
  readonly #words: LocalizedMessages.LocalizedMessages
  readonly #titles: ReadonlyMap<string, string>
  readonly #numbers = new Map<string, number>()
  readonly #contents: Contents
  /** Path of outline items to the current position: pages by depth, then headings of the last page. */
  readonly #outline: Array<{ readonly depth: number; readonly item: OutlineItem }> = []
  #runningHead = ""
  /** True if the last page has no text, so that the next page starts below its title. */
  #isBare = false
  #bytes = 0

  constructor(head: BookHead, source: BookSource) {
    this.#head = head
    this.#source = source
    const date = new Date(head.date)
    this.#doc = new PdfKit({
      autoFirstPage: false,
      bufferPages: true,
      pdfVersion: "1.7",
      displayTitle: true,
      tagged: true,
      lang: head.language ?? "en",
      info: { Title: head.title, Creator: "Lectern", Producer: "Lectern", CreationDate: date, ModDate: date }
    })
    packObjects(this.#doc)
    escapeTitle(this.#doc)
    this.#doc.on("data", (chunk: Buffer) => {
      this.#bytes += chunk.length
      if (this.#bytes <= maxPdfBytes) this.#chunks.push(chunk)
    })
    this.#fonts = new Fonts(({ name, data }) => this.#doc.registerFont(name, Buffer.from(data)))
    this.#structure = new Structure(this.#doc)
    this.#opening = this.#structure.root.add("Sect")
    this.#typesetter = new Typesetter(this.#doc, this.#fonts, this.#structure)
    this.#words = LocalizedMessages.messagesFor(head.locale ?? "en", head.language)
    this.#pictures = new Pictures(this.#doc, this.#words)
    this.#titles = new Map(head.pages.map(({ id, title }) => [id, title]))
    this.#destinations = new Destinations(this.#doc, new Set(this.#titles.keys()))
    this.#contents = new Contents(this.#typesetter, this.#destinations, this.#opening, this.#words)
    this.#flow = new Flow(this.#doc, (sheet) => this.#startSheet(sheet))
  }

  async write(): Promise<Uint8Array> {
    const { pages, title, language } = this.#head
    const { contents } = this.#words.paper
    const [first] = pages
    const isOnePage = pages.length === 1 && first?.type === "document"
    const names = pages.map((page) => `${page.title}${page.emoji ?? ""}`).join("")
    this.#fonts.preferFor(`${title}${names}`, language)
    await this.#prepare(`${title}${names}${contents}${this.#day().text}0123456789…`, usualFaces)
    if (!isOnePage) {
      this.#titlePage()
      this.#runningHead = contents
      this.#flow.newSheet()
      this.#flow.placeStrips(this.#contents.opening())
      for (const page of pages)
        if (page.type !== "link") this.#flow.placeStrips(this.#contents.entry(page, () => this.#flow.sheets))
    }
    for (const page of pages) await this.#page(page)
    this.#contents.number(this.#numbers)
    this.#structure.finish(this.#opening)
    this.#structure.end()
    this.#destinations.finish()
    const whenEnded = new Promise((resolve) => this.#doc.on("end", resolve))
    this.#doc.end()
    await whenEnded
    if (this.#bytes > maxPdfBytes) throw new BookRefused("It would be larger than 32 MiB")
    return Buffer.concat(this.#chunks)
  }

  async #prepare(sampleText: string, faces: ReadonlyArray<Face>): Promise<void> {
    await this.#fonts.prepare(sampleText, faces)
    this.#typesetter.clearMeasurements()
  }

  #titlePage(): void {
    const { title } = this.#head
    const style: Style = { size: 30, bold: true, color: colors.text }
    this.#runningHead = ""
    this.#flow.newSheet()
    const day = this.#day()
    this.#flow.placeStrips([
      { height: paper.height * 0.24 },
      ...this.#typesetter.set([{ text: title, style }], {
        width: contentWidth,
        lineHeight: 38,
        element: this.#opening.add("P")
      }),
      gap(14),
      { height: 3, draw: (x, y) => void this.#doc.rect(x, y, 48, 3).fill(colors.link) },
      gap(14),
      ...this.#typesetter.set([{ text: day.text, style: { size: 11, color: colors.muted } }], {
        width: contentWidth,
        lineHeight: 16,
        element: this.#opening.add("P", { lang: day.language })
      })
    ])
  }

  /** Returns the date of the content and its language. The book's language is used even if it has no messages. */
  #day(): { readonly text: string; readonly language: string } {
    const { date, language: requestedLanguage } = this.#head
    const { language } =
      this.#head.locale === undefined && requestedLanguage !== undefined ? languageInfo(requestedLanguage) : this.#words
    const text = new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" }).format(new Date(date))
    return { text, language }
  }

  async #page(page: Page): Promise<void> {
    if (page.type === "link") return
    const sourceDocument = page.type === "document" ? await this.#source.document(page.id) : undefined
    const document = sourceDocument && HtmlNodes.convertHtml(sourceDocument)
    const sampleText = `${titleOf(page)}${page.description ?? ""}${document === undefined ? "" : textIn(document)}`
    await this.#prepare(sampleText, document === undefined ? usualFaces : facesOf(document))
    const files = document === undefined ? new Map<string, DisplayedFile>() : await this.#filesOf(document)
    if (document !== undefined) {
      for (const { tex, display } of formulasIn(document)) await this.#formulas.prepare(tex, display)
    }
    this.#runningHead = page.title
    if (this.#isBare) this.#flow.placeStrips([gap(30)])
    else this.#flow.newSheet()
    const element = this.#structure.root.add("Sect")
    const sheet: Sheet = {
      words: this.#words,
      doc: this.#doc,
      structure: this.#structure,
      typesetter: this.#typesetter,
      destinations: this.#destinations,
      page: page.id,
      titles: this.#titles,
      files,
      formulas: this.#formulas,
      anchors: document === undefined ? new Map() : anchorsOf(document),
      levelOf: levels(),
      headed: (title, depth, y) => this.#addOutline(title, 100 + depth, y)
    }
    const frame = { sheet, width: contentWidth, style: body, blocks, element }
    this.#isBare = true
    this.#flow.placeStrips(
      this.#strips(this.#heading(page, element), document === undefined ? [] : blocks(document.nodes, frame))
    )
    this.#structure.finish(element)
  }

  /** Yields the strips of a page, and notes whether the page has text. */
  *#strips(heading: Strips, text: Strips): Generator<Strip> {
    yield* heading
    for (const strip of text) {
      if (strip.draw !== undefined) this.#isBare = false
      yield strip
    }
  }

  *#heading(page: Page, element: Element): Generator<Strip> {
    const style: Style = { ...body, size: 24, bold: true }
    const { id, description } = page
    const lines = this.#typesetter.set([{ text: titleOf(page), style }], {
      width: contentWidth,
      lineHeight: 30,
      element: element.add("H1")
    })
    let isFirst = true
    for (const strip of lines) {
      const begins = isFirst
      isFirst = false
      yield {
        ...strip,
        keep: true,
        draw: (x, y) => {
          if (begins) {
            this.#numbers.set(id, this.#flow.sheets)
            this.#destinations.define(id, undefined, y)
            this.#addOutline(titleOf(page), page.depth, y)
          }
          strip.draw?.(x, y)
        }
      }
    }
    if (description !== undefined && description !== "") {
      const footerStyle: Style = { ...body, size: 11, color: colors.muted }
      yield gap(4)
      yield* this.#typesetter.set([{ text: description, style: footerStyle }], {
        width: contentWidth,
        lineHeight: lineHeightOf(footerStyle),
        element: element.add("P")
      })
    }
    yield { ...gap(14), keep: true }
  }

  #addOutline(title: string, depth: number, y: number): void {
    while (this.#outline.length > 0 && this.#outline.at(-1)!.depth >= depth) this.#outline.pop()
    const parent = this.#outline.at(-1)?.item ?? (this.#doc.outline as unknown as OutlineItem)
    const item = parent.addItem(title === "" ? this.#words.paper.untitled : title, outlineTop(y))
    this.#outline.push({ depth, item })
  }

  async #filesOf(document: Document): Promise<ReadonlyMap<string, DisplayedFile>> {
    const files = new Map<string, DisplayedFile>()
    for (const id of fileIds(document)) {
      const file = await this.#pictures.get(id, this.#source.file)
      if (file !== undefined) files.set(id, file)
    }
    return files
  }

  /** Draws the running head and the number of a sheet. The title page has neither. */
  #startSheet(sheet: number): void {
    if (this.#runningHead === "") return
    const style: Style = { size: smallSize, color: colors.muted }
    const y = paper.top - 30
    this.#drawHead(this.#head.title, "left", y, style)
    if (this.#runningHead !== this.#head.title) this.#drawHead(this.#runningHead, "right", y, style)
    const number = String(sheet)
    const numberX = paper.width / 2 - this.#typesetter.widthOf(number, style) / 2
    this.#typesetter.drawText(number, numberX, paper.height - paper.bottom + 34, style)
  }

  /** Draws one side of the running head, on one line. */
  #drawHead(text: string, align: "left" | "right", baseline: number, style: Style): void {
    const lineHeight = lineHeightOf(style)
    const shortenedText = this.#fitted(text, contentWidth / 2 - 10, style)
    const setting = { width: contentWidth, lineHeight, align, element: undefined }
    for (const strip of this.#typesetter.set([{ text: shortenedText, style }], setting)) {
      strip.draw?.(paper.left, baseline - baselineOf(lineHeight, style.size))
    }
  }

  /** Shortens a text to one line of this width, with an ellipsis. */
  #fitted(text: string, width: number, style: Style): string {
    if (this.#typesetter.widthOf(text, style) <= width) return text
    const characters = Array.from(text)
    let low = 0
    let high = characters.length
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#typesetter.widthOf(`${characters.slice(0, middle).join("")}…`, style) <= width) low = middle
      else high = middle - 1
    }
    return `${characters.slice(0, low).join("").trimEnd()}…`
  }
}

/** Escapes `&` and `<` in the title. `pdfkit` inserts the title unescaped into the XML of the metadata. */
const escapeTitle = (doc: InstanceType<typeof PdfKit>): void => {
  const internals = doc as unknown as { readonly info: { Title: string }; endMetadata: () => void }
  const endMetadata = internals.endMetadata.bind(internals)
  internals.endMetadata = () => {
    internals.info.Title = internals.info.Title.replaceAll("&", "&amp;").replaceAll("<", "&lt;")
    endMetadata()
  }
}

/** Returns a function that maps the depth of each heading to a level below the page title. No level is skipped. */
const levels = (): Sheet["levelOf"] => {
  const openDepths: Array<number> = []
  return (depth) => {
    while (openDepths.length > 0 && openDepths.at(-1)! >= depth) openDepths.pop()
    openDepths.push(depth)
    return Math.min(6, openDepths.length + 1) as ReturnType<Sheet["levelOf"]>
  }
}

const anchorsOf = (document: Document): ReadonlyMap<string, string> =>
  new Map(DocumentText.headings(document).map(({ key, id }) => [key, id]))
