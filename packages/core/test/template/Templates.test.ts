/** The built-in templates, and those of a host: their texts are Markdown that comes back as it is. */
import type { ContentChange } from "@lectern/core/content/edits/ContentChange"
import * as Markdown from "@lectern/document/markdown/Markdown"
import { builtIn } from "@lectern/core/template/BuiltIn"
import type { ContentRefs, TemplatePage } from "@lectern/core/template/Template"
import * as TemplateChanges from "@lectern/core/template/TemplateChanges"
import { assert, describe, it } from "@effect/vitest"

const given: ContentRefs = {
  cover: { kind: "file", file: "F1" },
  spec: { kind: "openapi", spec: "pets" },
  unknown: { kind: "file", file: "F2" }
}

const pagesOf = (pages: ReadonlyArray<TemplatePage>): ReadonlyArray<TemplatePage> =>
  pages.flatMap((page) => [page, ...pagesOf(page.pages ?? [])])

const parse = (text: string) => {
  let keys = 0
  return Markdown.parse(text, { nextKey: () => `k${++keys}` }).document
}

describe("templates", () => {
  it("there are four, and each says what it is", () => {
    assert.deepStrictEqual(
      builtIn.map(({ id }) => id),
      ["product-docs", "api-reference", "handbook", "changelog"]
    )
    for (const { title, description } of builtIn) assert.isTrue(title !== "" && description !== "")
  })

  for (const template of builtIn) {
    const all = [{}, TemplateChanges.knownRefs(template, given)].flatMap((refs) => pagesOf(template.pages(refs)))

    it(`the texts of ${template.id} go through Markdown and come back the same`, () => {
      for (const { title, markdown = "" } of all) {
        const document = parse(markdown)
        const printed = Markdown.print(document)
        assert.deepStrictEqual(parse(printed), document, title)
        assert.notInclude(JSON.stringify(document), '"verbatim"', title)
      }
    })

    it(`the links of ${template.id} lead to its pages`, () => {
      const names = new Set(all.flatMap(({ name }) => name ?? []))
      for (const { title, markdown = "" } of all) {
        for (const [, name] of markdown.matchAll(/\(\/pages\/([^)#]+)/g))
          assert.isTrue(names.has(name!), `${title}: ${name}`)
      }
    })
  }

  it("a page is put in behind the one that it stands under, each under a name of its own", () => {
    const changes = builtIn.flatMap((template) => TemplateChanges.changesOf(template, {}, {}))
    const insert = (change: ContentChange) => (change.operation === "insert_page" ? [change] : [])
    for (const template of builtIn) {
      const known = new Set<string>()
      for (const { ref, into } of TemplateChanges.changesOf(template, {}, {}).flatMap(insert)) {
        assert.isTrue(into === null || known.has(into!))
        assert.isFalse(known.has(ref!))
        known.add(ref!)
      }
    }
    assert.isAbove(changes.length, 20)
  })

  it("variables that the space has keep their values", () => {
    const template = builtIn.find(({ id }) => id === "changelog")!
    const set = (variables: Record<string, unknown>) =>
      TemplateChanges.changesOf(template, {}, variables).filter(({ operation }) => operation === "set_variables")
    assert.lengthOf(set({}), 1)
    assert.lengthOf(set({ version: "9" }), 0)
  })

  it("only references that a template knows reach it", () => {
    for (const template of builtIn) assert.notProperty(TemplateChanges.knownRefs(template, given), "unknown")
    const reference = builtIn.find(({ id }) => id === "api-reference")!
    const computed = (refs: ContentRefs) => pagesOf(reference.pages(refs)).filter((page) => page.computed !== undefined)
    assert.lengthOf(computed({}), 0)
    assert.lengthOf(computed(given), 1)
  })
})
