/**
 * The one list of what is let through of HTML that people write: elements and attributes, by names. Scripts, frames,
 * forms, styles, classes, handlers and addresses that a browser would run are not on it. An element that is not on
 * the list goes, what is in it stays; elements without text go with all that is in them (see `HtmlElements`).
 *
 * The list is that of GitHub for Markdown, and the rest of the elements that only say something about words.
 */
import type { Root } from "hast"
import { defaultSchema, sanitize, type Schema } from "hast-util-sanitize"
import * as HtmlElements from "./HtmlElements.ts"
import { nodeElement } from "./HtmlStream.ts"

const more = [
  ..."abbr address article aside audio bdi bdo caption center cite dfn fieldset figcaption figure footer header".split(
    " "
  ),
  ..."hgroup iframe legend main mark nav rb small tbody time track u video wbr".split(" ")
]

const align = ["align"]

const schema: Schema = {
  ...defaultSchema,
  tagNames: [...(defaultSchema.tagNames ?? []), ...more, nodeElement],
  attributes: {
    "*": ["title", "dir", "lang", "id"],
    [nodeElement]: ["index"],
    a: ["href", "name"],
    // The style tells the size of a picture, and whether it is seen. It is read, and not kept.
    img: ["src", "alt", "width", "height", "align", "style", "hidden", "data-size"],
    source: ["src", "srcset", "media"],
    audio: ["src"],
    video: ["src"],
    iframe: ["src", "title"],
    input: ["type", "checked"],
    ol: ["start"],
    details: ["open"],
    time: ["datetime"],
    code: [["class", /^lang(?:uage)?-./]],
    pre: ["lang", ["class", /^(?:highlight-source-|lang(?:uage)?-)./]],
    td: ["colspan", "rowspan", "align"],
    th: ["colspan", "rowspan", "align"],
    div: align,
    p: align,
    table: align,
    tr: align,
    ...Object.fromEntries(["h1", "h2", "h3", "h4", "h5", "h6"].map((name) => [name, align]))
  },
  clobber: [],
  protocols: {
    href: ["http", "https", "irc", "ircs", "mailto", "tel", "xmpp"],
    // Of those with `data:` only pictures are let through (see `VisitorDocument`).
    src: ["http", "https", "data"]
  },
  required: {},
  strip: [...HtmlElements.withoutText]
}

/** Trees nest 60 deep at most (see `HtmlStream`), so the library's recursion is bounded. */
export const of = (root: Root): Root => {
  const safe = sanitize(root, schema)
  return safe.type === "root" ? safe : { type: "root", children: [] }
}
