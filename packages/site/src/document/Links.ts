/** Links of a text. */
import { attributes, type Html, html } from "../html/Html.ts"
import * as Urls from "../html/Urls.ts"
import type { Rendering, Target } from "./Rendering.ts"

/** Attributes of a link that leads away from the site. */
export const outward = (href: string, { opensWindows }: Pick<Rendering, "opensWindows">): Html | undefined =>
  /^https?:/.test(href) && opensWindows ? attributes({ target: "_blank", rel: "noopener" }) : undefined

/** The content as a link; alone where the target is not there. */
export const linkTo = (
  target: Target | undefined,
  content: Html,
  rendering: Pick<Rendering, "opensWindows">,
  title = ""
): Html => {
  const href = target?.url === undefined ? undefined : Urls.link(target.url)
  if (href === undefined) return content
  return html`<a href="${href}"${attributes({ title: title || undefined })}${outward(href, rendering)}>${content}</a>`
}
