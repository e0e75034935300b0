/** Converts the syntax tree of Markdown to the blocks of a document. */
import * as CodeLine from "../CodeLine.ts"
import type { Block, Data, Fragment, Inline, Leaf, Text } from "../Document.ts"
import * as EmptyBlock from "../EmptyBlock.ts"
import * as HtmlReferences from "../html/HtmlReferences.ts"
import * as Alert from "./Alert.ts"
import * as AnnotationLabels from "./AnnotationLabels.ts"
import * as Annotations from "./Annotations.ts"
import * as BlocksFromHtml from "./BlocksFromHtml.ts"
import * as BlockSpacing from "./BlockSpacing.ts"
import * as Details from "./Details.ts"
import * as FramedFigures from "./FramedFigures.ts"
import * as HeadingDepth from "./HeadingDepth.ts"
import * as HeadingId from "./HeadingId.ts"
import * as HighlightedCode from "./HighlightedCode.ts"
import * as Inlines from "./InlinesFromMarkdown.ts"
import * as InlinesFromHtml from "./InlinesFromHtml.ts"
import * as Length from "./Length.ts"
import * as LinkReferences from "./LinkReferences.ts"
import { collapseWhiteSpace } from "./OneLine.ts"
import { plainText } from "./syntax/PlainText.ts"
import * as TableFromMarkdown from "./TableFromMarkdown.ts"
import * as TagData from "./TagData.ts"
import type {
  Admonition,
  Code,
  Heading,
  Html,
  Image,
  ImageReference,
  List,
  ListItem,
  Paragraph,
  Tab,
  TextRange,
  Root,
  Block as SyntaxBlock
} from "./syntax/SyntaxTree.ts"
import * as TagTree from "./TagTree.ts"

export interface Reader {
  readonly nextKey: () => string
  readonly references: LinkReferences.References
  /**
   * Called with each block and its range in the text, including list items and footnotes of annotations. Not called for
   * blocks within HTML.
   */
  readonly onBlock: ((block: Block, range: TextRange) => void) | undefined
  /** The parsed text. */
  readonly source: string
  /** Footnotes of annotations, which are part of a text and not blocks. */
  readonly annotations: ReadonlySet<SyntaxBlock>
  /**
   * True in a footnote. White space on blank lines of code and HTML is dropped there, since its amount is arbitrary.
   */
  readonly isInFootnote: boolean
  /**
   * True while the body of a tag is parsed as a description, as of an OpenAPI operation. A blockquote with a marker
   * such as `[!NOTE]` then stays a blockquote and does not become a hint, since a hint is written as a tag and a
   * description cannot contain tags.
   */
  readonly isInDescription: boolean
}

interface ReadOptions {
  readonly nextKey: () => string
  readonly resolve?: LinkReferences.Resolve | undefined
  readonly located?: Reader["onBlock"]
  /** The parsed text. Default: empty, and blockquotes are not parsed as alerts. */
  readonly source?: string
}

export const read = (root: Root, options: ReadOptions): Array<Block> => {
  const { footnotes, inHtml } = Annotations.findAnnotations(root)
  if (Array.from(footnotes.keys()).every((identifier) => !inHtml.has(identifier)))
    return readWithAnnotations(root, footnotes, options)
  // HTML that stays HTML has no annotations. Their footnotes stay on the page.
  const trialBlocks = readWithAnnotations(root, footnotes, { nextKey: () => "", source: options.source ?? "" })
  const readLabels = AnnotationLabels.annotationLabels(trialBlocks)
  const isRead = (identifier: string) => !inHtml.has(identifier) || readLabels.has(identifier)
  return readWithAnnotations(root, new Map(Array.from(footnotes).filter(([identifier]) => isRead(identifier))), options)
}

