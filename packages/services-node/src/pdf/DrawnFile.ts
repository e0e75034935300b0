/**
 * Pictures that a PDF can't hold as they are, drawn as PNG: SVG, WebP, and the first picture of a GIF. What an SVG
 * refers to outside of itself is left out, and so are scripts: nothing is fetched and nothing runs.
 *
 * Limits: 2,000 by 2,800 pixels are drawn, which is fine enough for a sheet, and what can be enlarged up to
 * three times as large as it says it is.
 */
import { detect } from "@lectern/core/content/files/FileType"
import { loadTakumi } from "../painting/Takumi.ts"
import { VectorText } from "../painting/VectorText.ts"
import type { DrawnFile, Size } from "./DrawnFiles.ts"

const largest: Size = { width: 2000, height: 2800 }
const enlarged = 3
/** Of an SVG that doesn't say it. */
const unsaid: Size = { width: 300, height: 150 }

const text = new VectorText()

/** Fails where it is no such picture, and where it takes more memory than there is. */
export const draw = async (contentType: string, bytes: Uint8Array): Promise<DrawnFile> => {
  const size = detect(bytes, "", contentType).dimensions ?? unsaid
  const isVector = contentType === "image/svg+xml"
  const scale = Math.min(isVector ? enlarged : 1, largest.width / size.width, largest.height / size.height)
  const pixels = (length: number) => Math.max(1, Math.round(length * scale))
  const renderer = new (loadTakumi().Renderer)()
  try {
    const data = isVector
      ? new TextEncoder().encode(await text.prepare(renderer, new TextDecoder().decode(bytes)))
      : bytes
    const image = { type: "image", src: "file", style: { width: "100%", height: "100%", objectFit: "fill" } } as const
    const png = await renderer.render(image as never, {
      width: pixels(size.width),
      height: pixels(size.height),
      format: "png",
      images: [{ src: "file", data, cache: "none" }]
    })
    return { png, size }
  } finally {
    renderer.free()
  }
}
