/** Clean HTML as Markdown of Lectern: code with its language, boxes as hints, expandable text, embeds. */
import { schemaVersion } from "@lectern/document/Document"
import * as BlocksFromMarkdown from "@lectern/document/markdown/BlocksFromMarkdown"
import * as Markdown from "@lectern/document/markdown/Markdown"
import * as TagLine from "@lectern/document/markdown/TagLine"
import type { Root as SyntaxRoot, TagNode as SyntaxTag } from "@lectern/document/markdown/syntax/SyntaxTree"
import type { Element, Root } from "hast"
import { type Handle, type State, toMdast } from "hast-util-to-mdast"
import type { Nodes, PhrasingContent, Root as MdastRoot, RootContent } from "mdast"
import * as Callouts from "./Callouts.ts"
import { codeOf, languageOf } from "./CodeText.ts"
import { attribute, elements, find, isElement, line } from "./Hast.ts"
import * as Phrasing from "./Phrasing.ts"
import { placeTag } from "./Places.ts"
import * as WordFootnotes from "./WordFootnotes.ts"

export const convert = (content: Root | Element): string => {
  tellLanguages(content)
  const root = toMdast(content.type === "root" ? content : { type: "root", children: [content] }, {
    handlers: {
      pre,
      div: box,
      aside: box,
      section: box,
      blockquote: box,
      details,
      dl: contents,
      dd: contents,
      dt: term,
      iframe,
      figure,
      sup: element,
      sub: element,
      kbd: element,
      [placeTag]: place,
      [WordFootnotes.referenceTag]: footnoteReference,
      [WordFootnotes.definitionTag]: footnoteDefinition,
      h1: heading,
      h2: heading,
      h3: heading,
      h4: heading,
      h5: heading,
      h6: heading
    },
    document: true
  }) as MdastRoot
  Phrasing.mend(root)
  // By way of a document, since only what is written of one is sure to be read as it was meant.
  const nodes = BlocksFromMarkdown.read(withoutPlaces(root), { nextKey: () => "" })
  return Markdown.print({ object: "document", data: { schemaVersion }, nodes })
}

type TagNode = Pick<SyntaxTag, "type" | "value">

declare module "mdast" {
  interface RootContentMap {
    tag: TagNode
  }
}

/** As a tree of Markdown: what comes from HTML stands nowhere in its text. */
const withoutPlaces = (root: MdastRoot): SyntaxRoot => {
  const open: Array<Nodes> = [root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    Object.assign(node, { from: 0, to: 0 })
    if ("children" in node) for (const child of node.children) open.push(child)
  }
  return root as unknown as SyntaxRoot
}

/** Three elements around it may tell the language. */
const near = 3

/** Notes the language of code on the code itself: what stands around it is not known any more when it is written. */
const tellLanguages = (content: Root | Element): void => {
  const open: Array<{ readonly node: Root | Element; readonly around: ReadonlyArray<Element> }> = [
    { node: content, around: [] }
  ]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node } = next
    const around = node.type === "element" ? [...next.around, node].slice(-near) : next.around
    for (const child of node.children) {
      if (child.type !== "element") continue
      if (isElement(child, "pre")) child.properties = { dataLanguage: languageOf(child, around) }
      else open.push({ node: child, around })
    }
  }
}

const pre: Handle = (_state, element) => ({
  type: "code",
  lang: attribute(element, "dataLanguage") ?? null,
  meta: null,
  value: codeOf(element)
})

const flow = (state: State, children: Element["children"]): Array<RootContent> =>
  state.toFlow(state.all({ type: "element", tagName: "div", properties: {}, children }))

const tag = (name: string, ...attributes: ReadonlyArray<readonly [name: string, value: string]>): TagNode => ({
  type: "tag",
  value: TagLine.print({ name, attributes })
})

