/**
 * Converts HTML to blocks of a document: paragraphs, headings, lists, quotes, code, tables, pictures, embeds,
 * expandable blocks.
 *
 * HTML that has no block type in the vocabulary (description lists) becomes a block of the type `element`, which names
 * the element. Such blocks are for readers only. A stored result has paragraphs instead, with the terms in bold.
 * Elements without a meaning are replaced by their content.
 *
 * A link or mark that contains blocks is applied to the lines of the blocks. Unclosed and misplaced elements are read
 * as in browsers, and no text is lost.
 */
import type { Element, ElementContent } from "hast"
import * as Anchors from "../Anchors.ts"
import * as CodeLine from "../CodeLine.ts"
import type { Block, Data, Fragment, Inline, Node, Text } from "../Document.ts"
import * as DocumentText from "../DocumentText.ts"
import * as HeadingDepth from "../markdown/HeadingDepth.ts"
import {
  alignmentOf,
  type Align,
  attributeValue,
  childrenOf,
  elementsOf,
  hasAttribute,
  type HtmlContext,
  isElement,
  isFlowContent,
  documentNodeOf,
  textOf
} from "./HtmlContext.ts"
import * as HtmlInlines from "./HtmlInlines.ts"
import * as HtmlTable from "./HtmlTable.ts"

// Trees are at most 60 levels deep, so the call stack cannot overflow.
export const readBlocks = (
  nodes: ReadonlyArray<ElementContent>,
  context: HtmlContext,
  align?: Align,
  /** Data of the paragraphs that lines become. Default: none. */
  paragraphData?: Data
): Array<Block> => {
  const blocks: Array<Block> = []
  let line: Array<ElementContent> = []
  const flushLine = () => {
    for (const block of convertLine(line, context, align, paragraphData)) blocks.push(block)
    line = []
  }
  for (const node of nodes) {
    if (node.type !== "element" && node.type !== "text") continue
    if (node.type === "text" || !isFlowContent(node, context)) {
      line.push(node)
      continue
    }
    flushLine()
    for (const block of convertElement(node, context, align)) blocks.push(block)
  }
  flushLine()
  return blocks
}

const createBlock = (type: string, { nextKey }: HtmlContext, properties: Partial<Block> = {}): Block => ({
  object: "block",
  type,
  key: nextKey(),
  ...properties
})

const dataOf = (align: Align, ownData: Data = {}): { readonly data?: Data } => {
  const data = align === undefined ? ownData : { align, ...ownData }
  return Object.keys(data).length === 0 ? {} : { data }
}

/** Returns a line as a paragraph, or as a picture if the line contains only a picture. */
const convertLine = (
  nodes: ReadonlyArray<ElementContent>,
  context: HtmlContext,
  align: Align,
  paragraphData?: Data
): ReadonlyArray<Block> => {
  const visibleNodes = nodes.filter((node) => node.type !== "text" || node.value.trim() !== "")
  if (visibleNodes.length === 0) return []
  const [onlyPicture] = elementsOf(visibleNodes, "img", "picture")
  const isLinked = context.inherited?.link !== undefined
  if (visibleNodes.length === 1 && onlyPicture !== undefined && !isLinked)
    return imagesBlock(onlyPicture, undefined, context, align)
  const line = HtmlInlines.readLine(nodes, context)
  return line.length === 0 ? [] : [createBlock("paragraph", context, { ...dataOf(align, paragraphData), nodes: line })]
}

const imagesBlock = (
  element: Element,
  caption: ReadonlyArray<Block> | undefined,
  context: HtmlContext,
  inheritedAlign: Align
): ReadonlyArray<Block> => {
  const image = HtmlInlines.readImage(element, context)
  if (image === undefined) return []
  if (image.isSmall)
    return [
      createBlock("paragraph", context, { ...dataOf(inheritedAlign), nodes: HtmlInlines.readLine([element], context) })
    ]
  const ownAlign =
    image.align === "left" || image.align === "right" || image.align === "center" ? image.align : undefined
  const align = ownAlign ?? (inheritedAlign === "end" ? "right" : inheritedAlign)
  const captionBlocks =
    caption === undefined && image.title !== undefined
      ? [
          createBlock("paragraph", context, {
            nodes: [{ object: "text", leaves: [{ object: "leaf", text: image.title, marks: [] }] }]
          })
        ]
      : (caption ?? [])
  const fragments: ReadonlyArray<Fragment> =
    captionBlocks.length === 0 ? [] : [{ object: "fragment", fragment: "caption", nodes: captionBlocks }]
  const picture = createBlock("image", context, { data: image.data, isVoid: true, fragments })
  return [
    createBlock("images", context, { data: align === undefined ? {} : { align }, isVoid: false, nodes: [picture] })
  ]
}

