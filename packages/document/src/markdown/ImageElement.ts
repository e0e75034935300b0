/**
 * Parses an `img`, or a `picture` with one, as authors write it by hand. Drops attributes without an equivalent in
 * Lectern: classes, styles other than width and height, loading. Hidden images and tracking pixels are not images.
 */
import * as HtmlTree from "./HtmlTree.ts"
import * as Length from "./Length.ts"

export interface Image {
  readonly src: string
  readonly dark: string | undefined
  readonly alt: string | undefined
  readonly title: string | undefined
  /** Size of an inline image, from `data-size`. Default: none. */
  readonly size: "line" | "original" | undefined
  readonly align: string | undefined
  readonly width: Size | undefined
  readonly height: Size | undefined
}

type Size = NonNullable<ReturnType<typeof Length.read>>

const alignments = new Set(["left", "center", "right"])

export const read = (element: HtmlTree.Element): Image | undefined => {
  const parts = element.name === "picture" ? HtmlTree.elementsOnly(element.children) : [element]
  const img = parts?.at(-1)
  const sources = parts?.slice(0, -1) ?? []
  if (img?.name !== "img" || !sources.every(({ name }) => name === "source")) return undefined
  const { attributes } = img
  const src = attributes.get("src")
  const style = attributes.get("style") ?? ""
  if (src === undefined || attributes.has("hidden") || /display:\s*none/i.test(style)) return undefined
  const width = parseSize(attributes.get("width")) ?? parseSize(styleValue("width", style))
  const height = parseSize(attributes.get("height")) ?? parseSize(styleValue("height", style))
  if (isTrackingPixel(width) || isTrackingPixel(height)) return undefined
  const sizeName = attributes.get("data-size")
  const align = attributes.get("align")?.toLowerCase() ?? ""
  return {
    src,
    dark: sources.map(darkUrl).find((url) => url !== undefined),
    alt: attributes.get("alt") || undefined,
    title: attributes.get("title")?.trim() || undefined,
    size: sizeName === "line" || sizeName === "original" ? sizeName : undefined,
    align: alignments.has(align) ? align : undefined,
    width,
    height
  }
}

const parseSize = (text: string | undefined): Size | undefined =>
  text === undefined ? undefined : Length.read(text.trim())

/** Returns a size in pixels; undefined for other units, such as `%`. */
export const pixelsOf = (size: Size | undefined): number | undefined =>
  typeof size === "object" ? (size.unit === "px" ? size.value : undefined) : size

const isTrackingPixel = (size: Size | undefined): boolean => (pixelsOf(size) ?? 2) <= 1

const styleValue = (name: "width" | "height", style: string): string | undefined =>
  style
    .split(";")
    .map((one) => one.trim())
    .find((one) => one.startsWith(`${name}:`))
    ?.slice(name.length + 1)

/** Returns the URL of a source for dark mode. If it has several for different screen widths, returns the first. */
const darkUrl = ({ attributes }: HtmlTree.Element): string | undefined => {
  const isDark = /^\(prefers-color-scheme:\s*dark\)$/.test(attributes.get("media") ?? "")
  const sourceSet = attributes.get("srcset")?.trim()
  return isDark && sourceSet ? (/^(\S+)\s+[\d.]+[wx](?:,|$)/.exec(sourceSet)?.[1] ?? sourceSet) : undefined
}
