import { assert, describe, it } from "@effect/vitest"
import type { Block, Inline, Mark, Node } from "@lectern/document/Document"
import { blockTypes } from "@lectern/document/vocabulary/BlockTypes"
import { inlineTypes } from "@lectern/document/vocabulary/InlineTypes"
import { markTypes } from "@lectern/document/vocabulary/MarkTypes"
import * as Blocks from "../src/document/Blocks.ts"
import * as SiteStylesheet from "../src/styling/SiteStylesheet.ts"
import { browserOfFile, visit } from "./Chromium.ts"
import { documentOf, everyPart } from "./Drawing.ts"
import { payloads, urls } from "./HostileTexts.ts"

/** Blocks of Markdown that says each of them, as text, in links, pictures, tags, HTML and code. */
const written = [
  ...payloads.flatMap((text) => [
    text,
    `Text ${text} text`,
    `## ${text}`,
    `| ${text} |\n| --- |\n| ${text} |`,
    `{% hint style="${text}" icon="${text}" %}\n${text}\n{% endhint %}`,
    `{% tabs %}\n{% tab title="${text}" %}\n${text}\n{% endtab %}\n{% endtabs %}`,
    `{% code title="${text}" %}\n\`\`\`${text}\n${text}\n\`\`\`\n{% endcode %}`,
    `<details><summary>${text}</summary>\n\n${text}\n\n</details>`,
    `$$\n\\text{${text}}\n$$`,
    `![${text}](/files/wide "${text}")`,
    `<mark style="color:${text}">x</mark>`
  ]),
  ...urls.flatMap((url) => [
    `[x](<${url}>)`,
    `[x](${url})`,
    `<a href="${url}">x</a>`,
    `<a href="${url}" class="button primary">x</a>`,
    `![x](<${url}>)`,
    `<img src="${url}">`,
    `<${url}>`,
    `[x][r]\n\n[r]: ${url}`,
    `{% embed url="${url}" %}`,
    `{% file src="${url}" %}`,
    `{% content-ref url="${url}" %}\nx\n{% endcontent-ref %}`,
    `<table data-view="cards"><thead><tr><th></th><th data-hidden data-card-target data-type="content-ref"></th></tr></thead><tbody><tr><td>x</td><td><a href="${url}">x</a></td></tr></tbody></table>`
  ])
].flatMap((text) => documentOf(text).nodes)

/** A document whose every block, inline and mark says the same in each of its fields, as the interface takes it. */
const hostile = (said: string, last: { key: number }): ReadonlyArray<Block> => {
  const values = [said, { kind: "url", url: said }, { unit: said, value: said }, [{ kind: "tag", tag: said }], true, 3]
  const dataOf = (fields: object, i: number) =>
    Object.fromEntries(
      Object.keys(fields).map((name) => [name, name.startsWith("ref") ? values[1] : values[i % values.length]])
    )
  const marks: ReadonlyArray<Mark> = Object.keys(markTypes).map((type) => ({
    object: "mark",
    type,
    data: { text: said, background: said }
  }))
  const text: Node = { object: "text", leaves: [{ object: "leaf", text: said, marks }] }
  const inlines: ReadonlyArray<Inline> = Object.entries(inlineTypes).map(([type, { fields }]) => ({
    object: "inline",
    type,
    key: said,
    data: dataOf(fields, 0),
    nodes: [text],
    fragments: [{ object: "fragment", fragment: "annotation-body", nodes: [] }]
  }))
  return Object.entries(blockTypes).flatMap(([type, { fields, content: contents }]) =>
    [0, 1].map((i): Block => {
      const within = contents === undefined || contents.blocks === "flow" ? "paragraph" : contents.blocks[0]!
      const inner: Block = { object: "block", type: within, key: said, data: dataOf(fields, i), nodes: [text] }
      return {
        object: "block",
        type,
        key: `${said}${++last.key}`,
        meta: { id: said },
        data: { ...dataOf(fields, i), title: said, caption: said, definition: { [said]: { title: said } } },
        nodes: contents === undefined ? [text, ...inlines] : [inner],
        fragments: ["caption", "body", "expandable-title", "expandable-body", "else", said].map((fragment) => ({
          object: "fragment",
          fragment,
          nodes: [inner]
        }))
      }
    })
  )
}

describe("hostile content", () => {
  const browser = browserOfFile()

  const run = (content: string) => {
    // No policy of content stands behind it here: escaping alone has to do.
    const body = `<!doctype html><html lang="en"><title>x</title><style>${SiteStylesheet.css}</style><script>window.runs=0;window.ran=()=>window.runs++;window.alert=window.ran</script><main><div class="content">${content}</div></main></html>`
    return visit(
      browser(),
      "http://site.test/",
      ({ href }) =>
        href === "http://site.test/" ? { contentType: "text/html; charset=utf-8", body } : { status: 404 },
      async (page, { asked }) => {
        const found = await page.evaluate(() => {
          const all = [...document.querySelectorAll("main *")]
          for (const element of all) {
            for (const event of ["mouseover", "focus", "toggle", "error"]) element.dispatchEvent(new Event(event))
          }
          const isBad = (name: string, value: string) =>
            /^on|^style$|^srcdoc$|^action$|^formaction$/.test(name) ||
            (/^(?:href|src|data-frame)$/.test(name) &&
              !/^(?:https?|mailto|tel):$/.test(URL.parse(value, document.baseURI)?.protocol ?? ""))
          return {
            runs: (window as unknown as { readonly runs: number }).runs,
            attributes: all.flatMap((element) =>
              [...element.attributes]
                .filter(({ name, value }) => isBad(name, value))
                .map(({ name, value }) => name + value)
            ),
            elements: [...new Set(all.map(({ localName }) => localName))].filter((name) =>
              /^(?:script|style|iframe|object|embed|form|base|meta|link|template|marquee|frame|foreignobject)$/.test(
                name
              )
            )
          }
        })
        assert.deepStrictEqual(found, { runs: 0, attributes: [], elements: [] })
        return asked
      }
    )
  }

  it("runs nothing out of Markdown, and asks nobody but for pictures", async () => {
    const asked = await run(Blocks.createBlockRenderer(everyPart).blocks(written).text)
    assert.deepStrictEqual(
      asked.filter((url) => url.includes("evil.test") && !url.endsWith("evil.test/x")),
      []
    )
  })

  it("runs nothing out of documents, whatever stands in which field", async () => {
    const last = { key: 0 }
    const rendering = Blocks.createBlockRenderer({ ...everyPart, icon: () => undefined })
    const texts = [...payloads, ...urls]
    // All of them on one page are more than a browser shows in a few seconds.
    for (let from = 0; from < texts.length; from += 50) {
      const nodes = texts.slice(from, from + 50).flatMap((said) => hostile(said, last))
      await run(rendering.blocks(nodes).text)
    }
  })
})