const readWithAnnotations = (
  root: Root,
  annotations: Annotations.Annotations["footnotes"],
  options: ReadOptions
): Array<Block> => {
  const annotationBody = (identifier: string) => {
    const definition = annotations.get(identifier)
    if (definition === undefined) return undefined
    const { children, label } = definition
    const nodes = convertContainer(children, 0, { ...reader, isInFootnote: true })
    const footnoteBlock: Block = { object: "block", type: "footnote-definition", key: "", data: { label }, nodes }
    reader.onBlock?.(footnoteBlock, definition)
    return nodes
  }
  const footnotes = new Set<SyntaxBlock>(annotations.values())
  const reader: Reader = {
    nextKey: options.nextKey,
    onBlock: options.located,
    source: options.source ?? "",
    references: LinkReferences.createReferences(root, options.resolve, annotationBody, new Set(annotations.keys())),
    annotations: footnotes,
    isInFootnote: false,
    isInDescription: false
  }
  const nodes = footnotes.size === 0 ? root.children : root.children.filter((node) => !footnotes.has(node))
  return blocks(TagTree.buildTagTree(nodes, 0), 0, reader)
}

const blocks = (
  nodes: ReadonlyArray<TagTree.Content>,
  depth: number,
  reader: Reader,
  /** True in a list item, whose blank lines determine if it is loose. */
  isInItem = false
): Array<Block> => {
  const result: Array<Block> = []
  const contents = TagTree.limitDepth(nodes, depth)
  for (let i = 0; i < contents.length; i++) {
    const framedFigures = isInItem ? undefined : FramedFigures.framedFiguresAt(contents, i)
    const figures = framedFigures && BlocksFromHtml.read(framedFigures.html, reader)
    if (framedFigures !== undefined && figures !== undefined) {
      reader.onBlock?.(figures, framedFigures)
      result.push(figures)
      i = framedFigures.end
      continue
    }
    const content = contents[i]!
    const block = content.type === "pairedTag" ? pairedTag(content, depth, reader) : convertNode(content, depth, reader)
    if (block === undefined) continue
    reader.onBlock?.(block, content)
    result.push(block)
  }
  return result
}

/** Returns the blocks of a container. Tags are paired only within a container. */
const convertContainer = (nodes: ReadonlyArray<SyntaxBlock>, depth: number, reader: Reader): Array<Block> =>
  blocks(TagTree.buildTagTree(nodes, depth + 1), depth + 1, reader)

const convertNode = (node: SyntaxBlock, depth: number, reader: Reader): Block | undefined => {
  switch (node.type) {
    case "paragraph":
      return paragraph(node, reader)
    case "heading":
      return heading(node, reader)
    case "thematicBreak":
      return { object: "block", type: "divider", key: reader.nextKey(), data: {}, isVoid: true }
    case "math":
      return { object: "block", type: "math", key: reader.nextKey(), data: { formula: node.value }, isVoid: true }
    case "blockquote": {
      const alert = alertIn(node, depth, reader)
      const [type, data] = alert === undefined ? (["blockquote"] as const) : (["hint", { style: alert.style }] as const)
      return createBlock(type, data, reader, () => convertContainer((alert ?? node).children, depth, reader))
    }
    case "admonition":
      if (isExpandableHint(node)) return expandableHint(node, depth, reader)
      return createBlock("hint", { style: node.style }, reader, () =>
        convertContainer(withBoldTitle(node), depth, reader)
      )
    case "tabs":
      return createBlock("tabs", undefined, reader, () => node.children.map((one) => tab(one, depth + 1, reader)))
    case "list":
      return list(node, depth, reader)
    case "code":
      return code(node, {}, reader)
    case "html": {
      // Unclosed HTML includes all text after it, with the last line feed.
      const html = withoutTrailingLineFeeds(verbatimLines(node.value, reader))
      return highlightedCode(html, {}, reader) ?? BlocksFromHtml.read(html, reader) ?? htmlBlock(html, reader)
    }
    case "definition":
      return {
        object: "block",
        type: "definition",
        key: reader.nextKey(),
        data: {
          label: node.label,
          ref: reader.references.resolveRef(node.url, "link"),
          ...(node.title ? { title: node.title } : {})
        },
        isVoid: true
      }
    case "footnoteDefinition":
      if (reader.annotations.has(node)) return undefined
      return createBlock("footnote-definition", { label: node.label }, reader, () =>
        convertContainer(node.children, depth, { ...reader, isInFootnote: true })
      )
    case "table":
      return TableFromMarkdown.read(node, reader)
    case "tag":
      return { object: "block", type: "verbatim", key: reader.nextKey(), data: { markdown: node.value }, isVoid: true }
    default:
      return undefined
  }
}

