/**
 * Parses HTML in the form that the printer writes for blocks without Markdown syntax: figures, tables with more than
 * text, aligned text, drawings. HTML with any other content stays HTML.
 */
import type { Block, Data, Fragment, Inline, Node, Text } from "../Document.ts"
import type { Reader } from "./BlocksFromMarkdown.ts"
import { diagramClass } from "../vocabulary/BlockTypes.ts"
import * as CellContent from "./CellContent.ts"
import * as HeadingDepth from "./HeadingDepth.ts"
import * as HtmlTree from "./HtmlTree.ts"
import * as ImageElement from "./ImageElement.ts"
import * as InlineElements from "./InlineElements.ts"
import * as InlinesFromHtml from "./InlinesFromHtml.ts"
import * as TableFromHtml from "./TableFromHtml.ts"

const supportedStart = /^<(?:figure|div|center|table|img|picture|p|h[1-6])[\s>]/

/** Returns the block; undefined if the HTML stays HTML. */
export const read = (html: string, reader: Reader): Block | undefined => {
  if (!supportedStart.test(html)) return undefined
  const [element, ...rest] = HtmlTree.parse(html.trimEnd()) ?? []
  if (element?.kind !== "element" || rest.length > 0) return undefined
  switch (element.name) {
    case "table":
      return TableFromHtml.read(element, reader)
    case "p":
      return images(element, HtmlTree.elementsOnly(element.children), reader) ?? alignedText(element, reader)
    case "h1":
    case "h2":
    case "h3":
    case "h4":
    case "h5":
    case "h6":
      return alignedText(element, reader)
    case "img":
    case "picture":
      return readDrawing(element, reader) ?? inlineImage(element, reader) ?? images(element, [element], reader)
    case "figure":
      return images(element, [element], reader)
    default:
      return images(element, HtmlTree.elementsOnly(element.children), reader)
  }
}

const alignment: ReadonlyMap<string | undefined, string> = new Map([
  ["left", "start"],
  ["center", "center"],
  ["right", "end"]
])

const alignedText = (element: HtmlTree.Element, reader: Reader): Block | undefined => {
  const attributes = HtmlTree.knownAttributes(element, element.name === "p" ? ["align"] : ["align", "id"])
  const align = alignment.get(attributes?.align)
  const nodes = align === undefined ? undefined : InlinesFromHtml.read(element.children, reader.references)
  if (attributes === undefined || nodes === undefined) return undefined
  // A paragraph that consists only of images stays HTML, since it would be parsed as image blocks after printing.
  if (element.name === "p" && nodes.length > 0 && nodes.every(isImage)) return undefined
  const { type, data } = HeadingDepth.headingOfElement(element.name) ?? { type: "paragraph" }
  const id = (attributes as { readonly id?: string }).id
  return {
    object: "block",
    type,
    key: reader.nextKey(),
    data: { ...(id === undefined ? {} : { id }), align, ...data },
    nodes: CellContent.trim(nodes)
  }
}

const isImage = (node: Inline | Text): boolean =>
  node.object === "inline" && (node.type === "inline-image" || node.type === "hard-break")

const readDrawing = (element: HtmlTree.Element, reader: Reader): Block | undefined => {
  const attributes = element.name === "img" ? HtmlTree.knownAttributes(element, ["src", "alt", "class"]) : undefined
  if (attributes?.src === undefined || attributes.class !== diagramClass) return undefined
  const data = {
    ref: reader.references.resolveRef(attributes.src, "image"),
    ...(attributes.alt ? { alt: attributes.alt } : {})
  }
  return { object: "block", type: "drawing", key: reader.nextKey(), data, isVoid: true }
}

/** Returns a paragraph with an inline image. An image is inline if it has a `size`. */
const inlineImage = (element: HtmlTree.Element, reader: Reader): Block | undefined => {
  const inline = InlineElements.read(element, "", reader.references.resolveRef)
  return inline === undefined || ImageElement.read(element)?.size === undefined
    ? undefined
    : { object: "block", type: "paragraph", key: reader.nextKey(), nodes: [inline] }
}