/** Applies the alignment of an enclosing element to a Markdown block. */
const withAlignment = (node: Block, align: Align): Block => {
  if (align === undefined || node.data?.align !== undefined) return node
  if (node.type === "paragraph" || /^heading-\d$/.test(node.type)) return { ...node, data: { ...node.data, align } }
  return node.type === "images" ? { ...node, data: { ...node.data, align: align === "end" ? "right" : align } } : node
}

const convertElement = (element: Element, context: HtmlContext, inheritedAlign: Align): ReadonlyArray<Block> => {
  const node = documentNodeOf(element, context)
  if (node !== undefined) return node.object === "block" ? [withAlignment(node, inheritedAlign)] : []
  const { tagName: name, children } = element
  const align = alignmentOf(element, inheritedAlign)
  const readChildren = () => readBlocks(children, context, align)
  const heading = HeadingDepth.headingOfElement(name)
  if (heading !== undefined) return headingBlocks(element, heading, context, align)
  switch (name) {
    case "hr":
      return [createBlock("divider", context, { data: {}, isVoid: true })]
    case "ul":
    case "ol":
    case "menu":
    case "dir":
      return listBlocks(element, context)
    case "blockquote": {
      const nodes = readChildren()
      return nodes.length === 0 ? [] : [createBlock("blockquote", context, { nodes })]
    }
    // An `aside` is a note in addition to the text. It is imported as a hint, like a callout of Notion.
    case "aside": {
      const nodes = readChildren()
      const style = attributeValue(element, "data-style") ?? "info"
      return nodes.length === 0 ? [] : [createBlock("hint", context, { data: { style }, nodes })]
    }
    case "pre":
      return codeBlocks(element, context)
    case "table":
      return HtmlTable.readTable(element, context, { readBlocks, align: inheritedAlign })
    case "details":
      return expandableBlocks(element, context)
    case "figure":
      return figureBlocks(element, context, align)
    case "dl": {
      const nodes = descriptionListBlocks(children, context)
      if (context.isStored === true) return nodes
      return nodes.length === 0 ? [] : [createBlock("element", context, { data: { name }, nodes })]
    }
    case "audio":
    case "video":
    case "iframe":
      return embedBlocks(element, context)
    default:
      return readBlocks(children, { ...context, inherited: HtmlInlines.withElementFormatting(element, context) }, align)
  }
}

/** Elements in a heading that follow after it. */
const separateElements = new Set(
  "audio blockquote details dl figure hr iframe menu ol pre table ul video h1 h2 h3 h4 h5 h6".split(" ")
)

const containsSeparate = (node: ElementContent, context: HtmlContext): boolean =>
  node.type === "element" &&
  isFlowContent(node, context) &&
  (separateElements.has(node.tagName) ||
    documentNodeOf(node, context) !== undefined ||
    node.children.some((one) => containsSeparate(one, context)))

const headingBlocks = (
  element: Element,
  { type, data }: { readonly type: string; readonly data: Data },
  context: HtmlContext,
  align: Align
): ReadonlyArray<Block> => {
  // A heading holds only inline content. Blocks in the heading follow after it, unless they only wrap text.
  const isInlineContent = (node: ElementContent) => !containsSeparate(node, context)
  const nodes = HtmlInlines.readLine(element.children.filter(isInlineContent), context)
  const followingBlocks = readBlocks(
    element.children.filter((node) => !isInlineContent(node)),
    context,
    align
  )
  if (nodes.length === 0) return followingBlocks
  const id = attributeValue(element, "id")
  const hasId = id !== undefined && !(context.isStored === true && isRedundantId(id, type, nodes))
  const headingData = { ...(hasId && { id }), ...data }
  return [
    createBlock(type, context, { data: align === undefined ? headingData : { align, ...headingData }, nodes }),
    ...followingBlocks
  ]
}

