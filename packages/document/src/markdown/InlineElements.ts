/**
 * Converts inlines that Markdown expresses as HTML elements: images with a size or a dark variant, icons, expressions,
 * buttons, emoji in words. Elements with other content stay HTML.
 */
import type { ContentRef, Data, Inline } from "../Document.ts"
import * as Emoji from "./Emoji.ts"
import * as HtmlTree from "./HtmlTree.ts"
import * as ImageElement from "./ImageElement.ts"
import { titleOf } from "./LinkTitle.ts"
import * as Marks from "./Marks.ts"
import type { RefUse } from "./RefUrl.ts"

export type ResolveRef = (url: string, use: RefUse) => ContentRef

/** An inline as an element: text between two tags, or a single tag. */
export interface ElementSource {
  readonly open: string
  readonly text?: string
  readonly close?: string
}

const elementNames = new Set(["a", "button", "code", "i", "img", "picture", "span"])

/** True if an element with this name may be an inline. */
export const isInlineElement = (name: string): boolean => elementNames.has(name)

export const read = (element: HtmlTree.Element, text: string, refOf: ResolveRef): Inline | undefined => {
  switch (element.name) {
    case "img":
    case "picture":
      return image(element, refOf)
    case "i":
      return icon(element, text)
    case "code":
      return expression(element, text)
    case "a":
      return mention(element, text, refOf) ?? button(element, text, refOf)
    case "button":
      return button(element, text, refOf)
    case "span":
      return emoji(element)
    default:
      return undefined
  }
}

const inline = (type: string, data: Data): Inline => ({ object: "inline", type, data, isVoid: true })

/** Maximum size of an image within a line of text, in pixels. */
const maxInlineSize = 32

const image = (element: HtmlTree.Element, refOf: ResolveRef): Inline | undefined => {
  const image = ImageElement.read(element)
  if (image === undefined) return undefined
  const { src, dark, alt, title, width, height } = image
  const isSmall = [width, height].some((size) => (ImageElement.pixelsOf(size) ?? maxInlineSize + 1) <= maxInlineSize)
  const size = image.size ?? (isSmall ? "line" : undefined)
  return inline("inline-image", {
    ref: refOf(src, "image"),
    ...(dark === undefined ? {} : { refDark: refOf(dark, "image") }),
    ...(alt === undefined ? {} : { alt }),
    ...(size === undefined ? {} : { size }),
    ...(title === undefined ? {} : { title })
  })
}

const iconName = /^[a-z0-9][a-z0-9-]{0,63}$/
const iconStyle = /^color:\s*([$a-z]+)\s*;?$/

const icon = (element: HtmlTree.Element, text: string): Inline | undefined => {
  const attributes = HtmlTree.knownAttributes(element, ["class", "style"])
  const name = attributes?.class?.startsWith("fa-") ? attributes.class.slice(3) : ""
  if (!iconName.test(name) || text !== `:${name}:`) return undefined
  if (attributes?.style === undefined) return inline("icon", { icon: name })
  const color = iconStyle.exec(attributes.style)?.[1]
  return Marks.isColor(color) ? inline("icon", { icon: name, color }) : undefined
}

/** Returns an emoji; undefined if it has no short name, by which emoji are serialized. */
const emoji = (element: HtmlTree.Element): Inline | undefined => {
  const attributes = HtmlTree.knownAttributes(element, ["data-gb-custom-inline", "data-tag", "data-code"])
  const name = attributes?.["data-tag"] === "emoji" ? Emoji.nameOfCode(attributes["data-code"] ?? "") : undefined
  const code = name === undefined ? undefined : Emoji.codeOfName(name)
  return code === undefined ? undefined : inline("emoji", { code })
}

const expression = (element: HtmlTree.Element, text: string): Inline | undefined =>
  HtmlTree.knownAttributes(element, ["class"])?.class === "expression" && text !== ""
    ? inline("expression", { expression: text })
    : undefined

const mention = (element: HtmlTree.Element, text: string, refOf: ResolveRef): Inline | undefined => {
  const attributes = HtmlTree.knownAttributes(element, ["data-mention", "href"])
  if (attributes?.["data-mention"] !== "" || attributes.href === undefined) return undefined
  return inline("mention", { ref: refOf(attributes.href, "link"), ...(text === attributes.href ? {} : { text }) })
}

const buttonAttributes = ["href", "type", "class", "data-icon", "data-action", "data-query", "data-slug"] as const

