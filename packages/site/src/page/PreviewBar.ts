/** Bar of a preview: names the previewed site or change request, and links to the published site. */
import { type Html, html } from "../html/Html.ts"
import * as Icons from "../styling/Icons.ts"
import type { Around } from "./SitePage.ts"

export const previewBar = ({ preview, parts, site }: Around): Html | undefined => {
  if (preview === undefined) return undefined
  const { words } = parts
  const { changeRequest, published } = preview
  const what = changeRequest === undefined ? site.title : words.preview.changeRequest(changeRequest.number)
  return html`<aside class="preview" aria-label="${words.preview.title}">${Icons.eye}<p><strong>${words.preview.title}</strong> <a href="${site.home}">${what}</a>${changeRequest !== undefined && changeRequest.subject !== "" && html` <span>${changeRequest.subject}</span>`}</p>${published && html`<a class="back" href="${published}">${words.preview.back}</a>`}</aside>`
}
