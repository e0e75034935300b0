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
  const parts = element.name === "picture" ? HtmlTree.elements(element.children) : [element]
  const img = parts?.at(-1)
  const sources = parts?.slice(0, -1) ?? []
  if (img?.name !== "img" || !sources.every(({ name }) => name === "source")) return undefined
  const { attributes } = img
  const src = attributes.get("src")
  const style = attributes.get("style") ?? ""
  if (src === undefined || attributes.has("hidden") || /display:\s*none/i.test(style)) return undefined
  const width = sizeOf(attributes.get("width")) ?? sizeOf(ofStyle("width", style))
  const height = sizeOf(attributes.get("height")) ?? sizeOf(ofStyle("height", style))
  if (isPoint(width) || isPoint(height)) return undefined
  const said = attributes.get("data-size")
  const align = attributes.get("align")?.toLowerCase() ?? ""
  return {
    src,
    dark: sources.map(darkOf).find((url) => url !== undefined),
    alt: attributes.get("alt") || undefined,
    title: attributes.get("title")?.trim() || undefined,
    size: said === "line" || said === "original" ? said : undefined,
    align: alignments.has(align) ? align : undefined,
    width,
    height
  }
}

const sizeOf = (text: string | undefined): Size | undefined =>
  text === undefined ? undefined : Length.read(text.trim())

/** Returns a size in pixels; undefined for other units, such as `%`. */
export const pixelsOf = (size: Size | undefined): number | undefined =>
  typeof size === "object" ? (size.unit === "px" ? size.value : undefined) : size

const isPoint = (size: Size | undefined): boolean => (pixelsOf(size) ?? 2) <= 1

const ofStyle = (name: "width" | "height", style: string): string | undefined =>
  style
    .split(";")
    .map((one) => one.trim())
    .find((one) => one.startsWith(`${name}:`))
    ?.slice(name.length + 1)

/** Returns the URL of a source for dark mode. If it has several for different screen widths, returns the first. */
const darkOf = ({ attributes }: HtmlTree.Element): string | undefined => {
  const isDark = /^\(prefers-color-scheme:\s*dark\)$/.test(attributes.get("media") ?? "")
  const set = attributes.get("srcset")?.trim()
  return isDark && set ? (/^(\S+)\s+[\d.]+[wx](?:,|$)/.exec(set)?.[1] ?? set) : undefined
}