const box: Handle = (state, element) => {
  const style = Callouts.of(element)
  if (style === undefined) {
    const children = state.toFlow(state.all(element))
    return element.tagName === "blockquote" ? { type: "blockquote", children } : children
  }
  return [
    tag("hint", ["style", style]),
    ...flow(state, Callouts.contentOf(element) as Element["children"]),
    tag("endhint")
  ]
}

const contents: Handle = (state, element) => state.toFlow(state.all(element))

/** Sets the term of a definition list as a paragraph above its explanation. */
const term: Handle = (state, element) => ({
  type: "paragraph",
  children: [{ type: "strong", children: state.all(element) as Array<PhrasingContent> }]
})

const details: Handle = (state, element) => {
  const summary = element.children.find((child) => isElement(child, "summary"))
  const rest = element.children.filter((child) => child !== summary)
  const title = escaped(summary === undefined ? "Details" : line(summary) || "Details")
  return [
    { type: "html", value: "<details>" },
    { type: "html", value: `<summary>${title}</summary>` },
    ...flow(state, rest),
    { type: "html", value: "</details>" }
  ]
}

/** An element of the line that Markdown says as HTML; one around nothing is none. */
const element: Handle = (state, { tagName, children }) => {
  const inside = state.all({ type: "element", tagName: "span", properties: {}, children }) as Array<PhrasingContent>
  if (inside.length === 0) return undefined
  return [Phrasing.html(`<${tagName}>`), ...inside, Phrasing.html(`</${tagName}>`)]
}

const labelled = (element: Element) => {
  const label = attribute(element, "dataLabel") ?? ""
  return { identifier: label, label }
}

const footnoteReference: Handle = (_state, element) => ({ type: "footnoteReference", ...labelled(element) })

const footnoteDefinition: Handle = (state, element) => ({
  type: "footnoteDefinition",
  ...labelled(element),
  children: flow(state, element.children) as Array<never>
})

const place: Handle = (_state, element) => Phrasing.html(`<a id="${attribute(element, "id")!}"></a>`)

/** Elements whose content may be a picture with a caption. */
const aroundFigures = ["article", "body", "div", "main", "section"]

/** A picture with its caption; whatever else a figure holds stands by itself, and so does one where words alone may. */
const figure: Handle = (state, figure, parent) => {
  const caption = find(figure, (element) => isElement(element, "figcaption"))
  const [image, ...others] = elements(figure).filter((element) => isElement(element, "a", "img"))
  const says = caption === undefined ? "" : line(caption)
  const isAlone = says !== "" && says === line(figure) && others.length === 0 && isElement(image, "img")
  const mayStand = parent === undefined || parent.type === "root" || isElement(parent, ...aroundFigures)
  if (!isAlone || !mayStand) return contents(state, figure, parent)
  const [src, alt] = ["src", "alt"].map((name) => escaped(attribute(image, name) ?? "").replaceAll('"', "&quot;"))
  return {
    type: "html",
    value: `<figure><img src="${src}" alt="${alt}"><figcaption><p>${escaped(says)}</p></figcaption></figure>`
  }
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

/** Makes an embed of a frame whose address is known. */
const iframe: Handle = (_state, element) => {
  const src = attribute(element, "src") ?? attribute(element, "dataSrc") ?? ""
  const url = src.startsWith("//") ? `https:${src}` : src
  if (!/^https?:/i.test(url) || !URL.canParse(url)) return undefined
  return tag("embed", ["url", new URL(url).href])
}

/** A heading keeps the name that links know it by, where its words would not give the same. */
const heading: Handle = (state, element) => {
  const children = state.all(element) as Array<PhrasingContent>
  const id = attribute(element, "id")
  const depth = Number(element.tagName[1]) as 1 | 2 | 3 | 4 | 5 | 6
  if (line(element) === "") return undefined
  if (id !== undefined && /^[\w.:-]{1,100}$/.test(id) && id !== slugOf(line(element))) {
    children.push({ type: "text", value: " " }, Phrasing.html(`<a href="#${id}" id="${id}">`), Phrasing.html("</a>"))
  }
  return { type: "heading", depth, children }
}

const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s+/g, "-")
