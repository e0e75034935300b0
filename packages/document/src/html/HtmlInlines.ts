/**
 * Converts inline elements of HTML to inlines of a document. An element that has a mark or a type in the vocabulary
 * becomes that mark or type. For readers, any other allowed element becomes an inline of the type `element`, which
 * names the element. Such inlines are never stored: a result that is stored has the tags as HTML.
 */
import type { Element, ElementContent } from "hast"
import type { Block, Data, Inline, Leaf, Mark, Node, Text } from "../Document.ts"
import { mapList } from "../DocumentMapping.ts"
import * as HtmlTree from "../markdown/HtmlTree.ts"
import * as Length from "../markdown/Length.ts"
import {
  attributeValue,
  elementsOf,
  hasAttribute,
  type HtmlContext,
  type InheritedFormatting,
  isFlowContent,
  documentNodeOf
} from "./HtmlContext.ts"

/** Inline nodes of one line. */
export type Line = ReadonlyArray<Inline | Text>

const mark = (type: string): Mark => ({ object: "mark", type })

const markByElement: ReadonlyMap<string, Mark> = new Map(
  Object.entries({
    bold: "b strong",
    italic: "cite dfn em i var",
    strikethrough: "del s strike",
    underline: "ins u",
    code: "code samp tt",
    keyboard: "kbd",
    superscript: "sup",
    subscript: "sub"
  }).flatMap(([type, names]) => names.split(" ").map((name) => [name, mark(type)] as const))
)

/** Elements that become inlines of the type `element`. */
const readerElements = new Set(["abbr", "bdi", "bdo", "mark", "q", "rb", "rp", "rt", "ruby", "small", "time"])
/**
 * Elements of `readerElements` that a stored result keeps as HTML. The others are replaced by their content.
 */
const storedElements = new Set(["abbr", "bdo", "mark", "q", "rb", "rp", "rt", "ruby"])

interface InlineContext {
  readonly marks: ReadonlyArray<Mark>
  /** True inside a link, since links do not nest. */
  readonly isInLink: boolean
}

export const readLine = (nodes: ReadonlyArray<ElementContent>, context: HtmlContext): Line => {
  const { marks = [], link: data } = context.inherited ?? {}
  const line = trimLine(collapseWhiteSpace(convertNodes(nodes, { marks, isInLink: data !== undefined }, context)))
  return data === undefined || line.length === 0 ? line : [linkInline(data, line)]
}

/**
 * Returns the marks and the link for blocks in an inline element: the inherited ones, and the marks and link that the
 * element adds.
 */
export const withElementFormatting = (element: Element, context: HtmlContext): InheritedFormatting => {
  const inheritedFormatting = context.inherited ?? { marks: [] }
  const mark = markByElement.get(element.tagName)
  if (mark !== undefined) return { ...inheritedFormatting, marks: withMark(inheritedFormatting.marks, mark) }
  const data =
    element.tagName === "a" && inheritedFormatting.link === undefined ? linkData(element, context) : undefined
  return data === undefined ? inheritedFormatting : { ...inheritedFormatting, link: data }
}

const linkData = (element: Element, { resolveRef }: HtmlContext): Data | undefined => {
  const href = attributeValue(element, "href")
  const title = attributeValue(element, "title")
  return href === undefined ? undefined : { ref: resolveRef(href, "link"), ...(title !== undefined && { title }) }
}

// Trees are at most 60 levels deep, so the call stack cannot overflow.
const convertNodes = (
  nodes: ReadonlyArray<ElementContent>,
  inlineContext: InlineContext,
  context: HtmlContext
): Array<Inline | Text> => {
  const line: Array<Inline | Text> = []
  for (const node of nodes) {
    if (node.type === "text") line.push(textNode(node.value.replace(/[ \t\n\f\r]+/g, " "), inlineContext.marks))
    else if (node.type === "element") for (const one of convertElement(node, inlineContext, context)) line.push(one)
  }
  return line
}

