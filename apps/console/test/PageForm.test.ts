import { assert, describe, it } from "@effect/vitest"
import type { DocumentPage } from "../src/api/Resources.ts"
import { changedFields, formOf, problemsOf } from "../src/space/settings/PageForm.ts"

const page = {
  title: "Grinding",
  slug: "grinding",
  description: "How fine",
  hidden: true,
  layout: { width: "default", title: true },
  tags: [{ tag: { kind: "tag", tag: "beta" }, primary: true }, { tag: { kind: "tag", tag: "new" } }],
  variables: { grams: "18", name: "1.10" }
} as unknown as DocumentPage

describe("The form of the settings of a page", () => {
  const form = formOf(page)

  it("changes nothing until a field differs", () => {
    assert.isUndefined(changedFields(page, form))
    assert.isUndefined(changedFields(page, { ...form, title: " Grinding " }))
  })

  it("sends only the fields that differ, and null for an emptied one", () => {
    assert.deepStrictEqual(changedFields(page, { ...form, description: " ", slug: "grind", hidden: false }), {
      description: null,
      slug: "grind",
      hidden: false
    })
    assert.deepStrictEqual(changedFields(page, { ...form, layout: { ...form.layout, width: "wide" } }), {
      layout: { ...page.layout, width: "wide" }
    })
  })

  it("keeps the main tag, and removes all tags with null", () => {
    assert.deepStrictEqual(changedFields(page, { ...form, tags: ["beta"] }), {
      tags: [{ tag: "beta", primary: true }]
    })
    assert.deepStrictEqual(changedFields(page, { ...form, tags: [] }), { tags: null })
  })

  it("reads numbers and booleans among new variables, and sends the text of all others", () => {
    const variables = [
      ...form.variables,
      { name: "isNew", value: "true" },
      { name: "cups", value: "2" },
      { name: "constructor", value: "1" },
      { name: " ", value: "x" }
    ]
    assert.deepStrictEqual(changedFields(page, { ...form, variables }), {
      variables: { grams: "18", name: "1.10", isNew: true, cups: 2, constructor: 1 }
    })
    assert.deepStrictEqual(changedFields(page, { ...form, variables: [] }), { variables: null })
  })

  it("a changed number stays a number, and a changed text a text", () => {
    const variables = [
      { name: "grams", value: "20" },
      { name: "name", value: "2" }
    ]
    assert.deepStrictEqual(changedFields(page, { ...form, variables }), { variables: { grams: 20, name: "2" } })
  })

  it("shows a refusal at its field", () => {
    assert.deepStrictEqual(
      problemsOf([
        { path: "body.changes[0].slug", message: "Expected a slug" },
        { path: "body.changes[0].slug", message: "another" },
        { path: "body", message: "no" }
      ]),
      { slug: "Expected a slug" }
    )
  })
})
