/**
 * The allowlist of HTML elements and attributes. Scripts, frames, forms, styles, classes, event handlers and URLs that
 * a browser would run are not allowed. A disallowed element is replaced by its content. Elements without text are
 * removed with their content (see `HtmlElements`).
 *
 * The list is GitHub's list for Markdown, extended by the remaining text-level elements.
 */
import type { Root } from "hast"
import { defaultSchema, sanitize, type Schema } from "hast-util-sanitize"
import * as HtmlElements from "./HtmlElements.ts"
import { nodeElement } from "./HtmlStream.ts"

const extraElements = [
  ..."abbr address article aside audio bdi bdo caption center cite dfn fieldset figcaption figure footer header".split(
    " "
  ),
  ..."hgroup iframe legend main mark nav rb small tbody time track u video wbr".split(" ")
]

const alignAttribute = ["align"]

const schema: Schema = {
  ...defaultSchema,
  tagNames: [...(defaultSchema.tagNames ?? []), ...extraElements, nodeElement],
  attributes: {
    "*": ["title", "dir", "lang", "id"],
    [nodeElement]: ["index"],
    a: ["href", "name"],
    // `style` states the size and visibility of a picture. It is read but not part of the result.
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
    div: alignAttribute,
    p: alignAttribute,
    table: alignAttribute,
    tr: alignAttribute,
    ...Object.fromEntries(["h1", "h2", "h3", "h4", "h5", "h6"].map((name) => [name, alignAttribute]))
  },
  clobber: [],
  protocols: {
    href: ["http", "https", "irc", "ircs", "mailto", "tel", "xmpp"],
    // Only pictures may have `data:` URLs (see `VisitorDocument`).
    src: ["http", "https", "data"]
  },
  required: {},
  strip: [...HtmlElements.removedElements]
}

/** Trees are at most 60 levels deep (see `HtmlStream`), so recursion in the library is bounded. */
export const sanitizeHtml = (root: Root): Root => {
  const safe = sanitize(root, schema)
  return safe.type === "root" ? safe : { type: "root", children: [] }
}
