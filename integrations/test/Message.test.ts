import { assert, describe, it } from "@effect/vitest"
import { ofFeedback, ofUpdate } from "../slack/Message.ts"

const about = { installationId: "i", spaceId: "s", siteId: "t" }
const place = { title: "A & B <docs>|x", url: "https://docs.example.com/a|b?c&d" }
const feedbackAt = (url: string, comment?: string) =>
  ofFeedback(
    {
      ...about,
      type: "page_feedback",
      feedback: { rating: "bad", ...(comment !== undefined && { comment }) },
      url
    },
    place
  )

const link = "<https://docs.example.com/a%7Cb?c&amp;d|A &amp; B &lt;docs&gt; x>"

describe("A message to a channel", () => {
  it("tells of new content and whose it is, none of which can be markup", () => {
    const update = { ...about, type: "space_content_updated", revisionId: "r", updatedBy: [] } as const
    assert.strictEqual(ofUpdate(update, place), `${link} has new content`)
    const people = [{ displayName: "<!channel>" }, { displayName: "Bob" }]
    assert.strictEqual(
      ofUpdate({ ...update, updatedBy: people }, place),
      `${link} has new content, by &lt;!channel&gt;, Bob`
    )
  })

  it("tells of feedback on a page, with the beginning of what was written", () => {
    const feedback = (comment?: string) => feedbackAt(place.url, comment)
    const said = `:slightly_frowning_face: Feedback on ${link}: bad`
    assert.strictEqual(feedback(), said)
    assert.strictEqual(feedback(" Not\n<found> "), `${said}\n>Not\n>&lt;found&gt;`)
    assert.strictEqual(feedback("x".repeat(501)), `${said}\n>${"x".repeat(500)}…`)
    // A truncated text must not end with half of a surrogate pair.
    assert.strictEqual(feedback(`${"x".repeat(499)}😀😀`), `${said}\n>${"x".repeat(499)}😀…`)
  })

  it("shows where a link leads that is not of the site, as whoever gives feedback says where that is", () => {
    assert.strictEqual(
      feedbackAt("https://evil.example/a|b?c&d"),
      `:slightly_frowning_face: Feedback on ${link}, at <https://evil.example/a%7Cb?c&amp;d>: bad`
    )
  })
})
