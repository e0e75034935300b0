/** Pictures and links of elements, as HTML. */
import * as HtmlTree from "../HtmlTree.ts"
import { type ElementTag, textAttribute } from "./ElementTag.ts"

/** Aliases of the project's folder in the paths of imported files. */
const alias = /^[@~][\w-]*\//

const sourceOf = (value: unknown): string | undefined => {
  if (typeof value === "string" && value.trim() !== "") return value.trim().replace(alias, "/")
  if (typeof value !== "object" || value === null) return undefined
  const { light, src } = value as { readonly light?: unknown; readonly src?: unknown }
  return sourceOf(src ?? light)
}

const sizeOf = ({ attributes }: ElementTag, name: string): string | undefined => {
  const value = attributes.get(name)
  if (typeof value === "number") return String(value)
  return typeof value === "string" && /^\d{1,5}(?:px)?$/.test(value) ? value.replace("px", "") : undefined
}

/** Returns the `<img>` of an element; undefined if its source is not a literal. */
export const pictureHtml = (tag: ElementTag): string | undefined => {
  const { attributes } = tag
  const source = ["src", "sources", "img", "0"].map((name) => sourceOf(attributes.get(name))).find((one) => one)
  if (source === undefined) return undefined
  return HtmlTree.openTag("img", {
    src: source,
    alt: textAttribute(tag, "alt", "caption", "title") ?? "",
    width: sizeOf(tag, "width"),
    height: sizeOf(tag, "height")
  })
}

/** Returns the target of a link or a card. */
export const linkUrl = (tag: ElementTag): string | undefined =>
  textAttribute(tag, "href", "to", "link", "url", "relref", "src")

/** Returns a picture with its caption as HTML. */
export const figureHtml = (image: string, caption: string | undefined): string =>
  caption === undefined
    ? `<figure>${image}<figcaption></figcaption></figure>`
    : `<figure>${image}<figcaption><p>${HtmlTree.escapeText(caption)}</p></figcaption></figure>`
