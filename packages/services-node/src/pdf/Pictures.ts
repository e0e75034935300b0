/**
 * Pictures to embed, each opened once per book. The unpacked size is checked before a picture is unpacked, so a small
 * file that claims large dimensions costs nothing.
 *
 * Limits: 40 megapixels per picture, 96 MiB unpacked per PNG, 24 MiB of picture files per PDF. A note replaces a
 * picture that exceeds a limit.
 */
import type { LocalizedMessages } from "@lectern/site/page/LocalizedMessages"
import { inflateSync } from "node:zlib"
import { maxPictureBytes } from "@lectern/core/pdf/PdfWriter"
import type PDFDocument from "pdfkit"
import type { FileResponse } from "./PdfMessages.ts"
import type { DisplayedFile } from "./Sheet.ts"
import type { Size } from "./RenderedFiles.ts"

/** `openImage` is missing in the types of `pdfkit`. */
type PdfDocument = InstanceType<typeof PDFDocument> & { readonly openImage: (bytes: Buffer) => Size }

const maxPixels = 40_000_000
/** Maximum unpacked size of a PNG, in bytes. Lossless pictures are unpacked to be embedded. */
const maxUnpacked = 96 * 1024 * 1024
const maxBytes = maxPictureBytes

export class Pictures {
  readonly #doc: PdfDocument
  readonly #texts: LocalizedMessages["paper"]
  readonly #cache = new Map<string, DisplayedFile>()
  #bytes = 0

  constructor(doc: InstanceType<typeof PDFDocument>, { paper }: Pick<LocalizedMessages, "paper">) {
    this.#doc = doc as PdfDocument
    this.#texts = paper
  }

  async get(id: string, read: (id: string) => Promise<FileResponse>): Promise<DisplayedFile | undefined> {
    const cache = this.#cache.get(id)
    if (cache !== undefined) return cache
    const file = await read(id)
    if (file === undefined) return undefined
    const displayedFile = this.#openPicture(file)
    this.#cache.set(id, displayedFile)
    return displayedFile
  }

  #openPicture({ name, contentType, size, bytes, problem, displayed }: NonNullable<FileResponse>): DisplayedFile {
    const { tooLarge, tooMany, unread, unshown } = this.#texts
    if (problem !== undefined) return { name, problem: this.#texts[problem] }
    if (bytes === undefined) {
      if (!contentType.startsWith("image/")) return { name }
      return { name, problem: size > maxBytes ? tooLarge : unshown(contentType) }
    }
    if (this.#bytes + bytes.length > maxBytes) return { name, problem: tooMany }
    try {
      if (contentType === "image/png") checkPng(bytes)
      const opened = this.#doc.openImage(Buffer.from(bytes))
      if (!(opened.width > 0 && opened.height > 0) || opened.width * opened.height > maxPixels) {
        return { name, problem: tooLarge }
      }
      this.#bytes += bytes.length
      const { width, height } = displayed ?? opened
      return { name, image: { width, height, opened: opened as never } }
    } catch (error) {
      return { name, problem: error instanceof ImageTooLarge ? tooLarge : unread }
    }
  }
}

class ImageTooLarge extends Error {}

const channels: { readonly [colourType: number]: number } = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** Checks a PNG. Fails if it is damaged, too large, or holds more or less data than its header states. */
const checkPng = (bytes: Uint8Array): void => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const width = view.getUint32(16)
  const height = view.getUint32(20)
  const [depth, colorType, , , interlaced] = bytes.subarray(24, 29)
  const perPixel = (channels[colorType!] ?? Number.NaN) * depth!
  if (!(width > 0 && height > 0 && perPixel > 0)) throw new Error("Not a PNG")
  const parts: Array<Uint8Array> = []
  for (let offset = 8; offset + 12 <= bytes.length;) {
    const length = view.getUint32(offset)
    if (view.getUint32(offset + 4) === 0x49444154) parts.push(bytes.subarray(offset + 8, offset + 8 + length))
    offset += length + 12
  }
  const expected = (Math.ceil((width * perPixel) / 8) + 1) * height
  // Each of the seven passes of an interlaced picture has its own lines.
  const maxDataLength = interlaced === 1 ? 2 * expected + 64 : expected
  if (width * height > maxPixels || maxDataLength > maxUnpacked) throw new ImageTooLarge()
  const data = inflateSync(Buffer.concat(parts), { maxOutputLength: maxDataLength + 1024 })
  if (data.length < (interlaced === 1 ? expected / 2 : expected)) throw new Error("A PNG that is cut off")
}
