/**
 * The text of a paragraph, heading or cell: nested emphasis becomes leaves with marks, a line
 * break of the source a line feed in the text.
 *
 * Marks belong to text alone: a link has those of its text, an image or a break has none.
 */
import type { Data, Inline, Text } from "../Document.ts"
import * as HtmlTree from "./HtmlTree.ts"
import * as InlineElements from "./InlineElements.ts"
import { inlineElement, InlineList, type InlineContext } from "./InlineList.ts"
import type { References } from "./LinkReferences.ts"
import * as Marks from "./Marks.ts"
import { oneLine } from "./OneLine.ts"
import type * as Tree from "./syntax/SyntaxTree.ts"

/** Reads inlines. At the start of a line, HTML in them could be read as a block. */
export const read = (
  nodes: ReadonlyArray<Tree.Inline>,
  references: References,
  context?: InlineContext
): Array<Inline | Text> => {
  const out = new InlineList(context)
  readInto(out, nodes, 0, references)
  const read = out.nodes()
  // A tag that stood behind a break made one of it. It shows nothing, and at the end of a text there is none.
  while (!out.inCell && isBreak(read.at(-1))) read.pop()
  return read
}

const isBreak = (node: Inline | Text | undefined): boolean => node?.object === "inline" && node.type === "hard-break"

const readInto = (out: InlineList, nodes: ReadonlyArray<Tree.Inline>, set: number, references: References): void => {
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i]!
    switch (node.type) {
      case "text":
        out.text(node.value, set)
        break
      case "strong":
        readInto(out, node.children, set | Marks.bold, references)
        break
      case "emphasis":
        readInto(out, node.children, set | Marks.italic, references)
        break
      case "delete":
        readInto(out, node.children, set | Marks.strikethrough, references)
        break
      case "inlineCode":
        out.text(node.value.replaceAll("\n", " "), set | Marks.code)
        break
      case "break":
        out.inline({ object: "inline", type: "hard-break", isVoid: true })
        break
      case "html": {
        const colored = colorAt(nodes, i, out)
        if (colored !== undefined) {
          readInto(out, nodes.slice(i + 1, colored.end), (set & ~Marks.color) | colored.color, references)
          i = colored.end
          break
        }
        const element = elementAt(nodes, i, references)
        if (element !== undefined) {
          out.inline(element.inline)
          i = element.end
          break
        }
        // Without the marks around it, it would be a block: then it is text.
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
        out.inline({ object: "inline", type: "emoji", data: { code: node.value }, isVoid: true })
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

type LinkNode = Extract<Tree.Inline, { type: "link" | "linkReference" }>

const link = (node: LinkNode, set: number, references: References, context: InlineContext): Inline => ({
  object: "inline",
  type: "link",
  data: node.type === "link" ? references.resource(node, "link") : references.reference(node, "link"),
  nodes: linkText(node.children, set, references, context)
})

/** A link that only names what it leads to has the title `mention`. */
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

/** Text that is explained: a link to a footnote, and its mark. */
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

/** Tells whether a link before the mark of a footnote with this label makes an annotation of both. */
export const isAnnotation = (node: Extract<LinkNode, { type: "link" }>, label: string | null | undefined): boolean =>
  typeof label === "string" && node.url === `#user-content-fn-${label}` && !node.title && node.children.length > 0

const isText = (node: Tree.Inline): boolean => {
  switch (node.type) {
    case "text":
    case "inlineCode":
      return true
    case "strong":
    case "emphasis":
    case "delete":
      return node.children.length > 0 && node.children.every(isText)
    default:
      return false
  }
}

/** Undefined where there is anything but text and emoji. */
const plainText = (nodes: ReadonlyArray<Tree.Inline>): string | undefined => {
  let text = ""
  for (const node of nodes) {
    if (node.type !== "text") return undefined
    text += node.value
  }
  return text
}

/** End of a coloured part that starts here; undefined for one without text, or one that starts a block. */
const colorAt = (nodes: ReadonlyArray<Tree.Inline>, i: number, out: InlineList) => {
  const color = Marks.colorOfTag((nodes[i] as Tree.Html).value)
  if (color === 0) return undefined
  let end = i + 1
  while (end < nodes.length && !isMarkTag(nodes[end]!)) end++
  if ((nodes[end] as Tree.Html | undefined)?.value !== "</mark>") return undefined
  const inside = nodes.slice(i + 1, end)
  if (!inside.every(isColorable) || !inside.some(hasText)) return undefined
  const [first] = inside
  return out.start !== undefined && first?.type === "text" && /^[ \t]*\n/.test(first.value) ? undefined : { color, end }
}

const isMarkTag = (node: Tree.Inline): boolean => node.type === "html" && /^<\/?mark[\s>]/.test(node.value)

/** Tells whether a node takes a colour with it when it is written. Inlines nest 100 deep at most. */
const isColorable = (node: Tree.Inline): boolean => {
  switch (node.type) {
    case "strong":
    case "emphasis":
    case "delete":
      return node.children.length > 0 && node.children.every(isColorable)
    case "link":
      return node.title !== "mention" && node.children.every(isColorable)
    default:
      return isText(node)
  }
}

/** A link has text where something is in it. */
const hasText = (node: Tree.Inline): boolean => ("children" in node ? node.children.some(hasText) : isText(node))

const elementName = /^<([a-z]+)[\s>]/

/** An element that is an inline: a tag, text and a tag in the tree. */
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
      if (node.type === "html" && name !== "picture") return undefined
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
  readInto(out, nodes, set, references)
  return out.nodes()
}

const imageData = (node: Extract<Tree.Inline, { type: "image" | "imageReference" }>, references: References): Data => ({
  ...(node.type === "image" ? references.resource(node, "image") : references.reference(node, "image")),
  ...(node.alt ? { alt: node.alt } : {})
})

const couldBeBlock = (html: string, next: Tree.Inline | undefined, { start }: InlineList): boolean => {
  if (start === undefined) return false
  if (!inlineElement.test(html)) return true
  // A tag that is alone on a line starts no block within a paragraph.
  return start === "paragraph" && (next === undefined || (next.type === "text" && /^[ \t]*(?:\n|$)/.test(next.value)))
}