/** Returns the alert of a block, if tags can enclose its content. */
const alertIn = (node: TagTree.Content, depth: number, reader: Reader): Alert.Alert | undefined => {
  if (node.type !== "blockquote" || depth >= TagTree.maxDepth || reader.isInDescription) return undefined
  const alert = Alert.read(node, reader.source)
  return alert === undefined || TagTree.containsUnpairedTag(alert.children) ? undefined : alert
}

/** Returns the blocks of a hint, with its title in bold. */
const withBoldTitle = ({ hasTitle, children }: Admonition): ReadonlyArray<SyntaxBlock> => {
  const [first, ...rest] = children
  if (!hasTitle || first?.type !== "paragraph") return children
  const { from, to } = first
  return [{ ...first, children: [{ type: "strong", from, to, children: first.children }] }, ...rest]
}

const tab = (node: Tab, depth: number, reader: Reader): Block => {
  const title = collapseWhiteSpace(plainText(node.title.children, true))
  const item = createBlock("tabs-item", title === "" ? {} : { title }, reader, () =>
    convertContainer(node.children, depth, reader)
  )
  reader.onBlock?.(item, node)
  return item
}

/** True if a hint is expandable and its title is plain text, as a summary requires. */
const isExpandableHint = ({ expandState, hasTitle, children: [first] }: Admonition): boolean =>
  expandState !== undefined &&
  (!hasTitle || (first?.type === "paragraph" && first.children.every(({ type }) => type === "text")))

const expandableHint = (
  { expandState, name = "", hasTitle, children }: Admonition,
  depth: number,
  reader: Reader
): Block => {
  const [title] = hasTitle ? children : []
  const titleNodes: ReadonlyArray<Inline | Text> =
    title?.type === "paragraph"
      ? Inlines.read(title.children, reader.references)
      : [{ object: "text", leaves: [plainLeaf(name.charAt(0).toUpperCase() + name.slice(1))] }]
  const key = reader.nextKey()
  const body = () => convertContainer(hasTitle ? children.slice(1) : children, depth, reader)
  return createExpandable(key, expandState === "open" ? { defaultExpanded: true } : {}, titleNodes, body, reader)
}

// Takes the key before those of the nodes, so that keys are in text order.
const createBlock = (
  type: string,
  data: Data | undefined,
  { nextKey }: Reader,
  nodes: () => ReadonlyArray<Block | Inline | Text>
): Block => ({
  object: "block",
  type,
  key: nextKey(),
  ...(data === undefined ? {} : { data }),
  nodes: withRequiredNodes(type, nodes(), nextKey)
})

const withRequiredNodes = (type: string, nodes: ReadonlyArray<Block | Inline | Text>, nextKey: () => string) =>
  EmptyBlock.isParagraphMissing(type, nodes) ? [EmptyBlock.emptyParagraph(nextKey())] : nodes

const verbatimLines = (text: string, { isInFootnote }: Reader): string =>
  isInFootnote ? text.replace(/^[ \t]+$/gm, "") : text

const withoutTrailingLineFeeds = (text: string): string => {
  let end = text.length
  while (text.charCodeAt(end - 1) === 10) end--
  return text.slice(0, end)
}

