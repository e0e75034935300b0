/** Distinguishes front matter from content between two thematic breaks at the start of a text. */
import { assert, describe, it } from "@effect/vitest"
import { split } from "@lectern/document/markdown/FrontMatterBlock"

const frontMatterOf = (text: string) => split(`---\n${text}\n---\nBody\n`).frontMatter

describe("split", () => {
  it.each([
    "title: One: two",
    "Note: [Guide](guide.md), and more",
    '# Comment\n\nPage title: A # comment\ntags: [a, "b: c", \'d\']\n\nlectern: {"slug":"x","vars":{"a":[1]}}',
    "Page title: A\ndescription: >-\n  Text: more\n  - [ ] text\nowners:\n- one\n- name: two\n  mail: two@x.org\nlast: |",
    "Page title: A\nsocial links:\n  code: https://a.b/c\n  chat:\n    - - a\n      - 'b'\n",
    "Page title: A long\n  title\nempty:",
    '"quoted key" : "text: \\"more\\"" # comment',
    "{ title: Old, x: 1 }\n# Comment",
    '{\n  "title": "a } b",\n  "tags": ["a", {"b": 1}]\n}'
  ])("returns a mapping: %j", (text) => {
    assert.strictEqual(frontMatterOf(text), text)
  })

  it.each([
    "Text.",
    "# Heading",
    "# Heading\n\n## Another: heading",
    "See also: [Guide](guide.md)",
    "See also:\n- [Guide](guide.md)",
    "See also:\n\n  - [Guide](guide.md)",
    "To do:\n- [ ] one\n- [x] two",
    "Written by: **Jane**",
    "Written by: *Jane* and others",
    "Last updated: > a quote",
    "Last updated: | a | b |",
    "As shown: ![image](a.png)",
    'In short: "Quoted" and more',
    "Mr. Smith: Hello\nMrs. Jones: Hello\nMr. Smith: Goodbye",
    "Reading time: 5 minutes\n  Audience: all",
    "Reading time: 5 minutes\n- item",
    "- one: a\n- two",
    "{{ variable }}",
    "{{< hint info >}}\nText\n{{< /hint >}}",
    "{: .class}",
    "{a: b} and {c: d}",
    "\tcode"
  ])("returns text without a mapping as content: %j", (text) => {
    assert.deepStrictEqual(split(`---\n${text}\n---\nBody\n`), { body: `---\n${text}\n---\nBody\n` })
  })

  it("takes linear time", () => {
    const spaces = " ".repeat(60_000)
    const texts = [
      `a b: x${spaces}: y`,
      `a b: "x"${spaces}y`,
      `{a: ${'\\"'.repeat(30_000)}`,
      `{a: ${"[".repeat(60_000)}`
    ]
    const before = process.cpuUsage()
    for (const text of texts) assert.isUndefined(frontMatterOf(text))
    assert.isBelow(process.cpuUsage(before).user, 1_000_000)
  })
})
