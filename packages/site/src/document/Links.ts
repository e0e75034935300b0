/** Links in text. */
import { attributes, type Html, html } from "../html/Html.ts"
import * as SafeUrls from "../html/SafeUrls.ts"
import type { Rendering, Target } from "./BlockRenderer.ts"

/** Returns the attributes of a link to another website, if such links open a new window. */
export const outward = (href: string, { opensWindows }: Pick<Rendering, "opensWindows">): Html | undefined =>
  /^https?:/.test(href) && opensWindows ? attributes({ target: "_blank", rel: "noopener" }) : undefined

/** Renders content as a link; only the content if the target does not exist. */
export const linkTo = (
  target: Target | undefined,
  content: Html,
  rendering: Pick<Rendering, "opensWindows">,
  title = ""
): Html => {
  const href = target?.url === undefined ? undefined : SafeUrls.link(target.url)
  if (href === undefined) return content
  return html`<a href="${href}"${attributes({ title: title || undefined })}${outward(href, rendering)}>${content}</a>`
}
