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
  alignOf,
  type Align,
  attribute,
  childrenOf,
  elementsOf,
  has,
  type HtmlContext,
  isElement,
  isFlow,
  nodeOf,
  textOf
} from "./HtmlContext.ts"
import * as HtmlInlines from "./HtmlInlines.ts"
import * as HtmlTable from "./HtmlTable.ts"

// Trees are at most 60 levels deep, so recursion is bounded.
export const read = (
  nodes: ReadonlyArray<ElementContent>,
  context: HtmlContext,
  align?: Align,
  /** Data of the paragraphs that lines become. Default: none. */
  own?: Data
): Array<Block> => {
  const blocks: Array<Block> = []
  let line: Array<ElementContent> = []
  const end = () => {
    for (const block of ofLine(line, context, align, own)) blocks.push(block)
    line = []
  }
  for (const node of nodes) {
    if (node.type !== "element" && node.type !== "text") continue
    if (node.type === "text" || !isFlow(node, context)) {
      line.push(node)
      continue
    }
    end()
    for (const block of ofElement(node, context, align)) blocks.push(block)
  }
  end()
  return blocks
}

const block = (type: string, { nextKey }: HtmlContext, more: Partial<Block> = {}): Block => ({
  object: "block",
  type,
  key: nextKey(),
  ...more
})

const dataOf = (align: Align, own: Data = {}): { readonly data?: Data } => {
  const data = align === undefined ? own : { align, ...own }
  return Object.keys(data).length === 0 ? {} : { data }
}

/** Returns a line as a paragraph, or as a picture if the line contains only a picture. */
const ofLine = (
  nodes: ReadonlyArray<ElementContent>,
  context: HtmlContext,
  align: Align,
  own?: Data
): ReadonlyArray<Block> => {
  const said = nodes.filter((node) => node.type !== "text" || node.value.trim() !== "")
  if (said.length === 0) return []
  const [only] = elementsOf(said, "img", "picture")
  const isLinked = context.inherited?.link !== undefined
  if (said.length === 1 && only !== undefined && !isLinked) return images(only, undefined, context, align)
  const line = HtmlInlines.read(nodes, context)
  return line.length === 0 ? [] : [block("paragraph", context, { ...dataOf(align, own), nodes: line })]
}

const images = (
  element: Element,
  caption: ReadonlyArray<Block> | undefined,
  context: HtmlContext,
  around: Align
): ReadonlyArray<Block> => {
  const image = HtmlInlines.imageOf(element, context)
  if (image === undefined) return []
  if (image.isSmall)
    return [block("paragraph", context, { ...dataOf(around), nodes: HtmlInlines.read([element], context) })]
  const own = image.align === "left" || image.align === "right" || image.align === "center" ? image.align : undefined
  const align = own ?? (around === "end" ? "right" : around)
  const titled =
    caption === undefined && image.title !== undefined
      ? [
          block("paragraph", context, {
            nodes: [{ object: "text", leaves: [{ object: "leaf", text: image.title, marks: [] }] }]
          })
        ]
      : (caption ?? [])
  const fragments: ReadonlyArray<Fragment> =
    titled.length === 0 ? [] : [{ object: "fragment", fragment: "caption", nodes: titled }]
  const picture = block("image", context, { data: image.data, isVoid: true, fragments })
  return [block("images", context, { data: align === undefined ? {} : { align }, isVoid: false, nodes: [picture] })]
}

/** Applies the alignment of an enclosing element to a Markdown block. */
const aligned = (node: Block, align: Align): Block => {
  if (align === undefined || node.data?.align !== undefined) return node
  if (node.type === "paragraph" || /^heading-\d$/.test(node.type)) return { ...node, data: { ...node.data, align } }
  return node.type === "images" ? { ...node, data: { ...node.data, align: align === "end" ? "right" : align } } : node
}

const ofElement = (element: Element, context: HtmlContext, around: Align): ReadonlyArray<Block> => {
  const node = nodeOf(element, context)
  if (node !== undefined) return node.object === "block" ? [aligned(node, around)] : []
  const { tagName: name, children } = element
  const align = alignOf(element, around)
  const within = () => read(children, context, align)
  const heading = HeadingDepth.ofElement(name)
  if (heading !== undefined) return headingOf(element, heading, context, align)
  switch (name) {
    case "hr":
      return [block("divider", context, { data: {}, isVoid: true })]
    case "ul":
    case "ol":
    case "menu":
    case "dir":
      return listOf(element, context)
    case "blockquote": {
      const nodes = within()
      return nodes.length === 0 ? [] : [block("blockquote", context, { nodes })]
    }
    // An `aside` is a note in addition to the text. It is imported as a hint, like a callout of Notion.
    case "aside": {
      const nodes = within()
      const style = attribute(element, "data-style") ?? "info"
      return nodes.length === 0 ? [] : [block("hint", context, { data: { style }, nodes })]
    }
    case "pre":
      return codeOf(element, context)
    case "table":
      return HtmlTable.read(element, context, { flow: read, align: around })
    case "details":
      return expandableOf(element, context)
    case "figure":
      return figureOf(element, context, align)
    case "dl": {
      const nodes = termsOf(children, context)
      if (context.isStored === true) return nodes
      return nodes.length === 0 ? [] : [block("element", context, { data: { name }, nodes })]
    }
    case "audio":
    case "video":
    case "iframe":
      return embedOf(element, context)
    default:
      return read(children, { ...context, inherited: HtmlInlines.inheritedOf(element, context) }, align)
  }
}

