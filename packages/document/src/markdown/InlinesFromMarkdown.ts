/**
 * Converts the text of a paragraph, heading or cell. Nested emphasis becomes leaves with marks, and a line end of the
 * source becomes a line feed in the text.
 *
 * Only text has marks: a link has those of its text, and an image or a break has none. Colors are those of
 * `ColoredParts`.
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
  const out = new InlineList(context)
  new Reading(out, nodes, 0, references).into(nodes, 0)
  const read = out.nodes()
  // A break that only a closing tag followed is now last and has no effect. Only breaks written as HTML stay.
  while (!out.inCell && isBreak(read.at(-1))) read.pop()
  return read
}

const isBreak = (node: Inline | Text | undefined): boolean =>
  node?.object === "inline" && node.type === "hard-break" && node.data === undefined

/** Conversion of one text, with the color at the current position. */
class Reading {
  readonly #out: InlineList
  readonly #references: References
  readonly #parts: ReadonlyMap<Tree.Inline, ColoredParts.ColoredPart>
  readonly #around: number
  #color: number
  #end: Tree.Inline | undefined

  /** `around`: color of the whole text. */
  constructor(out: InlineList, nodes: ReadonlyArray<Tree.Inline>, around: number, references: References) {
    this.#out = out
    this.#references = references
    this.#parts = ColoredParts.find(nodes, specialAt(references))
    this.#around = around
    this.#color = around
  }

  into(nodes: ReadonlyArray<Tree.Inline>, marks: number): void {
    const out = this.#out
    const references = this.#references
    for (let i = 0; i < nodes.length; i++) {
      const node = nodes[i]!
      const set = marks | this.#color
      switch (node.type) {
        case "text":
          out.text(node.value, set)
          break
        case "strong":
          this.into(node.children, marks | Marks.bold)
          break
        case "emphasis":
          this.into(node.children, marks | Marks.italic)
          break
        case "delete":
          this.into(node.children, marks | Marks.strikethrough)
          break
        case "inlineCode":
          out.text(node.value.replaceAll("\n", " "), set | Marks.code)
          break
        case "break":
          out.inline({ object: "inline", type: "hard-break", isVoid: true })
          break
        case "html": {
          if (this.#isColor(node)) break
          const element = elementAt(nodes, i, references)
          if (element !== undefined) {
            out.inline(element.inline)
            i = element.end
            break
          }
          // Printed without the enclosing marks, this HTML would be a block, so it becomes text.
          if (couldBeBlock(node.value, nodes[i + 1], out)) out.text(node.value, set)
          else out.html(node.value, references.refOf)
          break
        }
        case "link": {
          const annotation = annotationAt(nodes, i, set, references, out)
          if (annotation !== undefined) {
            out.inline(annotation)
            i++
            break
          }
          out.inline(mention(node, references) ?? link(node, set, references, out))
          break
        }
        case "linkReference":
          out.inline(link(node, set, references, out))
          break
        case "emoji":
          out.emoji(node.value, set)
          break
        case "inlineMath":
          out.inline({ object: "inline", type: "inline-math", data: { formula: node.value }, isVoid: true })
          break
        case "image":
        case "imageReference":
          out.inline({ object: "inline", type: "inline-image", data: imageData(node, references), isVoid: true })
          break
        case "footnoteReference":
          out.inline({
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
  #isColor(tag: Tree.Html): boolean {
    if (tag === this.#end) {
      this.#color = this.#around
      this.#end = undefined
      return true
    }
    const part = this.#parts.get(tag)
    // The tag is not read as a color if it would start a block.
    if (part === undefined || (part.isTagAlone && this.#out.start !== undefined)) return false
    this.#color = part.color
    this.#end = part.end
    return true
  }
}

type LinkNode = Extract<Tree.Inline, { type: "link" | "linkReference" }>

const link = (node: LinkNode, set: number, references: References, context: InlineContext): Inline => ({
  object: "inline",
  type: "link",
  data: node.type === "link" ? references.resource(node, "link") : references.reference(node, "link"),
  nodes: linkText(node.children, set, references, context)
})

/** Returns a mention: a link with the title `mention`, whose text only names its target. */
const mention = (node: Extract<LinkNode, { type: "link" }>, references: References): Inline | undefined => {
  if (node.title !== "mention" || node.url === "") return undefined
  const text = plainText(node.children)
  if (text === undefined || text === "" || /^\s|\s$|\n/.test(text)) return undefined
  return {
    object: "inline",
    type: "mention",
    data: { ref: references.refOf(node.url, "link"), ...(text === node.url ? {} : { text }) },
    isVoid: true
  }
}

/** Returns an annotation: a link to a footnote, followed by the footnote reference. */
const annotationAt = (
  nodes: ReadonlyArray<Tree.Inline>,
  i: number,
  set: number,
  references: References,
  context: InlineContext
): Inline | undefined => {
  const node = nodes[i]!
  const next = nodes[i + 1]
  if (node.type !== "link" || next?.type !== "footnoteReference" || !isAnnotation(node, next.label)) return undefined
  const body = references.annotationBody(next.identifier)
  if (body === undefined) return undefined
  const inside = linkText(node.children, set, references, context)
  return {
    object: "inline",
    type: "annotation",
    data: { label: next.label },
    isVoid: false,
    nodes: inside,
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
const specialAt =
  (references: References): ColoredParts.SpecialAt =>
  (nodes, i) => {
    const node = nodes[i]!
    if (node.type === "html") {
      const element = elementAt(nodes, i, references)
      return element === undefined ? undefined : { end: element.end, hasText: false }
    }
    if (node.type !== "link" && node.type !== "linkReference") return undefined
    const isMention = node.type === "link" && mention(node, references) !== undefined
    return { end: i, hasText: !isMention && ColoredParts.hasText(node.children, specialAt(references)) }
  }

const elementName = /^<([a-z]+)[\s>]/
const partOfPicture = /^<(?:img|source)[\s/>]/

/**
 * Returns the inline of an element, and the index of its last node. In the tree an element is a tag, text and a closing
 * tag.
 */
const elementAt = (nodes: ReadonlyArray<Tree.Inline>, i: number, { refOf }: References) => {
  const { value } = nodes[i] as Tree.Html
  const name = elementName.exec(value)?.[1]
  if (name === undefined || !InlineElements.isKnown(name)) return undefined
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
  const inline = InlineElements.read(element, text, refOf)
  return inline === undefined ? undefined : { inline, end }
}

const linkText = (
  nodes: ReadonlyArray<Tree.Inline>,
  set: number,
  references: References,
  { inCell }: InlineContext
) => {
  const out = new InlineList({ inCell: inCell === true, inLink: true })
  new Reading(out, nodes, set & Marks.color, references).into(nodes, set & ~Marks.color)
  return out.nodes()
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
