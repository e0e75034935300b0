/** Serializes blocks without Markdown syntax as HTML: figures, aligned text, drawings. */
import type { Block, Data, Fragment } from "../Document.ts"
import { diagramClass } from "../vocabulary/BlockTypes.ts"
import * as DocumentText from "../DocumentText.ts"
import * as HeadingDepth from "./HeadingDepth.ts"
import * as HtmlTree from "./HtmlTree.ts"
import * as InlineElements from "./InlineElements.ts"
import * as InlinesToHtml from "./InlinesToHtml.ts"
import * as Length from "./Length.ts"
import type { Writer } from "./Writer.ts"

const alignment: ReadonlyMap<unknown, string> = new Map([
  ["start", "left"],
  ["center", "center"],
  ["end", "right"]
])

/** Returns the HTML of an aligned paragraph or heading; undefined for other blocks. */
export const alignedText = (block: Block, writer: Writer): string | undefined => {
  const align = alignment.get(block.data?.align)
  if (align === undefined) return undefined
  const depth = HeadingDepth.depthOf(block)
  const name = depth === undefined ? "p" : `h${depth}`
  const id = depth !== undefined && typeof block.data?.id === "string" ? block.data.id : undefined
  return `${HtmlTree.openTag(name, { align, id })}${InlinesToHtml.write(block.nodes ?? [], writer)}</${name}>`
}

export const drawingElement = ({ data = {} }: Block, writer: Writer): string =>
  HtmlTree.openTag("img", {
    src: writer.urlOfData(data),
    alt: typeof data.alt === "string" ? data.alt : "",
    class: diagramClass
  })

/** Returns the images of a block as figures. */
export const images = (data: Data, nodes: ReadonlyArray<Block>, writer: Writer): string => {
  const figures = nodes.map((node) => figure(node, writer)).join(" ")
  const frame = {
    align: typeof data.align === "string" ? data.align : undefined,
    "data-full-width": booleanText(data.fullWidth),
    "data-with-frame": booleanText(data.withFrame)
  }
  const isFramed = Object.values(frame).some((value) => value !== undefined)
  return isFramed || nodes.length !== 1 ? `${HtmlTree.openTag("div", frame)}${figures}</div>` : figures
}

/** True if a block of images requires HTML: it is more than one image in Markdown syntax. */
export const isFigure = ({ data = {}, nodes = [] }: Block): boolean => {
  const imageBlocks = nodes.filter((image): image is Block => image.object === "block")
  const isFramed = data.align !== undefined || data.fullWidth !== undefined || data.withFrame !== undefined
  return imageBlocks.length > 1 || isFramed || !imageBlocks.every(isPlainImage)
}

/** Returns the data of an image with its caption as the title. */
export const withCaptionAsTitle = ({ data, fragments }: Block): Data | undefined => {
  const caption = captionOf(fragments)
  const title = caption && titleOf(caption)
  return title === undefined ? data : { ...data, title }
}

/** True if Markdown syntax can express an image, with the caption as its title. */
const isPlainImage = ({ data = {}, fragments }: Block): boolean => {
  if ([data.refDark, data.width, data.height, data.style].some((field) => field !== undefined)) return false
  const caption = captionOf(fragments)
  return caption === undefined || titleOf(caption) !== undefined
}

const captionOf = (fragments: Block["fragments"]): Fragment | undefined =>
  fragments?.find(({ fragment, type }) => fragment === "caption" || type === "caption")

/** Returns a caption as the title of an image; undefined if it is not one paragraph of plain text. */
const titleOf = ({ nodes }: Fragment): string | undefined => {
  const [paragraph, ...rest] = nodes
  if (paragraph?.type !== "paragraph" || rest.length > 0 || paragraph.data?.align !== undefined) return undefined
  const text = DocumentText.isPlain(paragraph.nodes ?? []) ? DocumentText.inlinesText(paragraph.nodes ?? []) : ""
  return text === "" ? undefined : text
}

const figure = ({ data = {}, fragments }: Block, writer: Writer): string => {
  const size = { width: Length.write(data.width), height: Length.write(data.height) }
  const caption = captionOf(fragments)
  const paragraphs = caption?.nodes.map((node) => `<p>${InlinesToHtml.write(node.nodes ?? [], writer)}</p>`) ?? []
  const style = typeof data.style === "string" ? data.style : undefined
  return `${HtmlTree.openTag("figure", { style })}${InlineElements.writeImage(data, writer.urlOfData, size)}<figcaption>${paragraphs.join("")}</figcaption></figure>`
}

const booleanText = (value: unknown): string | undefined => (typeof value === "boolean" ? String(value) : undefined)
