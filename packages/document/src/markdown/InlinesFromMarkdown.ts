/**
 * Converts the text of a paragraph, heading or cell. Nested emphasis becomes leaves with marks, and a line end of the
 * source becomes a line feed in the text.
 *
 * Only text has marks. A link gets its marks from its text, and an image or a break has no marks. `ColoredParts`
 * determines the colors.
 */
import type { Data, Inline, Text } from "../Document.ts"
import * as ColoredParts from "./ColoredParts.ts"
import * as HtmlTree from "./HtmlTree.ts"
import * as InlineElements from "./InlineElements.ts"
import { InlineList, type InlineContext } from "./InlineList.ts"
import type { References } from "./LinkReferences.ts"
import * as Marks from "./Marks.ts"
import { oneLine } from "./OneLine.ts"
import * as HtmlBlock from "./syntax/HtmlBlock.ts"
import type * as Tree from "./syntax/SyntaxTree.ts"

/** Converts inlines. At the start of a line, HTML in them could be parsed as a block. */
export const read = (
  nodes: ReadonlyArray<Tree.Inline>,
  references: References,
  context?: InlineContext
): Array<Inline | Text> => {
  const list = new InlineList(context)
  new InlineReader(list, nodes, 0, references).readNodes(nodes, 0)
  const read = list.nodes()
  // A break that only a closing tag followed is now last and has no effect. Only breaks written as HTML stay.
  while (!list.isInCell && isBreak(read.at(-1))) read.pop()
  return read
}

const isBreak = (node: Inline | Text | undefined): boolean =>
  node?.object === "inline" && node.type === "hard-break" && node.data === undefined

/** Conversion of one text, with the color at the current position. */
class InlineReader {
  readonly list: InlineList
  readonly #references: References
  readonly #parts: ReadonlyMap<Tree.Inline, ColoredParts.ColoredPart>
  readonly #baseColor: number
  #color: number
  #end: Tree.Inline | undefined

  /** `baseColor`: color of the whole text. */
  constructor(list: InlineList, nodes: ReadonlyArray<Tree.Inline>, baseColor: number, references: References) {
    this.list = list
    this.#references = references
    this.#parts = ColoredParts.findColoredParts(nodes, specialNodeFinder(references))
    this.#baseColor = baseColor
    this.#color = baseColor
  }

  readNodes(nodes: ReadonlyArray<Tree.Inline>, marks: number): void {
    const list = this.list
    const references = this.#references
    for (let i = 0; i < nodes.length; i++) {
      const node = nodes[i]!
      const markSet = marks | this.#color
      switch (node.type) {
        case "text":
          list.addText(node.value, markSet)
          break
        case "strong":
          this.readNodes(node.children, marks | Marks.bold)
          break
        case "emphasis":
          this.readNodes(node.children, marks | Marks.italic)
          break
        case "delete":
          this.readNodes(node.children, marks | Marks.strikethrough)
          break
        case "inlineCode":
          list.addText(node.value.replaceAll("\n", " "), markSet | Marks.code)
          break
        case "break":
          list.inline({ object: "inline", type: "hard-break", isVoid: true })
          break
        case "html": {
          if (this.#applyColor(node)) break
          const element = elementAt(nodes, i, references)
          if (element !== undefined) {
            list.inline(element.inline)
            i = element.end
            break
          }
          // Printed without the enclosing marks, this HTML would be a block, so it becomes text.
          if (couldBeBlock(node.value, nodes[i + 1], list)) list.addText(node.value, markSet)
          else list.html(node.value, references.resolveRef)
          break
        }
        case "link": {
          const annotation = annotationAt(nodes, i, markSet, references, list)
          if (annotation !== undefined) {
            list.inline(annotation)
            i++
            break
          }
          list.inline(mention(node, references) ?? link(node, markSet, references, list))
          break
        }
        case "linkReference":
          list.inline(link(node, markSet, references, list))
          break
        case "emoji":
          list.emoji(node.value, markSet)
          break
        case "inlineMath":
          list.inline({ object: "inline", type: "inline-math", data: { formula: node.value }, isVoid: true })
          break
        case "image":
        case "imageReference":
          list.inline({ object: "inline", type: "inline-image", data: imageData(node, references), isVoid: true })
          break
        case "footnoteReference":
          list.inline({
            object: "inline",
            type: "footnote-reference",
            data: { label: node.label },
            isVoid: true
          })
          break
      }
    }
  }

  /** Applies a tag that opens or closes a colored part to the text after it. Returns false for other tags. */
  #applyColor(tag: Tree.Html): boolean {
    if (tag === this.#end) {
      this.#color = this.#baseColor
      this.#end = undefined
      return true
    }
    const part = this.#parts.get(tag)
    // The tag is not read as a color if it would start a block.
    if (part === undefined || (part.isTagAlone && this.list.start !== undefined)) return false
    this.#color = part.color
    this.#end = part.end
    return true
  }
}

type LinkNode = Extract<Tree.Inline, { type: "link" | "linkReference" }>

