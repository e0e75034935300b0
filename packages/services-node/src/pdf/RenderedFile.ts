/**
 * Draws pictures as PNG that a PDF cannot embed: SVG, WebP, and the first frame of a GIF. External references of an SVG
 * are not fetched, and its scripts do not run.
 *
 * Limits: 2,000 by 2,800 pixels, which is enough for a sheet. An SVG is enlarged to at most three times its stated
 * size.
 */
import { detect } from "@lectern/core/content/files/FileType"
import { loadTakumi } from "../rendering/Takumi.ts"
import { VectorText } from "../rendering/VectorText.ts"
import type { RenderedFile, Size } from "./RenderedFiles.ts"

const maxPixels: Size = { width: 2000, height: 2800 }
const vectorScale = 3
/** Size of an SVG that states no size, in pixels. */
const defaultSize: Size = { width: 300, height: 150 }

const text = new VectorText()

/** Draws a picture as PNG. Fails if the bytes are not a picture of this type or need too much memory. */
export const renderPng = async (contentType: string, bytes: Uint8Array): Promise<RenderedFile> => {
  const size = detect(bytes, "", contentType).dimensions ?? defaultSize
  const isVector = contentType === "image/svg+xml"
  const scale = Math.min(isVector ? vectorScale : 1, maxPixels.width / size.width, maxPixels.height / size.height)
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