/** Elements in a heading that follow after it. */
const apart = new Set(
  "audio blockquote details dl figure hr iframe menu ol pre table ul video h1 h2 h3 h4 h5 h6".split(" ")
)

const isApart = (node: ElementContent, context: HtmlContext): boolean =>
  node.type === "element" &&
  isFlow(node, context) &&
  (apart.has(node.tagName) || nodeOf(node, context) !== undefined || node.children.some((one) => isApart(one, context)))

const headingOf = (
  element: Element,
  { type, data }: { readonly type: string; readonly data: Data },
  context: HtmlContext,
  align: Align
): ReadonlyArray<Block> => {
  // A heading holds only inline content. Blocks in the heading follow after it, unless they only wrap text.
  const isWord = (node: ElementContent) => !isApart(node, context)
  const nodes = HtmlInlines.read(element.children.filter(isWord), context)
  const below = read(
    element.children.filter((node) => !isWord(node)),
    context,
    align
  )
  if (nodes.length === 0) return below
  const id = attribute(element, "id")
  const isWritten = id !== undefined && !(context.isStored === true && isNeedless(id, type, nodes))
  const own = { ...(isWritten && { id }), ...data }
  return [block(type, context, { data: align === undefined ? own : { align, ...own }, nodes }), ...below]
}

