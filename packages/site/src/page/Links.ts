/** Links in the site's settings: of the header, the footer and the announcement. */
import type { ContentRef } from "@lectern/document/Document"
import { outward } from "../document/Links.ts"
import { attributes, type Html, html } from "../html/Html.ts"
import * as SafeUrls from "../html/SafeUrls.ts"
import type { Parts } from "../document/BlockRenderer.ts"

/** Returns the URL of a setting's link; undefined if the reader cannot see its target. */
export const hrefOf = (to: ContentRef | null, parts: Pick<Parts, "targetOf">): string | undefined => {
  const target = to === null ? undefined : parts.targetOf(to)
  return target?.url === undefined ? undefined : SafeUrls.link(target.url)
}

export const linkTo = (
  { title, to, look }: { readonly title: string; readonly to: ContentRef | null; readonly look?: string | undefined },
  parts: Pick<Parts, "targetOf" | "opensWindows">
): Html | undefined => {
  const href = hrefOf(to, parts)
  return href === undefined
    ? undefined
    : html`<a href="${href}"${attributes({ class: look })}${outward(href, parts)}>${title}</a>`
}
