/** Bar of a preview: names the previewed site or change request, and links to the published site. */
import { type Html, html } from "../html/Html.ts"
import * as Icons from "../styling/Icons.ts"
import type { SiteContext } from "./SitePage.ts"

export const renderPreviewBar = ({ preview, dependencies, site }: SiteContext): Html | undefined => {
  if (preview === undefined) return undefined
  const { messages } = dependencies
  const { changeRequest, published } = preview
  const label = changeRequest === undefined ? site.title : messages.preview.changeRequest(changeRequest.number)
  return html`<aside class="preview" aria-label="${messages.preview.title}">${Icons.eye}<p><strong>${messages.preview.title}</strong> <a href="${site.home}">${label}</a>${changeRequest !== undefined && changeRequest.subject !== "" && html` <span>${changeRequest.subject}</span>`}</p>${published && html`<a class="back" href="${published}">${messages.preview.back}</a>`}</aside>`
}
