/** Links in the site's settings: of the header, the footer and the announcement. */
import type { ContentRef } from "@lectern/document/Document"
import { externalAttributes } from "../document/Links.ts"
import { attributes, type Html, html } from "../html/Html.ts"
import * as SafeUrls from "../html/SafeUrls.ts"
import type { RenderDependencies } from "../document/BlockRenderer.ts"

/** Returns the URL of a setting's link; undefined if the reader cannot see its target. */
export const hrefOf = (
  to: ContentRef | null,
  dependencies: Pick<RenderDependencies, "targetOf">
): string | undefined => {
  const target = to === null ? undefined : dependencies.targetOf(to)
  return target?.url === undefined ? undefined : SafeUrls.linkUrl(target.url)
}

export const renderLink = (
  {
    title,
    to,
    className
  }: { readonly title: string; readonly to: ContentRef | null; readonly className?: string | undefined },
  dependencies: Pick<RenderDependencies, "targetOf" | "opensNewWindows">
): Html | undefined => {
  const href = hrefOf(to, dependencies)
  return href === undefined
    ? undefined
    : html`<a href="${href}"${attributes({ class: className })}${externalAttributes(href, dependencies)}>${title}</a>`
}