const link = (node: LinkNode, markSet: number, references: References, context: InlineContext): Inline => ({
  object: "inline",
  type: "link",
  data: node.type === "link" ? references.resource(node, "link") : references.reference(node, "link"),
  nodes: linkText(node.children, markSet, references, context)
})

/** Returns a mention: a link with the title `mention`, whose text only names its target. */
const mention = (node: Extract<LinkNode, { type: "link" }>, references: References): Inline | undefined => {
  if (node.title !== "mention" || node.url === "") return undefined
  const text = plainText(node.children)
  if (text === undefined || text === "" || /^\s|\s$|\n/.test(text)) return undefined
  return {
    object: "inline",
    type: "mention",
    data: { ref: references.resolveRef(node.url, "link"), ...(text === node.url ? {} : { text }) },
    isVoid: true
  }
}

/** Returns an annotation: a link to a footnote, followed by the footnote reference. */
const annotationAt = (
  nodes: ReadonlyArray<Tree.Inline>,
  i: number,
  markSet: number,
  references: References,
  context: InlineContext
): Inline | undefined => {
  const node = nodes[i]!
  const next = nodes[i + 1]
  if (node.type !== "link" || next?.type !== "footnoteReference" || !isAnnotation(node, next.label)) return undefined
  const body = references.annotationBody(next.identifier)
  if (body === undefined) return undefined
  const children = linkText(node.children, markSet, references, context)
  return {
    object: "inline",
    type: "annotation",
    data: { label: next.label },
    isVoid: false,
    nodes: children,
    fragments: [{ object: "fragment", type: "annotation-body", nodes: body }]
  }
}

/** True if a link before a footnote reference with this label forms an annotation with it. */
export const isAnnotation = (node: Extract<LinkNode, { type: "link" }>, label: string | null | undefined): boolean =>
  typeof label === "string" && node.url === `#user-content-fn-${label}` && !node.title && node.children.length > 0

/** Returns the text of the nodes; undefined if they contain other inlines. */
const plainText = (nodes: ReadonlyArray<Tree.Inline>): string | undefined => {
  let text = ""
  for (const node of nodes) {
    if (node.type !== "text") return undefined
    text += node.value
  }
  return text
}

/** Returns a function that finds elements, which have no text in the document, and links, whose text is separate. */
const specialNodeFinder =
  (references: References): ColoredParts.FindSpecial =>
  (nodes, i) => {
    const node = nodes[i]!
    if (node.type === "html") {
      const element = elementAt(nodes, i, references)
      return element === undefined ? undefined : { end: element.end, hasText: false }
    }
    if (node.type !== "link" && node.type !== "linkReference") return undefined
    const isMention = node.type === "link" && mention(node, references) !== undefined
    return { end: i, hasText: !isMention && ColoredParts.hasText(node.children, specialNodeFinder(references)) }
  }

const elementName = /^<([a-z]+)[\s>]/
const partOfPicture = /^<(?:img|source)[\s/>]/

/**
 * Returns the inline of an element, and the index of its last node. In the tree an element is a tag, text and a closing
 * tag.
 */
const elementAt = (nodes: ReadonlyArray<Tree.Inline>, i: number, { resolveRef }: References) => {
  const { value } = nodes[i] as Tree.Html
  const name = elementName.exec(value)?.[1]
  if (name === undefined || !InlineElements.isInlineElement(name)) return undefined
  let end = i
  let source = value
  let text = ""
  if (name !== "img") {
    do {
      const node = nodes[++end]
      if (node?.type === "html") source += node.value
      else if (node?.type === "text") text += node.value
      else if (node?.type === "emoji") text += `:${node.name}:`
      else return undefined
      if (node.type === "html" && node.value === `</${name}>`) break
      if (node.type === "html" && (name !== "picture" || !partOfPicture.test(node.value))) return undefined
    } while (end < nodes.length)
  }
  if (text.includes("\n") || text !== text.trim()) return undefined
  const [element] = HtmlTree.parse(oneLine(source)) ?? []
  if (element?.kind !== "element" || (name === "picture" && text.trim() !== "")) return undefined
  const inline = InlineElements.read(element, text, resolveRef)
  return inline === undefined ? undefined : { inline, end }
}

const linkText = (
  nodes: ReadonlyArray<Tree.Inline>,
  markSet: number,
  references: References,
  { isInCell }: InlineContext
) => {
  const list = new InlineList({ isInCell: isInCell === true, isInLink: true })
  new InlineReader(list, nodes, markSet & Marks.colorMask, references).readNodes(nodes, markSet & ~Marks.colorMask)
  return list.nodes()
}

const imageData = (node: Extract<Tree.Inline, { type: "image" | "imageReference" }>, references: References): Data => ({
  ...(node.type === "image" ? references.resource(node, "image") : references.reference(node, "image")),
  ...(node.alt ? { alt: node.alt } : {})
})

const couldBeBlock = (html: string, next: Tree.Inline | undefined, { start }: InlineList): boolean => {
  if (start === undefined) return false
  if (HtmlBlock.startsBlock(html)) return true
  // A tag that is the only content of a line starts no block within a paragraph.
  return start === "paragraph" && (next === undefined || (next.type === "text" && /^[ \t]*(?:\n|$)/.test(next.value)))
}
