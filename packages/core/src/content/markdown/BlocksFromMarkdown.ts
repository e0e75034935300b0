/** The syntax tree of Markdown as the blocks of a document. */
import type { Code, Heading, List, ListItem, Paragraph, Root, RootContent } from "mdast"
import type { Block, Data, Fragment, Inline, Text } from "../Document.ts"
import * as BlockSpacing from "./BlockSpacing.ts"
import * as HeadingId from "./HeadingId.ts"
import * as Inlines from "./InlinesFromMarkdown.ts"
import * as LinkReferences from "./LinkReferences.ts"
import * as TableFromMarkdown from "./TableFromMarkdown.ts"
import * as TagTree from "./TagTree.ts"

export interface Reader {
  readonly nextKey: () => string
  readonly references: LinkReferences.References
  /** In a footnote, whose blank lines keep or lose their indentation by chance. */
  readonly inFootnote: boolean
}

export const read = (
  root: Root,
  options: { readonly nextKey: () => string; readonly resolve?: LinkReferences.Resolve | undefined }
): Array<Block> =>
  blocks(TagTree.build(root.children, 0), 0, {
    nextKey: options.nextKey,
    references: LinkReferences.make(root, options.resolve),
    inFootnote: false
  })

const blocks = (contents: ReadonlyArray<TagTree.Content>, depth: number, reader: Reader): Array<Block> => {
  const out: Array<Block> = []
  for (const content of contents) {
    const block = content.type === "pairedTag" ? pairedTag(content, depth, reader) : nodeBlock(content, depth, reader)
    if (block !== undefined) out.push(block)
  }
  return out
}

/** The blocks of a container: tags pair up within it. */
const within = (nodes: ReadonlyArray<RootContent>, depth: number, reader: Reader): Array<Block> =>
  blocks(TagTree.build(nodes, depth + 1), depth + 1, reader)

const nodeBlock = (node: RootContent, depth: number, reader: Reader): Block | undefined => {
  switch (node.type) {
    case "paragraph":
      return paragraph(node, reader)
    case "heading":
      return heading(node, reader)
    case "thematicBreak":
      return { object: "block", type: "divider", key: reader.nextKey(), isVoid: true }
    case "blockquote":
      return withNodes("blockquote", undefined, reader, () => within(node.children, depth, reader))
    case "list":
      return list(node, depth, reader)
    case "code":
      return code(node, {}, reader)
    case "html": {
      // HTML that is not closed takes all that follows, the last line feed too.
      return htmlBlock(withoutTrailing(verbatimLines(node.value.trimStart(), reader)), reader)
    }
    case "definition":
      return {
        object: "block",
        type: "definition",
        key: reader.nextKey(),
        data: {
          label: node.label ?? node.identifier,
          ref: reader.references.refOf(node.url, "link"),
          ...(node.title ? { title: node.title } : {})
        },
        isVoid: true
      }
    case "footnoteDefinition":
      return withNodes("footnote-definition", { label: node.label ?? node.identifier }, reader, () =>
        within(node.children, depth, { ...reader, inFootnote: true })
      )
    case "table":
      return TableFromMarkdown.read(node, reader)
    case "tag":
      return { object: "block", type: "verbatim", key: reader.nextKey(), data: { markdown: node.value }, isVoid: true }
    default:
      return undefined
  }
}

// The key is taken before those of the nodes, so keys follow the order of the text.
const withNodes = (
  type: string,
  data: Data | undefined,
  { nextKey }: Reader,
  nodes: () => ReadonlyArray<Block | Inline | Text>
): Block => ({
  object: "block",
  type,
  key: nextKey(),
  ...(data === undefined ? {} : { data }),
  nodes: nodes()
})

const verbatimLines = (text: string, { inFootnote }: Reader): string =>
  inFootnote ? text.replace(/^[ \t]+$/gm, "") : text

const withoutTrailing = (text: string): string => {
  let end = text.length
  while (text.charCodeAt(end - 1) === 10) end--
  return text.slice(0, end)
}

const htmlBlock = (html: string, { nextKey }: Reader): Block => ({
  object: "block",
  type: "html",
  key: nextKey(),
  data: { html },
  isVoid: true
})

const paragraph = (node: Paragraph, reader: Reader, startsLine = true): Block => {
  const only = node.children.length === 1 ? node.children[0]! : undefined
  if (only?.type === "html" && startsLine) return htmlBlock(only.value, reader)
  const nodes = Inlines.read(node.children, reader.references, startsLine)
  const first = nodes.length === 1 ? nodes[0]! : undefined
  return first?.object === "inline" && first.type === "inline-image"
    ? withNodes("images", undefined, reader, () => [image(first, reader)])
    : withNodes("paragraph", undefined, reader, () => nodes)
}

