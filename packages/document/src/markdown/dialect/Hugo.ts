/**
 * Hugo: order and titles of pages in the navigation, the shortcodes of Hugo, and those of its themes for
 * documentation: Docsy, Book, Hextra, Relearn.
 */
import type { Dialect } from "./Dialect.ts"
import { elementForms } from "./ElementForms.ts"

export const hugo: Dialect = {
  names: ["hugo"],
  frontMatter: { weight: "weight", label: "linkTitle", draft: "draft" },
  shortcodes: elementForms(
    {
      hint: "alert notice hint callout admonition pageinfo",
      tabs: "tabs tabpane",
      tab: "tab",
      details: "details expand",
      cards: "cards cardpane",
      card: "card",
      columns: "columns",
      column: "column",
      code: "highlight",
      image: "figure imgproc",
      link: "button",
      group: "steps",
      hidden: "comment toc children"
    },
    { info: "note info", success: "tip", warning: "warning caution", danger: "danger" },
    { youtube: "https://www.youtube.com/watch?v=", vimeo: "https://vimeo.com/", gist: "https://gist.github.com/" }
  )
}
