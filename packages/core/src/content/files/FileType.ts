/**
 * Detects the media type of a file, and the dimensions of images. Precedence: the signature in the bytes, the sender's
 * type, the extension of the name.
 */

export interface FileType {
  readonly contentType: string
  readonly dimensions?: { readonly width: number; readonly height: number }
}

/** Length of the start of a text file that is searched for SVG (bytes). */
const headLength = 4096

const typesByExtension: { readonly [ending: string]: string } = {
  avif: "image/avif",
  bmp: "image/bmp",
  css: "text/css",
  csv: "text/csv",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  gif: "image/gif",
  gz: "application/gzip",
  html: "text/html",
  ico: "image/x-icon",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  js: "text/javascript",
  json: "application/json",
  md: "text/markdown",
  mov: "video/quicktime",
  mp3: "audio/mpeg",
  mp4: "video/mp4",
  pdf: "application/pdf",
  png: "image/png",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  svg: "image/svg+xml",
  txt: "text/plain",
  wav: "audio/wav",
  webm: "video/webm",
  webp: "image/webp",
  woff: "font/woff",
  woff2: "font/woff2",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  xml: "application/xml",
  yaml: "application/yaml",
  yml: "application/yaml",
  zip: "application/zip"
}

const mediaType = /^[a-z0-9][\w.+-]{0,126}\/[a-z0-9][\w.+-]{0,126}$/i

export const detect = (bytes: Uint8Array, name: string, claimed?: string): FileType => {
  const detectedType = image(bytes) ?? document(bytes)
  if (detectedType !== undefined) return detectedType
  const claimedType = claimed?.split(";", 1)[0]?.trim().toLowerCase()
  if (claimedType !== undefined && mediaType.test(claimedType)) return { contentType: claimedType }
  const extension = /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase()
  return { contentType: (extension !== undefined && typesByExtension[extension]) || "application/octet-stream" }
}

const startsWith = (bytes: Uint8Array, text: string, at = 0) => {
  if (bytes.length < at + text.length) return false
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false
  return true
}

const withDimensions = (contentType: string, width: number, height: number): FileType =>
  width > 0 && height > 0 ? { contentType, dimensions: { width, height } } : { contentType }

const image = (bytes: Uint8Array): FileType | undefined => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (startsWith(bytes, "\x89PNG\r\n\x1a\n")) {
    return bytes.length >= 24
      ? withDimensions("image/png", view.getUint32(16), view.getUint32(20))
      : { contentType: "image/png" }
  }
  if (startsWith(bytes, "GIF87a") || startsWith(bytes, "GIF89a")) {
    return bytes.length >= 10
      ? withDimensions("image/gif", view.getUint16(6, true), view.getUint16(8, true))
      : { contentType: "image/gif" }
  }
  if (startsWith(bytes, "\xff\xd8\xff")) return jpeg(view)
  if (startsWith(bytes, "RIFF") && startsWith(bytes, "WEBP", 8)) return webp(bytes, view)
  if (startsWith(bytes, "BM") && bytes.length >= 26) {
    return withDimensions("image/bmp", view.getInt32(18, true), Math.abs(view.getInt32(22, true)))
  }
  if (startsWith(bytes, "\0\0\x01\0") && bytes.length >= 8) {
    return withDimensions("image/x-icon", bytes[6] || 256, bytes[7] || 256)
  }
  if (startsWith(bytes, "ftypavif", 4) || startsWith(bytes, "ftypavis", 4)) return { contentType: "image/avif" }
  return svg(bytes)
}

/** Reads the dimensions from the first frame header of a JPEG. Earlier segments are skipped by their length. */
const jpeg = (view: DataView): FileType => {
  const contentType = "image/jpeg"
  let offset = 2
  while (offset + 9 <= view.byteLength) {
    if (view.getUint8(offset) !== 0xff) break
    const marker = view.getUint8(offset + 1)
    if (marker === 0xff) {
      offset++
      continue
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return withDimensions(contentType, view.getUint16(offset + 7), view.getUint16(offset + 5))
    offset += 2 + view.getUint16(offset + 2)
  }
  return { contentType }
}

const webp = (bytes: Uint8Array, view: DataView): FileType => {
  const contentType = "image/webp"
  if (bytes.length < 30) return { contentType }
  if (startsWith(bytes, "VP8X", 12)) {
    const threeBytes = (at: number) => bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16)
    return withDimensions(contentType, threeBytes(24) + 1, threeBytes(27) + 1)
  }
  if (startsWith(bytes, "VP8 ", 12)) {
    return withDimensions(contentType, view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff)
  }
  if (startsWith(bytes, "VP8L", 12)) {
    const bits = view.getUint32(21, true)
    return withDimensions(contentType, (bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1)
  }
  return { contentType }
}

const svg = (bytes: Uint8Array): FileType | undefined => {
  const head = new TextDecoder().decode(bytes.subarray(0, headLength))
  if (!/^[\s\ufeff]*</.test(head)) return undefined
  const tag = /<svg\b[^>]*/i.exec(head)?.[0]
  if (tag === undefined || /<html\b/i.test(head)) return undefined
  const pixels = (name: string) => Number(new RegExp(`\\s${name}=["']([\\d.]{1,12})(?:px)?["']`).exec(tag)?.[1])
  const box = /\sviewBox=["'][\d.eE+-]+[\s,]+[\d.eE+-]+[\s,]+([\d.]{1,12})[\s,]+([\d.]{1,12})["']/.exec(tag)
  const width = Math.round(pixels("width") || Number(box?.[1]))
  const height = Math.round(pixels("height") || Number(box?.[2]))
  return withDimensions("image/svg+xml", width, height)
}

const document = (bytes: Uint8Array): FileType | undefined =>
  startsWith(bytes, "%PDF-") ? { contentType: "application/pdf" } : undefined