const htmlBlock = (html: string, { nextKey, references }: Reader): Block => ({
  object: "block",
  type: "html",
  key: nextKey(),
  data: HtmlReferences.htmlData(html, references.resolveRef),
  isVoid: true
})

const paragraph = (node: Paragraph, reader: Reader, startsLine = true): Block => {
  const onlyChild = node.children.length === 1 ? node.children[0]! : undefined
  const nodes = Inlines.read(node.children, reader.references, { startsLine })
  const first = nodes.length === 1 ? nodes[0]! : undefined
  const isElement = first?.object === "inline" && first.type !== "html"
  if (onlyChild?.type === "html" && startsLine && !isElement) return htmlBlock(onlyChild.value, reader)
  if (first?.object !== "inline" || first.type !== "inline-image" || first.data?.size !== undefined) {
    return createBlock("paragraph", undefined, reader, () => nodes)
  }
  const { title, ...imageData } = first.data ?? {}
  const data =
    onlyChild?.type === "image" || onlyChild?.type === "imageReference"
      ? { ...imageData, ...sizeOf(onlyChild) }
      : imageData
  const caption = typeof title === "string" ? [[{ object: "text" as const, leaves: [plainLeaf(title)] }]] : undefined
  const key = reader.nextKey()
  return {
    object: "block",
    type: "images",
    key,
    data: {},
    isVoid: false,
    nodes: [BlocksFromHtml.imageBlock({ data, caption }, reader)]
  }
}

/** Returns the size of an image from its attributes. */
const sizeOf = ({ attributes }: Image | ImageReference): Data => {
  const [width, height] = [attributes?.width, attributes?.height].map((value) => value && Length.read(value))
  return { ...(width && { width }), ...(height && { height }) }
}

const plainLeaf = (text: string): Leaf => ({ object: "leaf", text, marks: [] })

const heading = (node: Heading, reader: Reader): Block => {
  const { children, id = node.id } = HeadingId.split(node.children, reader.source)
  const { type, data } = HeadingDepth.read(node.depth)
  return createBlock(type, id === undefined ? data : { id, ...data }, reader, () =>
    Inlines.read(children, reader.references)
  )
}

const list = (node: List, depth: number, reader: Reader): Block => {
  const isTasks = !node.ordered && node.children.some((item) => typeof item.checked === "boolean")
  const type = node.ordered ? "list-ordered" : isTasks ? "list-tasks" : "list-unordered"
  const data: Data = {
    ...(node.ordered ? { start: node.start ?? 1 } : {}),
    ...(node.isLoose && node.children.length > 1 ? { loose: true } : {})
  }
  return createBlock(type, Object.keys(data).length === 0 ? undefined : data, reader, () =>
    node.children.map((item) => listItem(item, depth, reader))
  )
}

const listItem = (node: ListItem, depth: number, reader: Reader): Block => {
  const contents = TagTree.limitDepth(TagTree.buildTagTree(node.children, depth + 1), depth + 1)
  // An alert is printed as a tag, which makes an item loose.
  const hasAlert = contents.some((content) => alertIn(content, depth + 1, reader) !== undefined)
  const data: Data = {
    ...(typeof node.checked === "boolean" ? { checked: node.checked } : {}),
    ...(BlockSpacing.isLooseItem(node, contents) || hasAlert ? { loose: true } : {})
  }
  const [first] = contents
  const item = createBlock("list-item", Object.keys(data).length === 0 ? undefined : data, reader, () => {
    if (data.checked === undefined || first?.type !== "paragraph") return blocks(contents, depth + 1, reader, true)
    const paragraphBlock = paragraph(first, reader, false)
    // The checkbox of the item precedes the text.
    reader.onBlock?.(paragraphBlock, { from: first.children[0]?.from ?? first.from, to: first.to })
    return [paragraphBlock, ...blocks(contents.slice(1), depth + 1, reader, true)]
  })
  reader.onBlock?.(item, node)
  return item
}

