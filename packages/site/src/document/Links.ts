/** Links in text. */
import { attributes, type Html, html } from "../html/Html.ts"
import * as SafeUrls from "../html/SafeUrls.ts"
import type { BlockRenderer, LinkTarget } from "./BlockRenderer.ts"

/** Returns the attributes of a link to another website, if such links open a new window. */
export const externalAttributes = (
  href: string,
  { opensNewWindows }: Pick<BlockRenderer, "opensNewWindows">
): Html | undefined =>
  /^https?:/.test(href) && opensNewWindows ? attributes({ target: "_blank", rel: "noopener" }) : undefined

/** Renders content as a link; only the content if the target does not exist. */
export const renderLink = (
  target: LinkTarget | undefined,
  content: Html,
  renderer: Pick<BlockRenderer, "opensNewWindows">,
  title = ""
): Html => {
  const href = target?.url === undefined ? undefined : SafeUrls.linkUrl(target.url)
  if (href === undefined) return content
  return html`<a href="${href}"${attributes({ title: title || undefined })}${externalAttributes(href, renderer)}>${content}</a>`
}
