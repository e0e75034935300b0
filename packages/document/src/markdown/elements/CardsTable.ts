/** Writes cards as a table in HTML, and finds the only picture of an element. */
import * as HtmlTree from "../HtmlTree.ts"
import { ScanBudget } from "./Braces.ts"
import * as ComponentTag from "./ComponentTag.ts"
import { textAttribute } from "./ElementTag.ts"
import { type Element, type ElementNode, isBlank, isInvisible } from "./ElementTree.ts"
import { linkUrl, pictureHtml } from "./Pictures.ts"

const noConstants: ReadonlyMap<string, string> = new Map()

/** Returns the table; undefined if the content of a card is more than paragraphs. */
export const write = (cards: ReadonlyArray<Element>): string | undefined => {
  const rows = cards.map(readCard)
  if (!rows.every((row) => row !== undefined)) return undefined
  const hasCover = rows.some(({ cover }) => cover !== undefined)
  const columns = [
    "<th></th><th></th>",
    '<th data-hidden data-card-target data-type="content-ref"></th>',
    hasCover ? '<th data-hidden data-card-cover data-type="image"></th>' : ""
  ]
  const body = rows.map(({ cover, text, title, url }) => {
    const cells = [`<td>${title === undefined ? "" : `<strong>${title}</strong>`}</td>`, `<td>${text}</td>`, cell(url)]
    return `<tr>${cells.join("")}${hasCover ? cell(cover) : ""}</tr>`
  })
  return `<table data-view="cards"><thead><tr>${columns.join("")}</tr></thead><tbody>${body.join("")}</tbody></table>`
}

const cell = (url: string | undefined): string => {
  if (url === undefined) return "<td></td>"
  return `<td>${HtmlTree.openTag("a", { href: url })}${HtmlTree.escapeText(url)}</a></td>`
}

const readCard = ({ children, open }: Element) => {
  const { tag } = open
  const title = textAttribute(tag, "title", "header", "0")
  const description = textAttribute(tag, "description", "subtitle", "footer")
  const content = paragraphsHtml(children)
  if (content === undefined || (title === undefined && content === "")) return undefined
  const cover = tag.attributes.get("img") ?? tag.attributes.get("image")
  return {
    title: title === undefined ? undefined : HtmlTree.escapeText(title),
    text: [description === undefined ? "" : HtmlTree.escapeText(description), content].filter(Boolean).join("<br>"),
    url: linkUrl(tag),
    cover: typeof cover === "string" && cover !== "" ? cover : undefined
  }
}

/** Returns lines of text as HTML; undefined if the nodes contain anything else. */
const paragraphsHtml = (nodes: ReadonlyArray<ElementNode>): string | undefined => {
  const paragraphs: Array<Array<string>> = [[]]
  for (const node of nodes) {
    if (isBlank(node)) paragraphs.push([])
    else if (isInvisible(node)) continue
    else if (node.type !== "text" || node.code !== undefined || !isPlainLine(node.lead, node.text)) return undefined
    else paragraphs.at(-1)!.push(node.text.trim())
  }
  const html = paragraphs.filter((lines) => lines.length > 0).map((lines) => inlineHtml(lines.join(" ")))
  return html.every((one) => one !== undefined) ? html.join("<br>") : undefined
}

const isPlainLine = (lead: string, text: string): boolean =>
  !/\S/.test(lead) && !/^(?:#{1,6}\s|[|]|:::|\{%|<|!\[|-{3,}|={3,})/.test(text.trim())

const inline =
  /\\([!-/:-@[-`{-~])|`([^`\n]+)`|\*\*([^*\n]+)\*\*|\*([^*\s][^*\n]*)\*|(?<![\w])_([^_\n]+)_(?!\w)|\[([^[\]\n]*)\]\(([^\s()<>]+)\)|<!--[^]*?-->/g

/** Returns a line as HTML; undefined if it contains other markup than code, emphasis and links. */
const inlineHtml = (text: string): string | undefined => {
  if (text.length > 5000) return undefined
  let html = ""
  let at = 0
  for (const match of text.matchAll(inline)) {
    const before = text.slice(at, match.index)
    if (/[<>`[\]]|!\[/.test(before)) return undefined
    html += HtmlTree.escapeText(decode(before))
    const [all, escaped, code, strong, emphasis, underlined, label, url] = match
    if (escaped !== undefined) html += HtmlTree.escapeText(escaped)
    else if (code !== undefined) html += `<code>${HtmlTree.escapeText(code)}</code>`
    else if (url !== undefined)
      html += `${HtmlTree.openTag("a", { href: url })}${HtmlTree.escapeText(decode(label!))}</a>`
    else if (strong !== undefined) html += `<strong>${HtmlTree.escapeText(decode(strong))}</strong>`
    else if ((emphasis ?? underlined) !== undefined)
      html += `<em>${HtmlTree.escapeText(decode((emphasis ?? underlined)!))}</em>`
    at = match.index + all.length
  }
  const rest = text.slice(at)
  return /[<>`[\]]/.test(rest) ? undefined : html + HtmlTree.escapeText(decode(rest))
}

const decode = (text: string): string => HtmlTree.decodeReferences(text)

const markdownImage = /^!\[([^[\]\n]*)\]\(<?([^\s()<>]+)>?(?:[ \t]+"([^"\n]*)")?\)$/

/** Returns the only picture among nodes as HTML; undefined if there is other content. */
export const onlyPicture = (nodes: ReadonlyArray<ElementNode>): string | undefined => {
  const [node, ...others] = nodes.filter((one) => !isInvisible(one))
  if (node === undefined || others.length > 0) return undefined
  if (node.type === "element") return node.open.form?.kind === "image" ? pictureHtml(node.open.tag) : undefined
  if (node.type !== "text" || node.code !== undefined || /\S/.test(node.lead)) return undefined
  const text = node.text.trim()
  const image = markdownImage.exec(text)
  if (image !== null) return HtmlTree.openTag("img", { src: image[2], alt: image[1] ?? "" })
  const tag = ComponentTag.read(text, 0, noConstants, new ScanBudget())
  return tag?.name === "img" && tag.end === text.length ? pictureHtml(tag) : undefined
}