/** Returns true if an id can't be stored, or if links with the id find the heading by its text. */
const isNeedless = (id: string, type: string, nodes: ReadonlyArray<Inline | Text>): boolean => {
  if (!/^[^\s"'<>&#]{1,100}$/.test(id)) return true
  const own = Anchors.all()({ object: "block", type, key: "" }, DocumentText.ofInlines(nodes))
  return own.id === id || own.others.includes(Anchors.fold(id))
}

const listOf = ({ tagName, properties, children }: Element, context: HtmlContext): ReadonlyArray<Block> => {
  const isOrdered = tagName === "ol"
  const items: Array<Block> = []
  let isTasks = false
  let loose: Array<ElementContent> = []
  const add = (nodes: ReadonlyArray<ElementContent>, isItem: boolean) => {
    const box = isItem && !isOrdered ? boxOf(nodes) : undefined
    const isTask = box !== undefined
    const key = context.nextKey()
    const inside = read(isTask ? without(nodes, box) : nodes, context)
    const last = items.at(-1)
    // Content between items continues the item before it.
    if (!isItem && last !== undefined && inside.length > 0) {
      items[items.length - 1] = { ...last, nodes: [...(last.nodes ?? []), ...inside] }
      return
    }
    if (inside.length === 0 && !isItem) return
    isTasks ||= isTask
    items.push({
      object: "block",
      type: "list-item",
      key,
      ...(isTask && { data: { checked: has(box, "checked") } }),
      nodes: inside.length === 0 ? [block("paragraph", context, { nodes: [] })] : inside
    })
  }
  for (const child of children) {
    if (!isElement(child, "li")) {
      loose.push(child)
      continue
    }
    add(loose, false)
    loose = []
    add(childrenOf(child), true)
  }
  add(loose, false)
  if (items.length === 0) return []
  const start = Number(properties["start"] ?? 1)
  const type = isOrdered ? "list-ordered" : isTasks ? "list-tasks" : "list-unordered"
  const data = isOrdered ? { data: { start: Number.isSafeInteger(start) && start >= 0 ? start : 1 } } : {}
  return [block(type, context, { ...data, nodes: items })]
}

/** Returns the checkbox that an item starts with, also inside a label or paragraph. */
const boxOf = (nodes: ReadonlyArray<ElementContent>): Element | undefined => {
  const first = nodes.find((node) => node.type === "element" || node.value.trim() !== "")
  if (first?.type !== "element") return undefined
  if (first.tagName === "input") return first
  return first.tagName === "label" || first.tagName === "p" ? boxOf(first.children) : undefined
}

const without = (nodes: ReadonlyArray<ElementContent>, gone: Element): ReadonlyArray<ElementContent> =>
  nodes.flatMap((node): ReadonlyArray<ElementContent> => {
    if (node === gone) return []
    return isElement(node, "label", "p")
      ? [{ ...(node as Element), children: [...without(childrenOf(node), gone)] }]
      : [node]
  })

/** Returns terms and their descriptions. Any other node in the list becomes a description of the preceding term. */
const termsOf = (children: ReadonlyArray<ElementContent>, context: HtmlContext): ReadonlyArray<Block> =>
  children.flatMap((child): ReadonlyArray<Block> => {
    if (isElement(child, "div")) return termsOf(childrenOf(child), context)
    const name = isElement(child, "dt") ? "dt" : "dd"
    const nodes = read(isElement(child, "dt", "dd") ? childrenOf(child) : [child], context)
    if (context.isStored === true) return name === "dt" ? nodes.map(HtmlTable.bold) : nodes
    return nodes.length === 0 ? [] : [block("element", context, { data: { name }, nodes })]
  })

const codeOf = (element: Element, context: HtmlContext): ReadonlyArray<Block> => {
  const text = textOf(element.children).replace(/^\n/, "").replace(/\n$/, "")
  const nodes = element.children.flatMap((child) => nodesIn(child, context))
  if (text.trim() === "") return nodes
  const named = [element, ...elementsOf(element.children, "code")].flatMap((one) => attribute(one, "class") ?? [])
  const syntax =
    /(?:^|\s)(?:highlight-source-|lang(?:uage)?-)([\w+#-]{1,40})/.exec(named.join(" "))?.[1] ??
    attribute(element, "lang")
  const key = context.nextKey()
  const data = syntax === undefined ? {} : { syntax }
  return [{ object: "block", type: "code", key, data, nodes: CodeLine.ofText(text, key) }, ...nodes]
}

/** Returns the document blocks in a part of the tree that is read as text. */
const nodesIn = (node: ElementContent, context: HtmlContext): ReadonlyArray<Block> => {
  const own = nodeOf(node, context)
  if (own !== undefined) return own.object === "block" ? [own] : []
  return node.type === "element" ? node.children.flatMap((child) => nodesIn(child, context)) : []
}

const expandableOf = (element: Element, context: HtmlContext): ReadonlyArray<Block> => {
  const [summary] = elementsOf(element.children, "summary")
  const title = HtmlInlines.read(childrenOf(summary), context)
  const body = read(
    element.children.filter((child) => child !== summary),
    context
  )
  if (title.length === 0) return body
  const fragments: ReadonlyArray<Fragment> = [
    { object: "fragment", fragment: "expandable-title", nodes: [block("paragraph", context, { nodes: title })] },
    ...(body.length === 0 ? [] : [{ object: "fragment", fragment: "expandable-body", nodes: body } as const])
  ]
  const data = has(element, "open") ? { defaultExpanded: true } : {}
  return [block("expandable", context, { data, isVoid: true, fragments })]
}

/** Returns a figure as a picture with its caption, if the figure contains nothing else. */
const figureOf = (element: Element, context: HtmlContext, align: Align): ReadonlyArray<Block> => {
  const said = element.children.filter((child) => child.type !== "text" || child.value.trim() !== "")
  const [picture, ...pictures] = elementsOf(said, "img", "picture")
  const [caption, ...captions] = elementsOf(said, "figcaption")
  const isAlone = pictures.length + captions.length === 0 && said.length === (caption === undefined ? 1 : 2)
  if (!isAlone || picture === undefined) return read(element.children, context, align)
  return images(picture, caption && read(caption.children, context), context, align)
}

const isAway = /^https?:\/\//i

/** Converts videos, audio and frames of other websites to embeds, and files of the space to file blocks. */
const embedOf = (element: Element, context: HtmlContext): ReadonlyArray<Block> => {
  const written = HtmlInlines.sourceOf(element)?.trim()
  const source = written?.startsWith("//") === true ? `https:${written}` : written
  const rest = element.tagName === "iframe" ? [] : read(element.children, context)
  if (source === undefined) return rest
  const ref = context.refOf(written!, "file")
  if (ref.kind === "file") return [block("file", context, { data: { ref }, isVoid: true })]
  const url = ref.kind === "url" && ref.url !== written ? ref.url : source
  if (!isAway.test(url)) {
    const line: ReadonlyArray<Node> = [
      {
        object: "inline",
        type: "link",
        data: { ref },
        nodes: [
          { object: "text", leaves: [{ object: "leaf", text: attribute(element, "title") ?? source, marks: [] }] }
        ]
      }
    ]
    return [block("paragraph", context, { nodes: line })]
  }
  return [block("embed", context, { data: { url }, isVoid: true })]
}
