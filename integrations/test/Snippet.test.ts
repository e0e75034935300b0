import { assert, describe, it } from "@effect/vitest"
import { read, script } from "../analytics/Snippet.ts"

describe("A script tag of an analytics service", () => {
  it("is read with what is said to its script", () => {
    const tag = `<script defer data-domain="docs.example.com" data-api='/a"b' src="https://plausible.io/js/script.js?a=1&amp;b=2"></script>`
    const attributes = [
      ["data-domain", "docs.example.com"],
      ["data-api", '/a"b']
    ] as const
    assert.deepStrictEqual(read(` ${tag}\n`), { src: "https://plausible.io/js/script.js?a=1&b=2", attributes })
    assert.deepStrictEqual(read(`<SCRIPT async SRC=https://c.example.com/x.js data-website-id=1-2></SCRIPT>`), {
      src: "https://c.example.com/x.js",
      attributes: [["data-website-id", "1-2"]]
    })
  })

  it("is nothing else: no script in itself, no handler, no second tag, no other protocol", () => {
    for (const text of [
      "",
      "https://plausible.io/js/script.js",
      "<script>alert(1)</script>",
      `<script src="https://a.example/x.js">alert(1)</script>`,
      `<script src="https://a.example/x.js"></script><script src="https://b.example/x.js"></script>`,
      `<script src="http://a.example/x.js"></script>`,
      `<script src="data:text/javascript,alert(1)"></script>`,
      `<script src="/x.js"></script>`,
      `<img src="https://a.example/x.js">`
    ]) {
      assert.isUndefined(read(text), text)
    }
    const tag = read(`<script onload="alert(1)" nonce="x" src="https://a.example/x.js"></script>`)
    assert.deepStrictEqual(tag?.attributes, [])
    assert.isUndefined(read(`<script ${"a='".repeat(20_000)}`))
    assert.isUndefined(read(`<script ${"a ".repeat(50_000)}`))
  })

  it("is put into a page as what it says, whatever that is", () => {
    const tag = { src: "https://a.example/x.js", attributes: [["data-a", `</script>"'\u2028\\`]] } as const
    const made: Record<string, unknown> & { attributes?: Array<unknown> } = { attributes: [] }
    const element = Object.assign(made, {
      setAttribute: (name: string, value: string) => made.attributes!.push([name, value])
    })
    const document = { createElement: () => element, head: { append: () => {} } }
    // eslint-disable-next-line no-new-func
    new Function("document", script(tag))(document)
    assert.deepInclude(made, { src: tag.src, async: true, attributes: tag.attributes as never })
  })
})
