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

const renderItem = (href: string, icon: Html, label: string, more?: Html): Html =>
  html`<li><a href="${href}"${more}>${icon}<span>${label}</span></a></li>`

const newTab = attributes({ target: "_blank", rel: "noopener" })
/** Keeps crawlers from requesting a PDF or the editor of each page. */
const nofollow = attributes({ rel: "nofollow" })
const nofollowInNewTab = attributes({ target: "_blank", rel: "nofollow noopener" })

export const renderActions = (sitePage: SitePage): Html | undefined => {
  const { base, site, page, customization, canonicalUrl, dependencies } = sitePage
  const { messages } = dependencies
  const { markdown } = sitePage.alternates
  const items = customization.pageActions.items.flatMap((action): ReadonlyArray<Html> => {
    switch (action) {
      case "markdown":
        return markdown === undefined ? [] : [renderItem(markdown, Icons.text, messages.actions.viewMarkdown)]
      case "pdf":
        return customization.pdf.enabled
          ? [
              renderItem(
                `${base}${pdfPath}?page=${encodeURIComponent(page.id)}`,
                Icons.file,
                messages.actions.pdf,
                nofollow
              )
            ]
          : []
      case "external-ai":
        return assistants.map(([name, url]) =>
          renderItem(
            url + encodeURIComponent(messages.actions.question(canonicalUrl)),
            Icons.sparkle,
            messages.actions.openIn(name),
            newTab
          )
        )
      case "mcp":
        return [
          html`<li><lectern-copy data-text="${URL.parse(`${site.home}~lectern/mcp`, canonicalUrl)?.href}"><button>${Icons.plug}<span>${messages.actions.mcp}</span></button></lectern-copy></li>`
        ]
      case "git":
        return page.edit === undefined
          ? []
          : [renderItem(page.edit.url, Icons.edit, editLabel(page.edit, messages), nofollowInNewTab)]
      // Renders nothing, since Lectern has no assistant for sites.
      case "assistant":
        return []
    }
  })
  const hasCopyButton = customization.pageActions.items.includes("markdown") && markdown !== undefined
  if (items.length === 0) return undefined
  return html`<div class="actions">${
    hasCopyButton &&
    html`<lectern-copy data-from="${markdown}"><button class="action">${Icons.copy}<span>${messages.actions.copyPage}</span></button></lectern-copy>`
  }<button class="action more" popovertarget="~actions" aria-label="${messages.actions.title}">${Icons.chevronDown}</button><ul class="popup" id="~actions" popover>${items}</ul></div>`
}

const editLabel = (
  { host }: NonNullable<SitePage["page"]["edit"]>,
  { actions }: SitePage["dependencies"]["messages"]
): string => (host === undefined ? actions.editPage : actions.edit(host))

/** Returns a link to where the page is edited, if the settings show the link on each page. */
export const renderEditLink = ({ page, customization, dependencies }: SitePage): Html | undefined =>
  page.edit === undefined || !customization.git.showEditLink
    ? undefined
    : html`<a class="edit" href="${page.edit.url}"${nofollow}>${Icons.edit}${editLabel(page.edit, dependencies.messages)}</a>`
