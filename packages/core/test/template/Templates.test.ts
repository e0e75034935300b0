/** The built-in templates, and those of a host: their texts are Markdown that comes back as it is. */
import type { ContentChange } from "@lectern/core/content/edits/ContentChange"
import * as Markdown from "@lectern/document/markdown/Markdown"
import { builtIn } from "@lectern/core/template/BuiltIn"
import type { ContentRefs, Template, TemplateApplication, TemplatePage } from "@lectern/core/template/Template"
import * as TemplateChanges from "@lectern/core/template/TemplateChanges"
import { Contents } from "@lectern/core/content/Contents"
import type { CurrentActor } from "@lectern/core/access/Actor"
import { Spaces } from "@lectern/core/space/Spaces"
import type { SpaceId } from "@lectern/core/space/Space"
import { Storage } from "@lectern/core/storage/Storage"
import { Templates } from "@lectern/core/template/Templates"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { emitted, members, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { publish } from "../comment/Discussion.ts"
import { adaptersWith } from "../Instances.ts"
import { invalidPathsOf } from "../Issues.ts"

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

const templates: ReadonlyArray<Template> = [
  {
    id: "runbook",
    title: "Runbook",
    description: "Steps for incidents",
    variables: { team: "Operations" },
    pages: () => [
      { title: "Runbook", name: "runbook", pages: [{ title: "Steps", markdown: "See [it](/pages/runbook)." }] }
    ]
  },
  { id: "handbook", title: "Own handbook", description: "Replaces the built-in one", pages: () => [] }
]

const inSpace = Effect.gen(function* () {
  const { org, people } = yield* members
  const spaces = yield* Spaces
  const { id: space } = yield* spaces.create(org, {})
  return { org, people, spaces, space, templates: yield* Templates }
})

const contentOf = Effect.fnUntraced(function* (space: SpaceId) {
  const contents = yield* Contents
  const { pages } = yield* contents.pages(yield* contents.locate({ space }))
  return pages
})

for (const [name, services] of onEach(adaptersWith({ templates }))) {
  describe(`Templates (${name})`, () => {
    const rule = ruleOn(services)

    rule("are the built-in ones and those of the host, which replace built-in ones", () =>
      Effect.gen(function* () {
        const list = yield* (yield* Templates).list
        assert.deepStrictEqual(
          list.map(({ id }) => id),
          ["product-docs", "api-reference", "handbook", "changelog", "runbook"]
        )
        assert.deepStrictEqual(
          list.find(({ id }) => id === "handbook"),
          { id: "handbook", title: "Own handbook", description: "Replaces the built-in one" }
        )
      })
    )

    rule("add their pages after existing ones with unique slugs, in one revision", () =>
      Effect.gen(function* () {
        const { space, templates } = yield* inSpace
        yield* publish(space, [{ operation: "insert_page", title: "Runbook" }])
        const apply = templates.apply(space, { id: "runbook" })
        assert.deepStrictEqual(yield* emitted(apply), ["space_content_updated"])
        const pages = yield* contentOf(space)
        assert.deepStrictEqual(
          pages.map(({ title }) => title),
          ["Runbook", "Runbook"]
        )
        assert.strictEqual(new Set(pages.map((page) => ("slug" in page ? page.slug : page.id))).size, 2)
      })
    )

    rule("are applied by people who may edit the space, unless it is locked", () =>
      Effect.gen(function* () {
        const { people, spaces, space, templates } = yield* inSpace
        const apply = templates.apply(space, { id: "runbook" })
        assert.deepStrictEqual(yield* outcomes(people, apply), {
          ok: "host admin create review edit",
          Forbidden: "comment read",
          SpaceNotFound: "guest outsider"
        })
        yield* spaces.update(space, { editMode: "locked" })
        assert.strictEqual(yield* outcome(apply), "SpaceLocked")
      })
    )

    rule("write nothing if they have neither pages nor new variables", () =>
      Effect.gen(function* () {
        const { space, templates } = yield* inSpace
        const { generation } = yield* Storage
        const before = yield* generation
        yield* templates.apply(space, { id: "handbook" })
        assert.strictEqual(yield* generation, before)
      })
    )

    rule("are all applied if they are applied at the same time", () =>
      Effect.gen(function* () {
        const { space, templates } = yield* inSpace
        const apply = templates.apply(space, { id: "runbook" })
        yield* Effect.all([apply, apply, apply], { concurrency: "unbounded" })
        assert.strictEqual((yield* contentOf(space)).length, 3)
      })
    )

    rule("reject unknown ids, and references that the space does not contain", () =>
      Effect.gen(function* () {
        const { space, templates } = yield* inSpace
        assert.strictEqual(yield* outcome(templates.apply(space, { id: "unknown" })), "TemplateNotFound")
        const withRefs = (id: string, contentRefs: ContentRefs): TemplateApplication => ({
          id,
          params: { contentRefs }
        })
        const template = builtIn.find(({ contentRefs = [] }) => contentRefs.length > 0)!
        const [ref] = template.contentRefs!
        assert.deepStrictEqual(
          yield* invalidPathsOf<TemplateApplication, CurrentActor>(
            [
              { id: "" },
              { id: "a".repeat(101) },
              withRefs(template.id, { [ref!]: { kind: "file", file: "unknown" } }),
              withRefs("runbook", { ignored: { kind: "file", file: "unknown" } })
            ],
            (input) => templates.apply(space, input)
          ),
          ["id", "id", `body.params.contentRefs.${ref}`, "ok"]
        )
      })
    )

    rule("are the initial content of a new space", () =>
      Effect.gen(function* () {
        const { org, spaces } = yield* inSpace
        const create = spaces.create(org, { template: { id: "runbook" } })
        assert.deepStrictEqual(yield* emitted(create), ["space_created"])
        const pages = yield* contentOf((yield* create).id)
        assert.deepStrictEqual(
          pages.map(({ title }) => title),
          ["Runbook"]
        )
      })
    )
  })
}
