/** Feedback form at the end of a page: whether the page was helpful. The form works without a script. */
import { type Html, html } from "../html/Html.ts"
import * as Icons from "../styling/Icons.ts"
import type { SitePage } from "./SitePage.ts"

/** Path that the form is sent to, below the path of the space. */
export const feedbackPath = "~feedback"

/** Id of the message of thanks, which appears when a reader returns to the page. */
export const thanksId = "~thanks"

export const renderFeedback = ({ base, page, customization, dependencies }: SitePage): Html | undefined => {
  if (!customization.feedback.enabled) return undefined
  const { feedback: labels } = dependencies.messages
  const rating = (value: "bad" | "ok" | "good", icon: Html) =>
    html`<label title="${labels[value]}"><input type="radio" name="rating" value="${value}" required>${icon}<span>${labels[value]}</span></label>`
  return html`<lectern-feedback class="feedback">
    <form method="post" action="${base}${feedbackPath}">
      <input type="hidden" name="page" value="${page.id}">
      <fieldset>
        <legend>${labels.question}</legend>
        ${rating("bad", Icons.bad)}${rating("ok", Icons.ok)}${rating("good", Icons.good)}
      </fieldset>
      <div class="feedback-more">
        <textarea name="comment" maxlength="512" rows="3" placeholder="${labels.comment}" aria-label="${labels.comment}"></textarea>
        <button class="button">${labels.send}</button>
      </div>
    </form>
    <p class="feedback-thanks" id="${thanksId}" role="status" tabindex="-1">${Icons.check}${labels.thanks}</p>
  </lectern-feedback>`
}