const textNode = (text: string, marks: ReadonlyArray<Mark>): Text => ({
  object: "text",
  leaves: text === "" ? [] : [{ object: "leaf", text, marks }]
})

const convertElement = (
  element: Element,
  inlineContext: InlineContext,
  context: HtmlContext
): ReadonlyArray<Inline | Text> => {
  const node = documentNodeOf(element, context)
  if (node !== undefined)
    return node.object === "block" ? blockText(node, inlineContext) : [withInheritedMarks(node, inlineContext)]
  const { tagName: name, children } = element
  const convertChildren = (changes: Partial<InlineContext> = {}) =>
    convertNodes(children, { ...inlineContext, ...changes }, context)
  const mark = markByElement.get(name)
  if (mark !== undefined) return convertChildren({ marks: withMark(inlineContext.marks, mark) })
  switch (name) {
    case "br":
      return [{ object: "inline", type: "hard-break", isVoid: true }]
    case "wbr":
      return context.isStored === true ? [] : [textNode("\u200b", inlineContext.marks)]
    case "img":
    case "picture": {
      const image = readImage(element, context)
      return image === undefined ? [] : [inlineImage(image)]
    }
    case "input":
      return attributeValue(element, "type") === "checkbox"
        ? [textNode(hasAttribute(element, "checked") ? "☑ " : "☐ ", inlineContext.marks)]
        : []
    case "audio":
    case "video":
    case "iframe": {
      const url = mediaUrl(element)
      return url === undefined || inlineContext.isInLink
        ? convertChildren()
        : [
            linkInline({ ref: context.resolveRef(url, name === "iframe" ? "link" : "file") }, [
              textNode(url, inlineContext.marks)
            ])
          ]
    }
    case "a": {
      const data = inlineContext.isInLink ? undefined : linkData(element, context)
      if (data === undefined) return convertChildren()
      const nodes = collapseWhiteSpace(convertChildren({ isInLink: true }))
      const label = trimLine(nodes)
      if (label.length === 0) return nodes
      // White space at the ends of a link moves out of the link.
      return [edgeSpace(firstCharacter(nodes)), linkInline(data, label), edgeSpace(lastCharacter(nodes))]
    }
  }
  const nodes = convertChildren()
  if (context.isStored === true && storedElements.has(name) && nodes.length > 0) {
    return [htmlInline(openTag(element)), ...nodes, htmlInline(`</${name}>`)]
  }
  if (context.isStored !== true && readerElements.has(name) && nodes.length > 0) {
    return [{ object: "inline", type: "element", data: elementData(element), nodes: collapseWhiteSpace(nodes) }]
  }
  // Blocks in inline context become parts of the line, with spaces around them.
  return isFlowContent(element, context) && nodes.length > 0 ? [textNode(" ", []), ...nodes, textNode(" ", [])] : nodes
}

/** Returns the data of an inline of the type `element`. */
export const elementData = (element: Element): Data => ({
  name: element.tagName,
  ...Object.fromEntries(
    ["title", "dir", "lang", "datetime"].flatMap((name) => {
      const value = attributeValue(element, name)
      return value === undefined ? [] : [[name, value] as const]
    })
  )
})

/** Returns an inline of raw HTML. */
export const htmlInline = (value: string): Inline => ({
  object: "inline",
  type: "html",
  data: { html: value },
  isVoid: true
})

const openTag = (element: Element): string => {
  const { name, ...attributes } = elementData(element)
  return HtmlTree.openTag(String(name), attributes as { readonly [name: string]: string })
}

const linkInline = (data: Data, nodes: Line): Inline => ({ object: "inline", type: "link", data, nodes })

const firstCharacter = ([first]: Line): string | undefined =>
  first?.object === "text" ? first.leaves[0]?.text.slice(0, 1) : undefined

const lastCharacter = (line: Line): string | undefined => {
  const last = line.at(-1)
  return last?.object === "text" ? last.leaves.at(-1)?.text.slice(-1) : undefined
}

