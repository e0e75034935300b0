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
import { attribute, elementsOf, has, type HtmlContext, type Inherited, isFlow, nodeOf } from "./HtmlContext.ts"

/** Inline nodes of one line. */
export type Line = ReadonlyArray<Inline | Text>

const mark = (type: string): Mark => ({ object: "mark", type })

const marks: ReadonlyMap<string, Mark> = new Map(
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
const told = new Set(["abbr", "bdi", "bdo", "mark", "q", "rb", "rp", "rt", "ruby", "small", "time"])
/**
 * Elements of `told` that a stored result keeps as HTML. The other elements of `told` are replaced by their content.
 */
const stored = new Set(["abbr", "bdo", "mark", "q", "rb", "rp", "rt", "ruby"])

interface Around {
  readonly marks: ReadonlyArray<Mark>
  /** True inside a link, since links do not nest. */
  readonly inLink: boolean
}

export const read = (nodes: ReadonlyArray<ElementContent>, context: HtmlContext): Line => {
  const { marks = [], link: data } = context.inherited ?? {}
  const line = trimmed(joined(lineOf(nodes, { marks, inLink: data !== undefined }, context)))
  return data === undefined || line.length === 0 ? line : [link(data, line)]
}

/**
 * Returns the marks and the link for blocks in an inline element: the inherited ones, and the marks and link that the
 * element adds.
 */
export const inheritedOf = (element: Element, context: HtmlContext): Inherited => {
  const around = context.inherited ?? { marks: [] }
  const set = marks.get(element.tagName)
  if (set !== undefined) return { ...around, marks: withMark(around.marks, set) }
  const data = element.tagName === "a" && around.link === undefined ? linkOf(element, context) : undefined
  return data === undefined ? around : { ...around, link: data }
}

const linkOf = (element: Element, { refOf }: HtmlContext): Data | undefined => {
  const href = attribute(element, "href")
  const title = attribute(element, "title")
  return href === undefined ? undefined : { ref: refOf(href, "link"), ...(title !== undefined && { title }) }
}

// Trees are at most 60 levels deep, so recursion is bounded.
const lineOf = (nodes: ReadonlyArray<ElementContent>, around: Around, context: HtmlContext): Array<Inline | Text> => {
  const line: Array<Inline | Text> = []
  for (const node of nodes) {
    if (node.type === "text") line.push(textOf(node.value.replace(/[ \t\n\f\r]+/g, " "), around.marks))
    else if (node.type === "element") for (const one of ofElement(node, around, context)) line.push(one)
  }
  return line
}

const textOf = (text: string, marks: ReadonlyArray<Mark>): Text => ({
  object: "text",
  leaves: text === "" ? [] : [{ object: "leaf", text, marks }]
})

const ofElement = (element: Element, around: Around, context: HtmlContext): ReadonlyArray<Inline | Text> => {
  const node = nodeOf(element, context)
  if (node !== undefined) return node.object === "block" ? linesOf(node, around) : [marked(node, around)]
  const { tagName: name, children } = element
  const inside = (more: Partial<Around> = {}) => lineOf(children, { ...around, ...more }, context)
  const set = marks.get(name)
  if (set !== undefined) return inside({ marks: withMark(around.marks, set) })
  switch (name) {
    case "br":
      return [{ object: "inline", type: "hard-break", isVoid: true }]
    case "wbr":
      return context.isStored === true ? [] : [textOf("\u200b", around.marks)]
    case "img":
    case "picture": {
      const image = imageOf(element, context)
      return image === undefined ? [] : [inlineImage(image)]
    }
    case "input":
      return attribute(element, "type") === "checkbox"
        ? [textOf(has(element, "checked") ? "☑ " : "☐ ", around.marks)]
        : []
    case "audio":
    case "video":
    case "iframe": {
      const url = sourceOf(element)
      return url === undefined || around.inLink
        ? inside()
        : [link({ ref: context.refOf(url, name === "iframe" ? "link" : "file") }, [textOf(url, around.marks)])]
    }
    case "a": {
      const data = around.inLink ? undefined : linkOf(element, context)
      if (data === undefined) return inside()
      const nodes = joined(inside({ inLink: true }))
      const label = trimmed(nodes)
      if (label.length === 0) return nodes
      // White space at the ends of a link moves out of the link.
      return [space(firstOf(nodes)), link(data, label), space(lastOf(nodes))]
    }
  }
  const nodes = inside()
  if (context.isStored === true && stored.has(name) && nodes.length > 0) {
    return [html(openTag(element)), ...nodes, html(`</${name}>`)]
  }
  if (context.isStored !== true && told.has(name) && nodes.length > 0) {
    return [{ object: "inline", type: "element", data: dataOf(element), nodes: joined(nodes) }]
  }
  // Blocks in inline context become parts of the line, with spaces around them.
  return isFlow(element, context) && nodes.length > 0 ? [textOf(" ", []), ...nodes, textOf(" ", [])] : nodes
}

/** Returns the data of an inline of the type `element`. */
export const dataOf = (element: Element): Data => ({
  name: element.tagName,
  ...Object.fromEntries(
    ["title", "dir", "lang", "datetime"].flatMap((name) => {
      const value = attribute(element, name)
      return value === undefined ? [] : [[name, value] as const]
    })
  )
})

/** Returns an inline of raw HTML. */
export const html = (value: string): Inline => ({ object: "inline", type: "html", data: { html: value }, isVoid: true })

const openTag = (element: Element): string => {
  const { name, ...attributes } = dataOf(element)
  return HtmlTree.tag(String(name), attributes as { readonly [name: string]: string })
}

const link = (data: Data, nodes: Line): Inline => ({ object: "inline", type: "link", data, nodes })

const firstOf = ([first]: Line): string | undefined =>
  first?.object === "text" ? first.leaves[0]?.text.slice(0, 1) : undefined

const lastOf = (line: Line): string | undefined => {
  const last = line.at(-1)
  return last?.object === "text" ? last.leaves.at(-1)?.text.slice(-1) : undefined
}

/** Returns a space if the character is white space, else an empty text. */
const space = (character: string | undefined): Text => textOf(character?.trim() === "" ? " " : "", [])

const withMark = (all: ReadonlyArray<Mark>, one: Mark): ReadonlyArray<Mark> =>
  all.some(({ type }) => type === one.type) ? all : [...all, one]

/** Returns a document node with the marks of its enclosing elements added. */
const marked = (node: Inline | Text, { marks, inLink }: Around): Inline | Text => {
  if (node.object === "text") {
    return marks.length === 0 ? node : { ...node, leaves: mapList(node.leaves, (leaf) => markedLeaf(leaf, marks)) }
  }
  if (node.nodes === undefined || (marks.length === 0 && !(inLink && node.type === "link"))) return node
  const nodes = node.nodes.map((one) => marked(one, { marks, inLink }))
  return inLink && node.type === "link"
    ? { object: "inline", type: "element", data: { name: "span" }, nodes }
    : { ...node, nodes }
}

const markedLeaf = (leaf: Leaf, marks: ReadonlyArray<Mark>): Leaf => ({
  ...leaf,
  marks: marks.reduce(withMark, leaf.marks)
})

/** Returns the text of a block in inline context. */
const linesOf = (block: Block, around: Around): ReadonlyArray<Inline | Text> =>
  (block.nodes ?? []).flatMap((node) => (node.object === "block" ? linesOf(node, around) : [marked(node, around)]))

/** Merges adjacent text nodes and collapses white space as HTML does. */
const joined = (line: ReadonlyArray<Inline | Text>): Array<Inline | Text> => {
  const out: Array<Inline | Text> = []
  let endsInSpace = false
  for (const node of line) {
    if (node.object === "inline") {
      endsInSpace = node.type === "hard-break"
      if (endsInSpace) trimEnd(out.at(-1))
      out.push(node)
      continue
    }
    for (const leaf of node.leaves) {
      const text = endsInSpace && leaf.text.startsWith(" ") ? leaf.text.slice(1) : leaf.text
      if (text === "") continue
      endsInSpace = text.endsWith(" ")
      const last = out.at(-1)
      const one = text === leaf.text ? leaf : { ...leaf, text }
      // The text node was created in this function, so it is safe to mutate.
      if (last?.object === "text" && own.has(last)) {
        const leaves = last.leaves as Array<Leaf>
        const before = leaves.at(-1)
        if (before !== undefined && isSameMarks(before.marks, one.marks)) {
          leaves[leaves.length - 1] = { ...before, text: before.text + one.text }
        } else leaves.push(one)
      } else {
        const made: Text = { object: "text", leaves: [one] }
        own.add(made)
        out.push(made)
      }
    }
  }
  return out
}

/** Removes a space at the end of a text node that `joined` created. */
const trimEnd = (node: Inline | Text | undefined): void => {
  if (node?.object !== "text" || !own.has(node)) return
  const leaves = node.leaves as Array<Leaf>
  const last = leaves.pop()
  const text = last?.text.replace(/ $/, "") ?? ""
  if (last !== undefined && text !== "") leaves.push({ ...last, text })
}

const own = new WeakSet<Text>()

/** Returns true if two lists have equal marks in the same order. Marks with data are never equal. */
const isSameMarks = (one: ReadonlyArray<Mark>, other: ReadonlyArray<Mark>): boolean =>
  one.length === other.length &&
  one.every(({ type, data }, i) => type === other[i]!.type && data === undefined && other[i]!.data === undefined)

/** Returns a line without leading and trailing white space and breaks. */
const trimmed = (line: Array<Inline | Text>): Line => {
  const isEmpty = (node: Node | undefined) =>
    node?.object === "text"
      ? node.leaves.every(({ text }) => text.trim() === "")
      : node?.object === "inline" && node.type === "hard-break"
  let from = 0
  let to = line.length
  while (from < to && isEmpty(line[from])) from++
  while (to > from && isEmpty(line[to - 1])) to--
  const kept = line.slice(from, to)
  return kept.map((node, i) => {
    if (node.object !== "text" || (i > 0 && i < kept.length - 1)) return node
    const leaves = node.leaves.map((leaf, at) => {
      const start = i === 0 && at === 0 ? leaf.text.trimStart() : leaf.text
      const text = i === kept.length - 1 && at === node.leaves.length - 1 ? start.trimEnd() : start
      return text === leaf.text ? leaf : { ...leaf, text }
    })
    return { ...node, leaves: leaves.filter(({ text }) => text !== "") }
  })
}

export interface ReadImage {
  readonly data: Data
  readonly align: string | undefined
  readonly title: string | undefined
  /** True if the picture is small enough for a line of text. */
  readonly isSmall: boolean
}

const maxLine = 32

/** Returns the picture of an element; undefined if it is meant to be invisible. */
export const imageOf = (element: Element, { refOf }: HtmlContext): ReadImage | undefined => {
  const img = element.tagName === "img" ? element : elementsOf(element.children, "img").at(-1)
  if (img === undefined) return undefined
  const style = attribute(img, "style") ?? ""
  const src = attribute(img, "src")
  if (src === undefined || has(img, "hidden") || /display:\s*none/i.test(style)) return undefined
  const [width, height] = (["width", "height"] as const).map((name) => {
    const said =
      attribute(img, name) ??
      style
        .split(";")
        .find((one) => one.trim().startsWith(`${name}:`))
        ?.split(":")[1]
    return said === undefined ? undefined : Length.read(said.trim())
  })
  const pixels = [width, height].flatMap((size) => {
    if (typeof size === "number") return [size]
    return size?.unit === "px" ? [size.value] : []
  })
  if (pixels.some((size) => size <= 1)) return undefined
  const dark = elementsOf(element.children, "source")
    .map(darkOf)
    .find((url) => url !== undefined)
  const alt = attribute(img, "alt")
  return {
    data: {
      ref: refOf(src, "image"),
      ...(dark !== undefined && { refDark: refOf(dark, "image") }),
      ...(alt !== undefined && { alt }),
      ...(width !== undefined && { width }),
      ...(height !== undefined && { height })
    },
    align: attribute(img, "align")?.toLowerCase(),
    title: attribute(img, "title"),
    isSmall: pixels.some((size) => size <= maxLine)
  }
}

const darkOf = (node: Element): string | undefined => {
  const isDark = /^\(prefers-color-scheme:\s*dark\)$/.test(attribute(node, "media") ?? "")
  return isDark ? attribute(node, "srcset")?.trim().split(/[\s,]/, 1)[0] : undefined
}

const inlineImage = ({ data, title, isSmall }: ReadImage): Inline => {
  const { width: _, height: __, ...said } = data
  return {
    object: "inline",
    type: "inline-image",
    data: { ...said, ...(isSmall && { size: "line" }), ...(title !== undefined && { title }) },
    isVoid: true
  }
}

/** Returns the URL of a media element or `iframe`: its `src`, else the `src` of its first `source` element. */
export const sourceOf = (element: Element): string | undefined =>
  attribute(element, "src") ?? elementsOf(element.children, "source").flatMap((one) => attribute(one, "src") ?? [])[0]