const button = (element: HtmlTree.Element, text: string, refOf: ResolveRef): Inline | undefined => {
  const attributes = HtmlTree.knownAttributes(element, buttonAttributes)
  const [first, kind, size, ...rest] = attributes?.class?.split(" ") ?? []
  if (attributes === undefined || first !== "button" || text === "" || rest.length > 0) return undefined
  if (kind !== "primary" && kind !== "secondary") return undefined
  if (size !== undefined && !["small", "medium", "large"].includes(size)) return undefined
  const target = element.name === "a" ? linkData(attributes, refOf) : actionData(attributes)
  if (target === undefined) return undefined
  return inline("button", {
    label: text,
    kind,
    ...(size === undefined ? {} : { size }),
    ...(attributes["data-icon"] === undefined ? {} : { icon: attributes["data-icon"] }),
    ...target
  })
}

type ButtonAttributes = { readonly [_ in (typeof buttonAttributes)[number]]?: string }

const linkData = (attributes: ButtonAttributes, refOf: ResolveRef): Data | undefined => {
  if (
    [attributes.type, attributes["data-action"], attributes["data-query"], attributes["data-slug"]].some(
      (one) => one !== undefined
    )
  ) {
    return undefined
  }
  return attributes.href === undefined ? {} : { ref: refOf(attributes.href, "link") }
}

const actionData = (attributes: ButtonAttributes): Data | undefined => {
  const { href, type, "data-action": action, "data-query": query, "data-slug": slug } = attributes
  if (type !== "button" || href !== undefined) return undefined
  if (action === "search" || action === "ask") {
    if (slug !== undefined) return undefined
    return { action: { action, ...(query === undefined ? {} : { query }) } }
  }
  return action === "select" && slug !== undefined && query === undefined ? { action: { action, slug } } : undefined
}

/** Returns the element of an inline; undefined if the inline is not written as an element. */
export const write = (
  { type, data = {} }: Inline,
  urlOf: (data: Data) => string,
  isInHtml: boolean
): ElementSource | undefined => {
  switch (type) {
    case "inline-image":
      return isInHtml || data.size !== undefined || data.refDark !== undefined
        ? { open: writeImage(data, urlOf, { "data-size": text(data.size), title: titleOf(data) }) }
        : undefined
    case "icon": {
      const name = text(data.icon) ?? ""
      const style = typeof data.color === "string" ? `color:${data.color};` : undefined
      return { open: HtmlTree.openTag("i", { class: `fa-${name}`, style }), text: `:${name}:`, close: "</i>" }
    }
    case "expression":
      return {
        open: HtmlTree.openTag("code", { class: "expression" }),
        text: text(data.expression) ?? "",
        close: "</code>"
      }
    case "mention":
      return isInHtml
        ? {
            open: HtmlTree.openTag("a", { "data-mention": true, href: urlOf(data) }),
            text: text(data.text) ?? urlOf(data),
            close: "</a>"
          }
        : undefined
    case "button":
      return writeButton(data, urlOf)
    default:
      return undefined
  }
}

/** Returns an image, with its variant for dark screens if it has one. */
export const writeImage = (
  data: Data,
  urlOf: (data: Data) => string,
  attributes: { readonly [name: string]: string | undefined }
): string => {
  const light = HtmlTree.openTag("img", { src: urlOf(data), alt: text(data.alt) ?? "", ...attributes })
  if (data.refDark === undefined) return light
  const dark = { srcset: urlOf({ ref: data.refDark }), media: "(prefers-color-scheme: dark)" }
  return `<picture>${HtmlTree.openTag("source", dark)}${light}</picture>`
}

const writeButton = (data: Data, urlOf: (data: Data) => string): ElementSource => {
  const action = (data.action ?? {}) as { readonly action?: unknown; readonly query?: unknown; readonly slug?: unknown }
  const appearance = {
    class: ["button", text(data.kind) ?? "primary", ...(typeof data.size === "string" ? [data.size] : [])].join(" "),
    "data-icon": text(data.icon)
  }
  const label = text(data.label) ?? ""
  return data.action === undefined
    ? {
        open: HtmlTree.openTag("a", { href: data.ref === undefined ? undefined : urlOf(data), ...appearance }),
        text: label,
        close: "</a>"
      }
    : {
        open: HtmlTree.openTag("button", {
          type: "button",
          ...appearance,
          "data-action": text(action.action),
          "data-query": text(action.query),
          "data-slug": text(action.slug)
        }),
        text: label,
        close: "</button>"
      }
}

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)