/** Returns a space if the character is white space, else an empty text. */
const edgeSpace = (character: string | undefined): Text => textNode(character?.trim() === "" ? " " : "", [])

const withMark = (existingMarks: ReadonlyArray<Mark>, addedMark: Mark): ReadonlyArray<Mark> =>
  existingMarks.some(({ type }) => type === addedMark.type) ? existingMarks : [...existingMarks, addedMark]

/** Returns a document node with the marks of its enclosing elements added. */
const withInheritedMarks = (node: Inline | Text, { marks, isInLink }: InlineContext): Inline | Text => {
  if (node.object === "text") {
    return marks.length === 0 ? node : { ...node, leaves: mapList(node.leaves, (leaf) => withLeafMarks(leaf, marks)) }
  }
  if (node.nodes === undefined || (marks.length === 0 && !(isInLink && node.type === "link"))) return node
  const nodes = node.nodes.map((one) => withInheritedMarks(one, { marks, isInLink }))
  return isInLink && node.type === "link"
    ? { object: "inline", type: "element", data: { name: "span" }, nodes }
    : { ...node, nodes }
}

const withLeafMarks = (leaf: Leaf, marks: ReadonlyArray<Mark>): Leaf => ({
  ...leaf,
  marks: marks.reduce(withMark, leaf.marks)
})

/** Returns the text of a block in inline context. */
const blockText = (block: Block, inlineContext: InlineContext): ReadonlyArray<Inline | Text> =>
  (block.nodes ?? []).flatMap((node) =>
    node.object === "block" ? blockText(node, inlineContext) : [withInheritedMarks(node, inlineContext)]
  )

/** Merges adjacent text nodes and collapses white space as HTML does. */
const collapseWhiteSpace = (line: ReadonlyArray<Inline | Text>): Array<Inline | Text> => {
  const result: Array<Inline | Text> = []
  let endsInSpace = false
  for (const node of line) {
    if (node.object === "inline") {
      endsInSpace = node.type === "hard-break"
      if (endsInSpace) trimEnd(result.at(-1))
      result.push(node)
      continue
    }
    for (const leaf of node.leaves) {
      const text = endsInSpace && leaf.text.startsWith(" ") ? leaf.text.slice(1) : leaf.text
      if (text === "") continue
      endsInSpace = text.endsWith(" ")
      const last = result.at(-1)
      const one = text === leaf.text ? leaf : { ...leaf, text }
      // The text node was created in this function, so it is safe to mutate.
      if (last?.object === "text" && createdTexts.has(last)) {
        const leaves = last.leaves as Array<Leaf>
        const lastLeaf = leaves.at(-1)
        if (lastLeaf !== undefined && isSameMarks(lastLeaf.marks, one.marks)) {
          leaves[leaves.length - 1] = { ...lastLeaf, text: lastLeaf.text + one.text }
        } else leaves.push(one)
      } else {
        const createdText: Text = { object: "text", leaves: [one] }
        createdTexts.add(createdText)
        result.push(createdText)
      }
    }
  }
  return result
}

/** Removes a space at the end of a text node that `collapseWhiteSpace` created. */
const trimEnd = (node: Inline | Text | undefined): void => {
  if (node?.object !== "text" || !createdTexts.has(node)) return
  const leaves = node.leaves as Array<Leaf>
  const last = leaves.pop()
  const text = last?.text.replace(/ $/, "") ?? ""
  if (last !== undefined && text !== "") leaves.push({ ...last, text })
}

const createdTexts = new WeakSet<Text>()

/** Returns true if two lists have equal marks in the same order. Marks with data are never equal. */
const isSameMarks = (one: ReadonlyArray<Mark>, other: ReadonlyArray<Mark>): boolean =>
  one.length === other.length &&
  one.every(({ type, data }, i) => type === other[i]!.type && data === undefined && other[i]!.data === undefined)