const images = (
  outer: HtmlTree.Element,
  parts: ReadonlyArray<HtmlTree.Element> | undefined,
  reader: Reader
): Block | undefined => {
  if (parts === undefined || parts.length === 0) return undefined
  const frame = frameElements.has(outer.name) ? frameData(outer) : {}
  const isFrame = frameElements.has(outer.name)
  const readImages = parts.flatMap((part) => (isFrame && part.name === "br" ? [] : [readImage(part, reader)]))
  if (frame === undefined || readImages.length === 0 || !readImages.every((one) => one !== undefined)) return undefined
  const align = frame.align ?? readImages[0]!.align
  const data = align === undefined ? frame : { ...frame, align }
  const key = reader.nextKey()
  return {
    object: "block",
    type: "images",
    key,
    data,
    isVoid: false,
    nodes: readImages.map((one) => imageBlock(one, reader))
  }
}

/** Elements that may enclose several images. */
const frameElements = new Set(["div", "p", "center"])

const frameData = (element: HtmlTree.Element): Data | undefined => {
  const attributes = HtmlTree.knownAttributes(element, ["align", "data-full-width", "data-with-frame"])
  if (attributes === undefined) return undefined
  const { "data-full-width": fullWidth, "data-with-frame": withFrame } = attributes
  const align = element.name === "center" ? "center" : attributes.align
  if (align !== undefined && !alignment.has(align)) return undefined
  if (![undefined, "true", "false"].includes(fullWidth) || ![undefined, "true", "false"].includes(withFrame)) {
    return undefined
  }
  return {
    ...(align === undefined ? {} : { align }),
    ...(fullWidth === undefined ? {} : { fullWidth: fullWidth === "true" }),
    ...(withFrame === undefined ? {} : { withFrame: withFrame === "true" })
  }
}

interface HtmlImage {
  readonly data: Data
  /** Paragraphs of the caption; undefined if the image has no caption. */
  readonly caption: ReadonlyArray<ReadonlyArray<Inline | Text>> | undefined
  /** Horizontal alignment on the page. Default: none. */
  readonly align?: string | undefined
}

const readImage = (part: HtmlTree.Element, reader: Reader): HtmlImage | undefined => {
  const figureAttributes = part.name === "figure" ? HtmlTree.knownAttributes(part, ["style"]) : {}
  const [picture, caption, ...rest] = (part.name === "figure" ? HtmlTree.elementsOnly(part.children) : [part]) ?? []
  const image = picture && ImageElement.read(picture)
  if (figureAttributes === undefined || image === undefined || rest.length > 0) return undefined
  const titleParagraphs = image.title === undefined ? [] : [[textNode(image.title)]]
  const paragraphs = caption === undefined ? titleParagraphs : readCaption(caption, reader)
  if (paragraphs === undefined) return undefined
  const { src, dark, alt, width, height, align } = image
  const { resolveRef } = reader.references
  return {
    data: {
      ref: resolveRef(src, "image"),
      ...(dark === undefined ? {} : { refDark: resolveRef(dark, "image") }),
      ...(alt === undefined ? {} : { alt }),
      ...(width === undefined ? {} : { width }),
      ...(height === undefined ? {} : { height }),
      ...figureAttributes
    },
    caption: paragraphs.length === 0 ? undefined : paragraphs,
    align
  }
}

const textNode = (text: string): Text => ({ object: "text", leaves: [{ object: "leaf", text, marks: [] }] })

const readCaption = (element: HtmlTree.Element, reader: Reader): HtmlImage["caption"] => {
  if (element.name !== "figcaption" || element.attributes.size > 0) return undefined
  const isText = element.children.some((child) => child.kind === "text" && child.source.trim() !== "")
  const isParagraphs = !isText && element.children.every((child) => child.kind === "text" || child.name === "p")
  const paragraphs = isParagraphs ? HtmlTree.elementsOnly(element.children)! : [element]
  const read = paragraphs.map((one) =>
    one.attributes.size > 0 ? undefined : InlinesFromHtml.read(one.children, reader.references)
  )
  if (!read.every((one) => one !== undefined)) return undefined
  return read.length === 1 && read[0]!.length === 0 ? [] : read
}

export const imageBlock = ({ data, caption }: HtmlImage, reader: Reader): Block => {
  const key = reader.nextKey()
  const nodes = caption?.map((inlines) => paragraph(inlines, reader))
  const fragments: ReadonlyArray<Fragment> =
    nodes === undefined ? [] : [{ object: "fragment", fragment: "caption", nodes }]
  return { object: "block", type: "image", key, data, isVoid: true, fragments }
}

const paragraph = (nodes: ReadonlyArray<Node>, { nextKey }: Reader): Block => ({
  object: "block",
  type: "paragraph",
  key: nextKey(),
  nodes
})
