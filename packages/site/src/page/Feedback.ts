/** Question at the end of a page about whether the page was helpful. It is a form and works without a script. */
import { type Html, html } from "../html/Html.ts"
import * as Icons from "../styling/Icons.ts"
import type { SitePage } from "./SitePage.ts"

/** Path that the form is sent to, below the path of the space. */
export const feedbackPath = "~feedback"

/** Id of the message of thanks, which appears when a reader returns to the page. */
export const thanksId = "~thanks"

export const feedback = ({ base, page, customization, parts }: SitePage): Html | undefined => {
  if (!customization.feedback.enabled) return undefined
  const { feedback: words } = parts.words
  const rating = (value: "bad" | "ok" | "good", sign: Html) =>
    html`<label title="${words[value]}"><input type="radio" name="rating" value="${value}" required>${sign}<span>${words[value]}</span></label>`
  return html`<lectern-feedback class="feedback">
    <form method="post" action="${base}${feedbackPath}">
      <input type="hidden" name="page" value="${page.id}">
      <fieldset>
        <legend>${words.question}</legend>
        ${rating("bad", Icons.bad)}${rating("ok", Icons.ok)}${rating("good", Icons.good)}
      </fieldset>
      <div class="feedback-more">
        <textarea name="comment" maxlength="512" rows="3" placeholder="${words.comment}" aria-label="${words.comment}"></textarea>
        <button class="button">${words.send}</button>
      </div>
    </form>
    <p class="feedback-thanks" id="${thanksId}" role="status" tabindex="-1">${Icons.check}${words.thanks}</p>
  </lectern-feedback>`
}
