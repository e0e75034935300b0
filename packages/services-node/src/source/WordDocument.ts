/**
 * Converts a Word document to a page by the meaning of its styles, not by their appearance. Hidden text is left out
 * (see `HiddenText`). Formulas and numbers of list items, which the converter ignores, are retained (see `WordMarks`).
 */
import {
  type PageOptions,
  type SourceFile,
  type SourcePage,
  SourceUnreadable
} from "@lectern/exchange/import/SourceReader"
import * as FileType from "@lectern/core/content/files/FileType"
import { zipSync } from "fflate"
import mammoth from "mammoth"
import * as HiddenText from "./HiddenText.ts"
import * as HtmlPage from "./HtmlPage.ts"
import * as InterruptedLists from "./InterruptedLists.ts"
import type { Formula } from "./WordFormulas.ts"
import * as WordMarks from "./WordMarks.ts"
import { WordNumbering } from "./WordNumbering.ts"
import * as WordTables from "./WordTables.ts"
import * as ZipArchive from "./ZipArchive.ts"

const maxImages = 200

const readFailure = (message: string) => new SourceUnreadable({ message })

export const read = async (bytes: Uint8Array, options: PageOptions): Promise<SourcePage> => {
  const files: Array<SourceFile> = []
  const formulas: Array<Formula> = []
  const { value } = await mammoth
    .convertToHtml(
      { buffer: Buffer.from(await checked(bytes, formulas)) },
      {
        styleMap: [
          "p[style-name='Code'] => pre:separator('\\n')",
          "p[style-name='Source Code'] => pre:separator('\\n')"
        ],
        convertImage: mammoth.images.imgElement(async (image) => {
          const content = new Uint8Array(await image.readAsArrayBuffer())
          const { contentType } = FileType.detect(content, "image", image.contentType)
          if (!contentType.startsWith("image/") || files.length >= maxImages) return { src: "" }
          const ending = /^image\/(?:x-)?([a-z]{2,8})/.exec(contentType)?.[1] ?? "img"
          const path = `${options.embedded}/image-${files.length + 1}.${ending === "jpeg" ? "jpg" : ending}`
          files.push({ path, bytes: content })
          return { src: `embedded:${path}` }
        })
      }
    )
    .catch(() => {
      throw readFailure("The document of Word is damaged and can't be read")
    })
  return HtmlPage.readWordHtml(value, options, files, formulas)
}

const notText = new Set(["word/styles.xml", "word/numbering.xml", "[Content_Types].xml"])

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/**
 * Returns the document with its parts unpacked within limits, prepared for the converter, and packed again. The
 * converter thus reads only checked parts.
 */
const checked = async (bytes: Uint8Array, formulas: Array<Formula>): Promise<Uint8Array> => {
  const files = await ZipArchive.readAll(bytes).catch((error: unknown) => {
    throw error instanceof SourceUnreadable && /no ZIP/.test(error.message)
      ? readFailure("It is no document of Word (.docx)")
      : error
  })
  const parts = Object.fromEntries(files.map((file) => [file.path, file.bytes]))
  const [styles, numbers] = ["word/styles.xml", "word/numbering.xml"].map((path) => {
    const part = Object.hasOwn(parts, path) ? parts[path] : undefined
    return part === undefined ? "" : text(part)
  }) as [string, string]
  const hidden = HiddenText.hiddenStyles(styles)
  for (const [path, part] of Object.entries(parts)) {
    if (!/\.xml$/i.test(path) || notText.has(path)) continue
    const xml = text(part)
    const joined = WordTables.correctTables(InterruptedLists.joinLists(HiddenText.withoutHidden(xml, hidden)))
    const markedDocument = WordMarks.mark(joined, formulas, new WordNumbering(numbers, styles))
    if (markedDocument !== xml) parts[path] = new TextEncoder().encode(markedDocument)
  }
  if (!Object.hasOwn(parts, "[Content_Types].xml") && !Object.hasOwn(parts, "word/document.xml")) {
    throw readFailure("It is no document of Word (.docx)")
  }
  return zipSync(parts, { level: 0 })
}
