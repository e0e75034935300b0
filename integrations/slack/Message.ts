/** Messages in the markup of Slack. */
import type { ContentUpdated, PageFeedback } from "../runtime/Event.ts"

/** Title and URL of a space or a site. */
export interface SiteAddress {
  readonly title: string
  readonly url: string
}

/** Escapes the three special characters of Slack's markup. */
const escapeText = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

const address = (url: string): string => escapeText(url).replaceAll("|", "%7C")

const link = (url: string, words: string): string => `<${address(url)}|${escapeText(words).replaceAll("|", " ")}>`

const faces = { bad: ":slightly_frowning_face:", ok: ":neutral_face:", good: ":slightly_smiling_face:" }

const maxComment = 500

const quoted = (comment: string): string => {
  const characters = Array.from(comment)
  const short = characters.length > maxComment ? `${characters.slice(0, maxComment).join("")}…` : comment
  return escapeText(short)
    .split("\n")
    .map((line) => `>${line}`)
    .join("\n")
}

export const ofUpdate = ({ updatedBy }: ContentUpdated, space: SiteAddress): string => {
  const authorNames = updatedBy.map(({ displayName }) => escapeText(displayName)).join(", ")
  return `${link(space.url, space.title)} has new content${authorNames === "" ? "" : `, by ${authorNames}`}`
}

/** Returns a link to a page. Clients choose the URL of feedback, so only pages of the site are labelled with its title. */
const linkTo = (url: string, site: SiteAddress): string =>
  URL.parse(url)?.origin === URL.parse(site.url)?.origin
    ? link(url, site.title)
    : `${link(site.url, site.title)}, at <${address(url)}>`

export const ofFeedback = ({ feedback: { rating, comment = "" }, url }: PageFeedback, site: SiteAddress): string => {
  const headline = `${faces[rating]} Feedback on ${linkTo(url, site)}: ${rating}`
  return comment.trim() === "" ? headline : `${headline}\n${quoted(comment.trim())}`
}
