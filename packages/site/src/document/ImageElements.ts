/** Renders images. An image may have a replacement for dark mode. */
import type { Data } from "@lectern/document/Document"
import { attributes, type Html, html } from "../html/Html.ts"
import * as SafeUrls from "../html/SafeUrls.ts"
import { refOf } from "./Nodes.ts"
import type { BlockRenderer } from "./BlockRenderer.ts"

interface ImageOptions {
  readonly alt: string
  readonly title?: string
  readonly className?: string
  /** True if the image links to its file, which a script shows enlarged (`lectern-zoom`). */
  readonly isZoomable?: boolean
}

/** Renders an image; undefined if the reader cannot see it. */
export const renderImage = (
  data: Data,
  { targetOf, messages }: Pick<BlockRenderer, "targetOf" | "messages">,
  { alt, title, className, isZoomable = false }: ImageOptions
): Html | undefined => {
  const sourceOf = (ref: ReturnType<typeof refOf>) => {
    const target = ref && targetOf(ref)
    const url = target?.url === undefined ? undefined : SafeUrls.sourceUrl(target.url)
    return url === undefined ? undefined : { url, ...target!.file?.dimensions }
  }
  const source = sourceOf(refOf(data))
  if (source === undefined) return undefined
  const width = pixelsOf(data["width"])
  const height = width === undefined ? pixelsOf(data["height"]) : undefined
  const size =
    width === undefined && height === undefined
      ? { width: source.width, height: source.height }
      : width !== undefined && source.width !== undefined && source.height !== undefined
        ? { width, height: Math.round((width * source.height) / source.width) }
        : { width, height }
  const renderVariant = (src: string, variant: string) => {
    const variantClasses = [className, variant].filter((name) => name !== undefined && name !== "").join(" ")
    const image = (classNames: string) =>
      html`<img${attributes({ class: classNames || undefined, src, alt, title, ...size, loading: "lazy", decoding: "async" })}>`
    if (!isZoomable) return image(variantClasses)
    const name = alt === "" ? messages.enlarge : `${messages.enlarge}: ${alt}`
    return html`<a href="${src}"${attributes({ class: variant === "" ? "zoom" : `zoom ${variant}`, "aria-label": name })}>${image(className ?? "")}</a>`
  }
  const darkSource = sourceOf(refOf({ ref: data["refDark"] }))
  return darkSource === undefined
    ? renderVariant(source.url, "")
    : html`${renderVariant(source.url, "light-only")}${renderVariant(darkSource.url, "dark-only")}`
}

/** Returns a size in pixels, from a number or a value with a unit; undefined for other units. */
const pixelsOf = (value: unknown): number | undefined => {
  const length = typeof value === "object" && value !== null && "value" in value ? value.value : value
  const isPixels = typeof value !== "object" || value === null || !("unit" in value) || value.unit === "px"
  return isPixels && typeof length === "number" && length > 0 && length < 10_000 ? Math.round(length) : undefined
}