/** Returns true if an id can't be stored, or if links with the id find the heading by its text. */
const isRedundantId = (id: string, type: string, nodes: ReadonlyArray<Inline | Text>): boolean => {
  if (!/^[^\s"'<>&#]{1,100}$/.test(id)) return true
  const anchor = Anchors.anchorAssigner()({ object: "block", type, key: "" }, DocumentText.inlinesText(nodes))
  return anchor.id === id || anchor.aliases.includes(Anchors.normalizeFragment(id))
}

const listBlocks = ({ tagName, properties, children }: Element, context: HtmlContext): ReadonlyArray<Block> => {
  const isOrdered = tagName === "ol"
  const items: Array<Block> = []
  let isTasks = false
  let nodesBetweenItems: Array<ElementContent> = []
  const addItem = (nodes: ReadonlyArray<ElementContent>, isItem: boolean) => {
    const checkbox = isItem && !isOrdered ? findCheckbox(nodes) : undefined
    const isTask = checkbox !== undefined
    const key = context.nextKey()
    const itemBlocks = readBlocks(isTask ? withoutElement(nodes, checkbox) : nodes, context)
    const lastItem = items.at(-1)
    // Content between items continues the item before it.
    if (!isItem && lastItem !== undefined && itemBlocks.length > 0) {
      items[items.length - 1] = { ...lastItem, nodes: [...(lastItem.nodes ?? []), ...itemBlocks] }
      return
    }
    if (itemBlocks.length === 0 && !isItem) return
    isTasks ||= isTask
    items.push({
      object: "block",
      type: "list-item",
      key,
      ...(isTask && { data: { checked: hasAttribute(checkbox, "checked") } }),
      nodes: itemBlocks.length === 0 ? [createBlock("paragraph", context, { nodes: [] })] : itemBlocks
    })
  }
  for (const child of children) {
    if (!isElement(child, "li")) {
      nodesBetweenItems.push(child)
      continue
    }
    addItem(nodesBetweenItems, false)
    nodesBetweenItems = []
    addItem(childrenOf(child), true)
  }
  addItem(nodesBetweenItems, false)
  if (items.length === 0) return []
  const start = Number(properties["start"] ?? 1)
  const type = isOrdered ? "list-ordered" : isTasks ? "list-tasks" : "list-unordered"
  const data = isOrdered ? { data: { start: Number.isSafeInteger(start) && start >= 0 ? start : 1 } } : {}
  return [createBlock(type, context, { ...data, nodes: items })]
}

/** Returns the checkbox that an item starts with, also inside a label or paragraph. */
const findCheckbox = (nodes: ReadonlyArray<ElementContent>): Element | undefined => {
  const first = nodes.find((node) => node.type === "element" || node.value.trim() !== "")
  if (first?.type !== "element") return undefined
  if (first.tagName === "input") return first
  return first.tagName === "label" || first.tagName === "p" ? findCheckbox(first.children) : undefined
}

const withoutElement = (nodes: ReadonlyArray<ElementContent>, removedElement: Element): ReadonlyArray<ElementContent> =>
  nodes.flatMap((node): ReadonlyArray<ElementContent> => {
    if (node === removedElement) return []
    return isElement(node, "label", "p")
      ? [{ ...(node as Element), children: [...withoutElement(childrenOf(node), removedElement)] }]
      : [node]
  })

/** Returns terms and their descriptions. Any other node in the list becomes a description of the preceding term. */
const descriptionListBlocks = (children: ReadonlyArray<ElementContent>, context: HtmlContext): ReadonlyArray<Block> =>
  children.flatMap((child): ReadonlyArray<Block> => {
    if (isElement(child, "div")) return descriptionListBlocks(childrenOf(child), context)
    const name = isElement(child, "dt") ? "dt" : "dd"
    const nodes = readBlocks(isElement(child, "dt", "dd") ? childrenOf(child) : [child], context)
    if (context.isStored === true) return name === "dt" ? nodes.map(HtmlTable.toBold) : nodes
    return nodes.length === 0 ? [] : [createBlock("element", context, { data: { name }, nodes })]
  })

const codeBlocks = (element: Element, context: HtmlContext): ReadonlyArray<Block> => {
  const text = textOf(element.children).replace(/^\n/, "").replace(/\n$/, "")
  const nodes = element.children.flatMap((child) => documentBlocksIn(child, context))
  if (text.trim() === "") return nodes
  const classNames = [element, ...elementsOf(element.children, "code")].flatMap(
    (one) => attributeValue(one, "class") ?? []
  )
  const syntax =
    /(?:^|\s)(?:highlight-source-|lang(?:uage)?-)([\w+#-]{1,40})/.exec(classNames.join(" "))?.[1] ??
    attributeValue(element, "lang")
  const key = context.nextKey()
  const data = syntax === undefined ? {} : { syntax }
  return [{ object: "block", type: "code", key, data, nodes: CodeLine.codeLines(text, key) }, ...nodes]
}

/** Returns the document blocks in a part of the tree that is read as text. */
const documentBlocksIn = (node: ElementContent, context: HtmlContext): ReadonlyArray<Block> => {
  const own = documentNodeOf(node, context)
  if (own !== undefined) return own.object === "block" ? [own] : []
  return node.type === "element" ? node.children.flatMap((child) => documentBlocksIn(child, context)) : []
}

const expandableBlocks = (element: Element, context: HtmlContext): ReadonlyArray<Block> => {
  const [summary] = elementsOf(element.children, "summary")
  const title = HtmlInlines.readLine(childrenOf(summary), context)
  const body = readBlocks(
    element.children.filter((child) => child !== summary),
    context
  )
  if (title.length === 0) return body
  const fragments: ReadonlyArray<Fragment> = [
    { object: "fragment", fragment: "expandable-title", nodes: [createBlock("paragraph", context, { nodes: title })] },
    ...(body.length === 0 ? [] : [{ object: "fragment", fragment: "expandable-body", nodes: body } as const])
  ]
  const data = hasAttribute(element, "open") ? { defaultExpanded: true } : {}
  return [createBlock("expandable", context, { data, isVoid: true, fragments })]
}

/** Returns a figure as a picture with its caption, if the figure contains nothing else. */
const figureBlocks = (element: Element, context: HtmlContext, align: Align): ReadonlyArray<Block> => {
  const visibleChildren = element.children.filter((child) => child.type !== "text" || child.value.trim() !== "")
  const [picture, ...pictures] = elementsOf(visibleChildren, "img", "picture")
  const [caption, ...captions] = elementsOf(visibleChildren, "figcaption")
  const hasOnlyPicture =
    pictures.length + captions.length === 0 && visibleChildren.length === (caption === undefined ? 1 : 2)
  if (!hasOnlyPicture || picture === undefined) return readBlocks(element.children, context, align)
  return imagesBlock(picture, caption && readBlocks(caption.children, context), context, align)
}

const absoluteHttpUrl = /^https?:\/\//i

/** Converts videos, audio and frames of other websites to embeds, and files of the space to file blocks. */
const embedBlocks = (element: Element, context: HtmlContext): ReadonlyArray<Block> => {
  const sourceUrl = HtmlInlines.mediaUrl(element)?.trim()
  const source = sourceUrl?.startsWith("//") === true ? `https:${sourceUrl}` : sourceUrl
  const contentBlocks = element.tagName === "iframe" ? [] : readBlocks(element.children, context)
  if (source === undefined) return contentBlocks
  const ref = context.resolveRef(sourceUrl!, "file")
  if (ref.kind === "file") return [createBlock("file", context, { data: { ref }, isVoid: true })]
  const url = ref.kind === "url" && ref.url !== sourceUrl ? ref.url : source
  if (!absoluteHttpUrl.test(url)) {
    const line: ReadonlyArray<Node> = [
      {
        object: "inline",
        type: "link",
        data: { ref },
        nodes: [
          { object: "text", leaves: [{ object: "leaf", text: attributeValue(element, "title") ?? source, marks: [] }] }
        ]
      }
    ]
    return [createBlock("paragraph", context, { nodes: line })]
  }
  return [createBlock("embed", context, { data: { url }, isVoid: true })]
}