/** Returns a line without leading and trailing white space and breaks. */
const trimLine = (line: Array<Inline | Text>): Line => {
  const isEmpty = (node: Node | undefined) =>
    node?.object === "text"
      ? node.leaves.every(({ text }) => text.trim() === "")
      : node?.object === "inline" && node.type === "hard-break"
  let from = 0
  let to = line.length
  while (from < to && isEmpty(line[from])) from++
  while (to > from && isEmpty(line[to - 1])) to--
  const trimmedLine = line.slice(from, to)
  return trimmedLine.map((node, i) => {
    if (node.object !== "text" || (i > 0 && i < trimmedLine.length - 1)) return node
    const leaves = node.leaves.map((leaf, at) => {
      const start = i === 0 && at === 0 ? leaf.text.trimStart() : leaf.text
      const text = i === trimmedLine.length - 1 && at === node.leaves.length - 1 ? start.trimEnd() : start
      return text === leaf.text ? leaf : { ...leaf, text }
    })
    return { ...node, leaves: leaves.filter(({ text }) => text !== "") }
  })
}

export interface HtmlImage {
  readonly data: Data
  readonly align: string | undefined
  readonly title: string | undefined
  /** True if the picture fits in a line of text. */
  readonly isSmall: boolean
}

const maxInlineSize = 32

/** Returns the picture of an element; undefined if it is meant to be invisible. */
export const readImage = (element: Element, { resolveRef }: HtmlContext): HtmlImage | undefined => {
  const img = element.tagName === "img" ? element : elementsOf(element.children, "img").at(-1)
  if (img === undefined) return undefined
  const style = attributeValue(img, "style") ?? ""
  const src = attributeValue(img, "src")
  if (src === undefined || hasAttribute(img, "hidden") || /display:\s*none/i.test(style)) return undefined
  const [width, height] = (["width", "height"] as const).map((name) => {
    const size =
      attributeValue(img, name) ??
      style
        .split(";")
        .find((one) => one.trim().startsWith(`${name}:`))
        ?.split(":")[1]
    return size === undefined ? undefined : Length.read(size.trim())
  })
  const pixels = [width, height].flatMap((size) => {
    if (typeof size === "number") return [size]
    return size?.unit === "px" ? [size.value] : []
  })
  if (pixels.some((size) => size <= 1)) return undefined
  const darkUrl = elementsOf(element.children, "source")
    .map(darkSource)
    .find((url) => url !== undefined)
  const alt = attributeValue(img, "alt")
  return {
    data: {
      ref: resolveRef(src, "image"),
      ...(darkUrl !== undefined && { refDark: resolveRef(darkUrl, "image") }),
      ...(alt !== undefined && { alt }),
      ...(width !== undefined && { width }),
      ...(height !== undefined && { height })
    },
    align: attributeValue(img, "align")?.toLowerCase(),
    title: attributeValue(img, "title"),
    isSmall: pixels.some((size) => size <= maxInlineSize)
  }
}

const darkSource = (node: Element): string | undefined => {
  const isDark = /^\(prefers-color-scheme:\s*dark\)$/.test(attributeValue(node, "media") ?? "")
  return isDark ? attributeValue(node, "srcset")?.trim().split(/[\s,]/, 1)[0] : undefined
}

const inlineImage = ({ data, title, isSmall }: HtmlImage): Inline => {
  const { width: _, height: __, ...imageData } = data
  return {
    object: "inline",
    type: "inline-image",
    data: { ...imageData, ...(isSmall && { size: "line" }), ...(title !== undefined && { title }) },
    isVoid: true
  }
}

/** Returns the URL of a media element or `iframe`: its `src`, else the `src` of its first `source` element. */
export const mediaUrl = (element: Element): string | undefined =>
  attributeValue(element, "src") ??
  elementsOf(element.children, "source").flatMap((one) => attributeValue(one, "src") ?? [])[0]
