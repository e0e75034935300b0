/** Detects the type of an uploaded file, and rejects content of another kind than declared. */
import { detect } from "../content/files/FileType.ts"
import type { UploadKind } from "./Upload.ts"

const pictures = /^image\/(?:png|jpeg|gif|webp|avif|x-icon|svg\+xml)$/

/** File extensions that can be imported. */
const importable = /\.(?:md|markdown|html?|xhtml|docx|zip)$/i

const fonts: Readonly<Record<string, string>> = { wOF2: "font/woff2", wOFF: "font/woff" }

export const isImportable = (name: string): boolean => importable.test(name)

/** Returns the content type of the bytes. Undefined if they are not of this kind. */
export const typeOf = (kind: UploadKind, bytes: Uint8Array, name: string): string | undefined => {
  if (kind === "customization_font") return fonts[String.fromCharCode(...bytes.subarray(0, 4))]
  // An image is detected by its content, an import also by its name.
  const { contentType } = detect(bytes, kind === "import_file" ? name : "")
  return kind === "import_file" || pictures.test(contentType) ? contentType : undefined
}

/** Descriptions of the expected content, for messages. */
export const expected: { readonly [kind in UploadKind]: string } = {
  customization_font: "a font as WOFF2 or WOFF",
  import_file: "a file that ends in .md, .html, .docx or .zip",
  organization_file: "a picture: PNG, JPEG, GIF, WebP, AVIF, ICO or SVG"
}
