/** Messages, in the words and the markup of Slack. */
import type { ContentUpdated, PageFeedback } from "../runtime/Event.ts"

/** Of a space or a site. */
export interface Place {
  readonly title: string
  readonly url: string
}

/** Three characters mean something to Slack, and are written as HTML writes them. */
const plain = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

const address = (url: string): string => plain(url).replaceAll("|", "%7C")

const link = (url: string, words: string): string => `<${address(url)}|${plain(words).replaceAll("|", " ")}>`

const faces = { bad: ":slightly_frowning_face:", ok: ":neutral_face:", good: ":slightly_smiling_face:" }

const maxComment = 500

const quoted = (comment: string): string => {
  const characters = Array.from(comment)
  const short = characters.length > maxComment ? `${characters.slice(0, maxComment).join("")}…` : comment
  return plain(short)
    .split("\n")
    .map((line) => `>${line}`)
    .join("\n")
}

export const ofUpdate = ({ updatedBy }: ContentUpdated, space: Place): string => {
  const who = updatedBy.map(({ displayName }) => plain(displayName)).join(", ")
  return `${link(space.url, space.title)} has new content${who === "" ? "" : `, by ${who}`}`
}

/** Anybody may say where feedback was given: only a page of the site goes by the site's name. */
const given = (url: string, site: Place): string =>
  URL.parse(url)?.origin === URL.parse(site.url)?.origin
    ? link(url, site.title)
    : `${link(site.url, site.title)}, at <${address(url)}>`

export const ofFeedback = ({ feedback: { rating, comment = "" }, url }: PageFeedback, site: Place): string => {
  const said = `${faces[rating]} Feedback on ${given(url, site)}: ${rating}`
  return comment.trim() === "" ? said : `${said}\n${quoted(comment.trim())}`
}
