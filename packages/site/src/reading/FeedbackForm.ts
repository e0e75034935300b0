/**
 * Parses a reader's feedback on a page. The form contains a rating and an optional comment of up to 512 characters.
 */
import type * as Resources from "@lectern/core/content/ContentResources"
import type { PublishedContent } from "@lectern/core/publishing/PublishedUrl"
import * as Feedback from "../page/Feedback.ts"
import type { ReaderAction } from "./ReaderEvents.ts"
import * as Tree from "./Tree.ts"

const maxComment = 512

const ratings = ["bad", "ok", "good"] as const

export interface FeedbackInput {
  readonly page: string
  /** Path of the page. */
  readonly path: string
  /** Path to return to: the page, at its message of thanks. */
  readonly returnUrl: string
  readonly action: ReaderAction
}

/** Parses a feedback form. Undefined if the form is invalid. */
export const parseFeedback = (
  published: PublishedContent,
  tree: Resources.Pages,
  form: URLSearchParams
): FeedbackInput | undefined => {
  const rating = ratings.find((value) => value === form.get("rating"))
  const page = Tree.find(tree, form.get("page") ?? "")
  if (rating === undefined || page?.type !== "document") return undefined
  const comment = (form.get("comment") ?? "").trim().slice(0, maxComment).toWellFormed()
  const path = Tree.urlOf(page, { base: published.basePath, tree })
  return {
    page: page.id,
    path,
    returnUrl: `${path}#${Feedback.thanksId}`,
    action:
      comment === ""
        ? { type: "page_post_feedback", feedback: { rating } }
        : { type: "page_post_feedback_comment", feedback: { rating, comment } }
  }
}
