import { assert, describe, it } from "@effect/vitest"
import * as EmbeddedLinks from "@lectern/document/EmbeddedLinks"
import * as Markdown from "@lectern/document/markdown/Markdown"

const typesOf = (markdown: string) => {
  let key = 0
  const { document } = Markdown.parse(markdown, { nextKey: () => `k${key++}` })
  return EmbeddedLinks.withEmbeds(document).nodes.map(({ type, data }) => [type, data?.["url"]])
}

const video = "https://www.youtube.com/watch?v=dQw4w9WgXcQ"

describe("EmbeddedLinks", () => {
  it("shows the URL of a provider with frames as an embed if it is a paragraph of its own", () => {
    assert.deepStrictEqual(typesOf(`${video}\n\n<https://youtu.be/dQw4w9WgXcQ>`), [
      ["embed", video],
      ["embed", "https://youtu.be/dQw4w9WgXcQ"]
    ])
  })

  it("leaves other links and other paragraphs as they are", () => {
    const others = [`See ${video}`, `[A film](${video})`, "https://example.com/watch", `**${video}**x`, "Text"]
    assert.deepStrictEqual(
      typesOf(others.join("\n\n")),
      others.map(() => ["paragraph", undefined])
    )
    let key = 0
    const { document } = Markdown.parse(others.join("\n\n"), { nextKey: () => `k${key++}` })
    assert.strictEqual(EmbeddedLinks.withEmbeds(document), document)
  })
})
