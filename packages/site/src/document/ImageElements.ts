/** Renders images. An image may have a replacement for dark mode. */
import type { Data } from "@lectern/document/Document"
import { attributes, type Html, html } from "../html/Html.ts"
import * as SafeUrls from "../html/SafeUrls.ts"
import { refOf } from "./Nodes.ts"
import type { Rendering } from "./BlockRenderer.ts"

interface Manner {
  readonly alt: string
  readonly title?: string
  readonly look?: string
  /** True if the image links to its file, which a script shows enlarged (`lectern-zoom`). */
  readonly zooms?: boolean
}

/** Renders an image; undefined if the reader cannot see it. */
export const pictureOf = (
  data: Data,
  { targetOf, words }: Pick<Rendering, "targetOf" | "words">,
  { alt, title, look, zooms = false }: Manner
): Html | undefined => {
  const urlOf = (ref: ReturnType<typeof refOf>) => {
    const target = ref && targetOf(ref)
    const url = target?.url === undefined ? undefined : SafeUrls.source(target.url)
    return url === undefined ? undefined : { url, ...target!.file?.dimensions }
  }
  const shown = urlOf(refOf(data))
  if (shown === undefined) return undefined
  const width = sizeOf(data["width"])
  const height = width === undefined ? sizeOf(data["height"]) : undefined
  const size =
    width === undefined && height === undefined
      ? { width: shown.width, height: shown.height }
      : width !== undefined && shown.width !== undefined && shown.height !== undefined
        ? { width, height: Math.round((width * shown.height) / shown.width) }
        : { width, height }
  const picture = (src: string, variant: string) => {
    const all = [look, variant].filter((name) => name !== undefined && name !== "").join(" ")
    const image = (own: string) =>
      html`<img${attributes({ class: own || undefined, src, alt, title, ...size, loading: "lazy", decoding: "async" })}>`
    if (!zooms) return image(all)
    const name = alt === "" ? words.enlarge : `${words.enlarge}: ${alt}`
    return html`<a href="${src}"${attributes({ class: variant === "" ? "zoom" : `zoom ${variant}`, "aria-label": name })}>${image(look ?? "")}</a>`
  }
  const dark = urlOf(refOf({ ref: data["refDark"] }))
  return dark === undefined
    ? picture(shown.url, "")
    : html`${picture(shown.url, "light-only")}${picture(dark.url, "dark-only")}`
}

/** Returns a size in pixels, from a number or a value with a unit; undefined for other units. */
const sizeOf = (value: unknown): number | undefined => {
  const length = typeof value === "object" && value !== null && "value" in value ? value.value : value
  const isPixels = typeof value !== "object" || value === null || !("unit" in value) || value.unit === "px"
  return isPixels && typeof length === "number" && length > 0 && length < 10_000 ? Math.round(length) : undefined
}
