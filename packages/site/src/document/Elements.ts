/**
 * Renders HTML elements that have no type in the vocabulary (see `HtmlNodes` of documents): nodes of the type
 * `element`, which name the element. Only the names and attributes listed here are rendered, regardless of the origin
 * of the node.
 */
import type { Block, Data, Inline } from "@lectern/document/Document"
import { attributes, type Html, html, trusted } from "../html/Html.ts"
import { textOf } from "./Nodes.ts"

const inlineNames = new Set(["abbr", "bdi", "bdo", "mark", "q", "rb", "rp", "rt", "ruby", "small", "time"])
const blockNames = new Set(["dd", "dl", "dt"])

export const isElement = ({ type }: Block | Inline): boolean => type === "element"

const element = (data: Data | undefined, names: ReadonlySet<string>, content: Html): Html => {
  const name = textOf(data?.["name"])
  if (!names.has(name)) return content
  const dir = textOf(data?.["dir"]).toLowerCase()
  const lang = textOf(data?.["lang"])
  const elementAttributes = attributes({
    title: textOf(data?.["title"]) || undefined,
    dir: dir === "ltr" || dir === "rtl" || dir === "auto" ? dir : undefined,
    lang: /^[a-z]{2,8}(?:-[a-z0-9]{1,8}){0,4}$/i.test(lang) ? lang : undefined,
    datetime: name === "time" ? textOf(data?.["datetime"]) || undefined : undefined
  })
  return html`<${trusted(name)}${elementAttributes}>${content}</${trusted(name)}>`
}

export const inlineElement = ({ data }: Inline, content: Html): Html => element(data, inlineNames, content)

export const blockElement = ({ data }: Block, content: Html): Html => element(data, blockNames, content)