const image = (inline: Inline, reader: Reader): Block => {
  const { title, ...data } = inline.data ?? {}
  return {
    object: "block",
    type: "image",
    key: reader.nextKey(),
    data,
    isVoid: true,
    ...(typeof title === "string" ? { fragments: [caption(title, reader)] } : {})
  }
}

const caption = (text: string, { nextKey }: Reader): Fragment => ({
  object: "fragment",
  fragment: "caption",
  nodes: [
    {
      object: "block",
      type: "paragraph",
      key: nextKey(),
      nodes: [{ object: "text", leaves: [{ object: "leaf", text, marks: [] }] }]
    }
  ]
})

const heading = (node: Heading, reader: Reader): Block => {
  const { children, id } = HeadingId.split(node.children)
  return withNodes(`heading-${node.depth}`, id === undefined ? undefined : { id }, reader, () =>
    Inlines.read(children, reader.references)
  )
}

const list = (node: List, depth: number, reader: Reader): Block => {
  const isTasks = !node.ordered && node.children.some((item) => typeof item.checked === "boolean")
  const type = node.ordered ? "list-ordered" : isTasks ? "list-tasks" : "list-unordered"
  const data: Data = {
    ...(node.ordered ? { start: node.start ?? 1 } : {}),
    ...(node.spread && node.children.length > 1 ? { loose: true } : {})
  }
  return withNodes(type, Object.keys(data).length === 0 ? undefined : data, reader, () =>
    node.children.map((item) => listItem(item, depth, reader))
  )
}

const listItem = (node: ListItem, depth: number, reader: Reader): Block => {
  const contents = TagTree.build(node.children, depth + 1)
  const data: Data = {
    ...(typeof node.checked === "boolean" ? { checked: node.checked } : {}),
    ...(BlockSpacing.isLoose(node, contents) ? { loose: true } : {})
  }
  const [first] = contents
  return withNodes("list-item", Object.keys(data).length === 0 ? undefined : data, reader, () =>
    data.checked !== undefined && first?.type === "paragraph"
      ? [paragraph(first, reader, false), ...blocks(contents.slice(1), depth + 1, reader)]
      : blocks(contents, depth + 1, reader)
  )
}

const code = (node: Code, data: Data, reader: Reader): Block =>
  withNodes(
    "code",
    { ...(node.lang ? { syntax: node.lang } : {}), ...(node.meta ? { meta: node.meta } : {}), ...data },
    reader,
    () =>
      verbatimLines(node.value, reader)
        .split("\n")
        .map((line) => codeLine(line, reader))
  )

const codeLine = (text: string, { nextKey }: Reader): Block => ({
  object: "block",
  type: "code-line",
  key: nextKey(),
  nodes: text === "" ? [] : [{ object: "text", leaves: [{ object: "leaf", text, marks: [] }] }]
})

const pairedTag = ({ tag, line, children }: TagTree.PairedTag, depth: number, reader: Reader): Block => {
  const data = tagData(tag, line, reader)
  if (tag.body.kind === "code") {
    // An empty `attributes` says that there was a tag although it said nothing.
    return code(children![0] as Code, Object.keys(data).length === 0 ? { attributes: {} } : data, reader)
  }
  const withData = Object.keys(data).length === 0 ? undefined : data
  if (tag.body.kind !== "fragment") {
    return withNodes(tag.type, withData, reader, () => blocks(children!, depth + 1, reader))
  }
  const key = reader.nextKey()
  const body = children && blocks(children, depth + 1, reader)
  return {
    object: "block",
    type: tag.type,
    key,
    data,
    isVoid: true,
    ...(body === undefined ? {} : { fragments: [{ object: "fragment", fragment: tag.body.name, nodes: body }] })
  }
}

const tagData = (tag: TagTree.PairedTag["tag"], line: TagTree.PairedTag["line"], reader: Reader): Data => {
  const data: Record<string, unknown> = {}
  const others: Array<readonly [string, string]> = []
  for (const [name, value] of line.attributes) {
    const kind = tag.attributes[name]
    if (name === tag.ref?.attribute) {
      const ref = reader.references.refOf(value, tag.ref.use)
      // The hosted service's embeds have a URL where other blocks have a reference.
      if (tag.type === "embed" && ref.kind === "url") data.url = ref.url
      else data.ref = ref
    } else if (kind === "text") data[name] = value
    else if (kind === "boolean" && (value === "true" || value === "false")) data[name] = value === "true"
    else others.push([name, value])
  }
  if (others.length > 0) data.attributes = Object.fromEntries(others)
  return data
}
