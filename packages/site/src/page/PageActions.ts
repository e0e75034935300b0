/**
 * Actions on a page, in the order of the site's settings: copy the page, view its Markdown, print it, open it in an
 * assistant, edit it. Copying needs a script; all other actions are links.
 */
import { attributes, type Html, html } from "../html/Html.ts"
import * as Icons from "../styling/Icons.ts"
import type { SitePage } from "./SitePage.ts"

/** Assistants that accept a prompt in their URL. */
const assistants = [
  ["ChatGPT", "https://chatgpt.com/?hints=search&q="],
  ["Claude", "https://claude.ai/new?q="]
] as const

/** Path of PDFs below the path of the space. */
export const pdfPath = "~pdf"

const item = (href: string, sign: Html, label: string, more?: Html): Html =>
  html`<li><a href="${href}"${more}>${sign}<span>${label}</span></a></li>`

const outside = attributes({ target: "_blank", rel: "noopener" })
/** Keeps crawlers from requesting a PDF of each page. */
const unfollowed = attributes({ rel: "nofollow" })

export const actions = (shown: SitePage): Html | undefined => {
  const { base, site, page, customization, canonicalUrl, parts } = shown
  const { words } = parts
  const { markdown } = shown.alternates
  const items = customization.pageActions.items.flatMap((kind): ReadonlyArray<Html> => {
    switch (kind) {
      case "markdown":
        return markdown === undefined ? [] : [item(markdown, Icons.text, words.actions.viewMarkdown)]
      case "pdf":
        return customization.pdf.enabled
          ? [item(`${base}${pdfPath}?page=${encodeURIComponent(page.id)}`, Icons.file, words.actions.pdf, unfollowed)]
          : []
      case "external-ai":
        return assistants.map(([name, url]) =>
          item(
            url + encodeURIComponent(words.actions.question(canonicalUrl)),
            Icons.spark,
            words.actions.openIn(name),
            outside
          )
        )
      case "mcp":
        return [
          html`<li><lectern-copy data-text="${URL.parse(`${site.home}~lectern/mcp`, canonicalUrl)?.href}"><button>${Icons.plug}<span>${words.actions.mcp}</span></button></lectern-copy></li>`
        ]
      case "git":
        return page.edit === undefined
          ? []
          : [item(page.edit.url, Icons.edit, words.actions.edit(page.edit.host), outside)]
      // Renders nothing, since Lectern has no assistant for sites.
      case "assistant":
        return []
    }
  })
  const copies = customization.pageActions.items.includes("markdown") && markdown !== undefined
  if (items.length === 0) return undefined
  return html`<div class="actions">${
    copies &&
    html`<lectern-copy data-from="${markdown}"><button class="action">${Icons.copy}<span>${words.actions.copyPage}</span></button></lectern-copy>`
  }<button class="action more" popovertarget="~actions" aria-label="${words.actions.title}">${Icons.down}</button><ul class="popup" id="~actions" popover>${items}</ul></div>`
}

/** Returns a link to the page's file in its repository, if the settings show the link on each page. */
export const edit = ({ page, customization, parts }: SitePage): Html | undefined =>
  page.edit === undefined || !customization.git.showEditLink
    ? undefined
    : html`<a class="edit" href="${page.edit.url}">${Icons.edit}${parts.words.actions.edit(page.edit.host)}</a>`
