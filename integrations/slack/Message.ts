/** Messages, in the words and the markup of Slack. */
import type { ContentUpdated, PageFeedback } from "../runtime/Event.ts"

/** Of a space or a site. */
export interface Place {
  readonly title: string
  readonly url: string
}

/** Three characters mean something to Slack, and are written as HTML writes them. */
const plain = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

const link = (url: string, words: string): string =>
  `<${plain(url).replaceAll("|", "%7C")}|${plain(words).replaceAll("|", " ")}>`

const faces = { bad: ":slightly_frowning_face:", ok: ":neutral_face:", good: ":slightly_smiling_face:" }

const maxComment = 500

const quoted = (comment: string): string => {
  const short = comment.length > maxComment ? `${comment.slice(0, maxComment)}…` : comment
  return plain(short)
    .split("\n")
    .map((line) => `>${line}`)
    .join("\n")
}

export const ofUpdate = ({ updatedBy }: ContentUpdated, space: Place): string => {
  const who = updatedBy.map(({ displayName }) => plain(displayName)).join(", ")
  return `${link(space.url, space.title)} has new content${who === "" ? "" : `, by ${who}`}`
}

export const ofFeedback = ({ feedback: { rating, comment = "" }, url }: PageFeedback, site: Place): string => {
  const said = `${faces[rating]} Feedback on ${link(url, site.title)}: ${rating}`
  return comment.trim() === "" ? said : `${said}\n${quoted(comment.trim())}`
}