const code = (node: Code, data: Data, reader: Reader): Block =>
  createBlock(
    "code",
    { ...(node.lang ? { syntax: node.lang } : {}), ...(node.meta ? { meta: node.meta } : {}), ...data },
    reader,
    () =>
      verbatimLines(node.value, reader)
        .split("\n")
        .map((text) => CodeLine.codeLine(text, reader.nextKey()))
  )

const highlightedCode = (html: string, data: Data, reader: Reader): Block | undefined => {
  const code = HighlightedCode.parse(html)
  return (
    code &&
    createBlock("code", { ...code.data, ...data }, reader, () =>
      code.lines.map(({ text, highlighted }) => CodeLine.codeLine(text, reader.nextKey(), highlighted))
    )
  )
}

const pairedTag = (content: TagTree.PairedTag, depth: number, reader: Reader): Block | undefined => {
  const { tag, line, children } = content
  const data = TagData.read(tag, line, reader.references)
  switch (tag.body.kind) {
    case "code": {
      const [only] = children as readonly [Code | Html]
      // Empty `attributes` record that a tag without attributes existed.
      const tagData = Object.keys(data).length === 0 ? { attributes: {} } : data
      return only.type === "code"
        ? code(only, tagData, reader)
        : highlightedCode(verbatimLines(only.value, reader), tagData, reader)
    }
    case "details":
      return expandable(data, children!, depth, reader)
    case "fragment": {
      const name = tag.body.name
      const key = reader.nextKey()
      const body = children && blocks(children, depth + 1, { ...reader, isInDescription: true })
      const fragments =
        body === undefined ? {} : { fragments: [{ object: "fragment", fragment: name, nodes: body }] as const }
      return { object: "block", type: tag.type, key, data, isVoid: true, ...fragments }
    }
    case "none":
      return { object: "block", type: tag.type, key: reader.nextKey(), data, isVoid: true }
    default: {
      const withData = Object.keys(data).length === 0 ? tag.data : data
      if (tag.type === "if") return condition(withData, children!, depth, reader)
      const block = createBlock(tag.type, withData, reader, () => blocks(children!, depth + 1, reader))
      // In the vocabulary columns always have `isVoid: false`.
      return tag.type === "columns" ? { ...block, isVoid: false } : block
    }
  }
}

const condition = (
  data: Data | undefined,
  children: ReadonlyArray<TagTree.Content>,
  depth: number,
  reader: Reader
): Block => {
  const elseIndex = TagTree.elseIndex(children)
  const block = createBlock("if", data, reader, () =>
    blocks(elseIndex === -1 ? children : children.slice(0, elseIndex), depth + 1, reader)
  )
  if (elseIndex === -1) return block
  const nodes = blocks(children.slice(elseIndex + 1), depth + 1, reader)
  return { ...block, fragments: [{ object: "fragment", fragment: "else", nodes }] }
}

const expandable = (
  data: Data,
  [summary, ...rest]: ReadonlyArray<TagTree.Content>,
  depth: number,
  reader: Reader
): Block => {
  const key = reader.nextKey()
  const title = InlinesFromHtml.read(Details.summaryContent(summary!)!, reader.references)!
  return createExpandable(key, data, title, () => blocks(rest, depth + 1, reader), reader)
}

const createExpandable = (
  key: string,
  data: Data,
  title: ReadonlyArray<Inline | Text>,
  body: () => ReadonlyArray<Block>,
  reader: Reader
): Block => {
  const createFragment = (name: string, nodes: ReadonlyArray<Block>): Fragment => ({
    object: "fragment",
    fragment: name,
    type: name,
    nodes
  })
  return {
    object: "block",
    type: "expandable",
    key,
    data,
    isVoid: true,
    fragments: [
      createFragment("expandable-title", [createBlock("paragraph", undefined, reader, () => title)]),
      createFragment("expandable-body", body())
    ]
  }
}
