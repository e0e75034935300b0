/** A page that its condition hides from a visitor does not exist for it, in any answer. */
import { CurrentActor, type Visitor } from "@lectern/core/access/Actor"
import { ChangeRequestContents } from "@lectern/core/change-request/contents/ChangeRequestContents"
import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import * as Content from "@lectern/core/content/Content"
import type { ContentChange } from "@lectern/core/content/edits/ContentChange"
import * as ContentEditor from "@lectern/core/content/edits/ContentEditor"
import { Contents } from "@lectern/core/content/Contents"
import { FolderExports } from "@lectern/exchange/export/FolderExports"
import { LiveEdits } from "@lectern/core/content/edits/LiveEdits"
import { Objects } from "@lectern/core/content/store/Objects"
import { PageConditions } from "@lectern/core/content/pages/PageConditions"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import { Searches } from "@lectern/core/search/Searches"
import { SiteId } from "@lectern/core/site/Site"
import type { SpaceId } from "@lectern/core/space/Space"
import {
  type AuthorizedSpace,
  rules,
  type SpaceAction,
  SpacePolicy,
  type SiteReader
} from "@lectern/core/space/SpacePolicy"
import { Spaces } from "@lectern/core/space/Spaces"
import { Sites } from "@lectern/core/site/Sites"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, type Scope } from "effect"
import * as fc from "fast-check"
import { adapters } from "../../../../exchange/test/Instances.ts"
import { organization } from "../../Instances.ts"
import * as MemoryObjects from "../store/MemoryObjects.ts"
import { runs } from "../../Runs.ts"

const newSpace = Effect.gen(function* () {
  return (yield* (yield* Spaces).create(yield* organization, {})).id
})

const publish = Effect.fnUntraced(function* (space: SpaceId, changes: ReadonlyArray<ContentChange>) {
  const { id } = yield* (yield* ChangeRequests).create(space, {})
  const contents = yield* ChangeRequestContents
  const written = yield* contents.write(space, id, changes)
  yield* contents.merge(space, id)
  return {
    pages: written.changes.flatMap((change) => (change.object === "created_page" ? change.page.id : [])),
    files: (written.insertedFiles ?? []).map(({ id }) => id)
  }
})

const page = (title: string, rest: object = {}): ContentChange => ({
  operation: "insert_page",
  title,
  slug: title.toLowerCase(),
  ref: title,
  document: { markdown: `## ${title} heading\n\nwords` },
  ...rest
})

const onPlan = (plan: string) => ({ condition: `visitor.claims.plan == "${plan}"` })

const visitorOf = (claims: SiteReader["claims"], kind = JSON.stringify(claims)): SiteReader => ({
  claims,
  kind,
  site: SiteId.make("site"),
  via: "open",
  isPreview: false,
  isVisibleToAll: true,
  showsGit: true
})
const pro = visitorOf({ plan: "pro" })
const free = visitorOf({ plan: "free" })

/** The services as a reader of a site has them: `as` says who asks from then on. */
const reading = Effect.gen(function* () {
  const policy = yield* SpacePolicy
  let visitor: SiteReader | undefined
  const visiting = SpacePolicy.of({
    require: (...asked) => Effect.map(policy.require(...asked), (seen) => ({ ...seen, visitor })),
    readable: (spaces) =>
      Effect.map(policy.readable(spaces), (all) => all.map((seen): AuthorizedSpace => ({ ...seen, visitor })))
  })
  const built = yield* Layer.build(
    Layer.mergeAll(Contents.layer, Searches.layer).pipe(
      Layer.provide(Layer.succeed(SpacePolicy, visiting)),
      Layer.fresh
    )
  )
  const contents = Context.get(built, Contents)
  const searches = Context.get(built, Searches)
  return {
    contents,
    as: (who: SiteReader | undefined) => {
      visitor = who
    },
    titles: Effect.fnUntraced(function* (space: SpaceId) {
      const { pages } = yield* contents.pages(yield* contents.locate({ space }))
      const open = [...pages]
      for (const one of open) if ("pages" in one) open.push(...one.pages)
      return open.map(({ title }) => title).sort()
    }),
    found: Effect.fnUntraced(function* (space: SpaceId, query: string, params: { limit: number; page?: string }) {
      const answer = yield* searches.space(space, query, params)
      return { ...answer, items: answer.items.map(({ title }) => title) }
    })
  }
})

/** Pro has a page with one below it, free has one, a condition of another can't be read. */
const divided = Effect.gen(function* () {
  const space = yield* newSpace
  const { pages } = yield* publish(space, [
    page("Start"),
    page("Pro", onPlan("pro")),
    page("Below", { into: "Pro" }),
    page("Free", { into: "Start", ...onPlan("free") }),
    page("Open", { into: "Start" })
  ])
  const edits = yield* LiveEdits
  const base = yield* edits.begin(space)
  const draft = (yield* Objects).draft()
  const editor = ContentEditor.make(draft, base.content, yield* Timestamps.now)
  // As an import may bring it.
  yield* Effect.orDie(editor.insertPage({ id: "broken", title: "Broken", condition: "visitor.claims. ==" }))
  yield* edits.commit({ base, draft, content: yield* editor.finish })
  return { space, pages }
})

describe("PageConditions", () => {
  const test = (
    title: string,
    body: () => Effect.Effect<void, unknown, Layer.Success<(typeof adapters)["memory"]> | Scope.Scope>
  ) => it.effect(title, () => Effect.provide(body(), Layer.fresh(adapters.memory)))

  test("each sees its own of the tree, the revision and the single pages, whoever asked before", () =>
    Effect.gen(function* () {
      const { space, pages } = yield* divided
      const { as, contents, titles } = yield* reading
      const everything = ["Below", "Broken", "Free", "Open", "Pro", "Start"]
      const sees = [
        [undefined, everything],
        [pro, ["Below", "Open", "Pro", "Start"]],
        [free, ["Free", "Open", "Start"]],
        [visitorOf({}), ["Open", "Start"]]
      ] as const
      const [start, , below] = pages
      for (const [who, expected] of [...sees, ...sees, ...sees.toReversed()]) {
        as(who)
        assert.deepStrictEqual(yield* titles(space), [...expected])
        const at = yield* contents.locate({ space })
        const revision = yield* contents.revision(at)
        assert.deepStrictEqual(revision.pages, (yield* contents.pages(at)).pages)
        for (const [path, title] of [
          ["pro/below", "Below"],
          ["START/free", "Free"],
          ["broken", "Broken"]
        ] as const) {
          const answer = yield* Effect.result(contents.pageAt(at, path))
          assert.strictEqual(answer._tag === "Success", (expected as ReadonlyArray<string>).includes(title), path)
        }
        for (const id of [...pages, "broken"]) {
          const answer = yield* Effect.result(contents.page(at, id))
          const title = answer._tag === "Success" ? answer.success.title : undefined
          if (answer._tag === "Failure") assert.strictEqual(answer.failure._tag, "ContentPageNotFound")
          const index = ["Start", "Pro", "Below", "Free", "Open", "Broken"][[...pages, "broken"].indexOf(id)]!
          assert.strictEqual(title, (expected as ReadonlyArray<string>).includes(index) ? index : undefined)
        }
        const children = yield* contents.page(at, start!)
        assert.deepStrictEqual(
          "pages" in children ? children.pages.map(({ title }) => title) : [],
          expected.filter((title) => title === "Free" || title === "Open")
        )
      }
      as(pro)
      const at = yield* contents.locate({ space })
      assert.strictEqual((yield* contents.page(at, below!)).type, "document")
    }))

  test("a search finds, counts and pages what is there for who asks", () =>
    Effect.gen(function* () {
      const { space } = yield* divided
      const { as, found } = yield* reading
      for (const who of [undefined, pro, free, pro, undefined, free]) {
        as(who)
        const expected =
          who === pro
            ? ["Below", "Open", "Pro", "Start"]
            : who === free
              ? ["Free", "Open", "Start"]
              : ["Below", "Free", "Open", "Pro", "Start"]
        const titles: Array<string> = []
        let next: string | undefined
        do {
          const answer = yield* found(space, "words", { limit: 2, ...(next !== undefined && { page: next }) })
          assert.strictEqual(answer.count, expected.length)
          titles.push(...answer.items)
          next = answer.next?.page
        } while (next !== undefined)
        assert.deepStrictEqual(titles.sort(), expected)
      }
      as(free)
      assert.deepStrictEqual(yield* found(space, "below", { limit: 10 }), { items: [], count: 0 })
    }))

  test("a visitor has the files that something it sees refers to, and no other", () =>
    Effect.gen(function* () {
      const space = yield* newSpace
      const file = (name: string) => ({ name, ref: name, base64: "aGVsbG8=" })
      const names = ["secret.png", "shared.png", "cover.png", "unused.png", "included.png"]
      const { files } = yield* publish(space, [{ operation: "insert_files", files: names.map(file) }])
      const [secret, shared, cover, , included] = files
      const shows = (...ids: ReadonlyArray<string | undefined>) => ({
        document: { markdown: ids.map((id) => `![](/files/${id})`).join("\n\n") }
      })
      yield* publish(space, [
        { operation: "upsert_reusable_content", title: "Included", ...shows(included) },
        page("Pro", { ...onPlan("pro"), ...shows(secret, shared, included) }),
        page("Below", { into: "Pro", cover: { ref: { kind: "file", file: cover! }, yPos: 0 } }),
        page("Start", shows(shared))
      ])
      const { as, contents } = yield* reading
      const seen = Effect.gen(function* () {
        const at = yield* contents.locate({ space })
        const listed = yield* contents.files(at, {})
        const read = yield* Effect.forEach(files, (id) => Effect.result(contents.file(at, id)))
        const readable = read.flatMap((one) => (one._tag === "Success" ? one.success.name : []))
        const listedNames = listed.items.map(({ name }) => name).sort()
        assert.strictEqual(listed.count, listed.items.length)
        assert.deepStrictEqual((yield* contents.revision(at)).files.map(({ name }) => name).sort(), listedNames)
        assert.deepStrictEqual(readable.sort(), listedNames)
        return listedNames
      })
      as(undefined)
      assert.deepStrictEqual(yield* seen, names.toSorted())
      as(pro)
      assert.deepStrictEqual(yield* seen, ["cover.png", "included.png", "secret.png", "shared.png"])
      as(free)
      assert.deepStrictEqual(yield* seen, ["shared.png"])
      as(undefined)
      assert.deepStrictEqual(yield* seen, names.toSorted())
    }))

  test("what stands in a condition of a document shows its files to those for whom it holds", () =>
    Effect.gen(function* () {
      const space = yield* newSpace
      const names = ["pro.png", "others.png", "note.png", "nested.png", "beta.png", "vars.png"]
      const { files } = yield* publish(space, [
        { operation: "insert_files", files: names.map((name) => ({ name, ref: name, base64: "aGVsbG8=" })) }
      ])
      const image = (name: string) => `![](/files/${files[names.indexOf(name)]})`
      const included = (title: string, markdown: string) =>
        ({ operation: "upsert_reusable_content", ref: title, title, document: { markdown } }) as const
      const { contents, as } = yield* reading
      const idOf = Effect.fnUntraced(function* (title: string) {
        const { reusableContents } = yield* contents.revision(yield* contents.locate({ space }))
        return reusableContents.find((one) => one.title === title)!.id
      })
      const includeOf = (title: string) => Effect.map(idOf(title), (id) => `{% include "/reusable-contents/${id}" %}`)
      const ifTold = `{% if page.vars.told %}\n${image("vars.png")}\n{% endif %}`
      yield* publish(space, [included("Nested", image("nested.png"))])
      yield* publish(space, [included("Note", `${yield* includeOf("Nested")}\n\n${image("note.png")}\n\n${ifTold}`)])
      const ifPro = (shown: string, otherwise: string) =>
        `{% if visitor.claims.plan == "pro" %}\n${shown}\n{% else %}\n${otherwise}\n{% endif %}`
      const include = yield* includeOf("Note")
      const { pages } = yield* publish(space, [
        page("Start", {
          document: {
            markdown: `${ifPro(`${image("pro.png")}\n\n${include}`, image("others.png"))}\n\n{% if space.vars.beta %}\n${image("beta.png")}\n{% endif %}`
          }
        })
      ])
      const seen = Effect.fnUntraced(function* (who: SiteReader | undefined) {
        as(who)
        const at = yield* contents.locate({ space })
        const { items } = yield* contents.files(at, {})
        const { reusableContents } = yield* contents.revision(at)
        const files = items.map(({ name }) => name).sort()
        return { files, contents: reusableContents.map(({ title }) => title).sort() }
      })
      const forPro = { files: ["nested.png", "note.png", "pro.png"], contents: ["Nested", "Note"] }
      const forFree = { files: ["others.png"], contents: [] }
      const all = { files: names.toSorted(), contents: ["Nested", "Note"] }
      for (const [who, expected] of [
        [undefined, all],
        [pro, forPro],
        [free, forFree],
        [visitorOf({}), forFree],
        [pro, forPro],
        [undefined, all]
      ] as const) {
        assert.deepStrictEqual(yield* seen(who), expected)
      }
      // A variable of the space, and one of the page, are read where the condition stands.
      yield* publish(space, [
        { operation: "set_variables", variables: { beta: true } },
        { operation: "update_page", page: pages[0]!, variables: { told: true } }
      ])
      assert.deepStrictEqual(yield* seen(free), { files: ["beta.png", "others.png"], contents: [] })
      assert.deepStrictEqual((yield* seen(pro)).files, ["beta.png", "nested.png", "note.png", "pro.png", "vars.png"])
    }))

  test("a visitor is told no condition", () =>
    Effect.gen(function* () {
      const { space, pages } = yield* divided
      const inText = `{% if visitor.claims.plan == "pro" %}\nFor pro\n{% endif %}`
      yield* publish(space, [{ operation: "update_page", page: pages[1]!, document: { markdown: inText } }])
      const { as, contents } = yield* reading
      const answers = Effect.gen(function* () {
        const at = yield* contents.locate({ space })
        return JSON.stringify([
          yield* contents.revision(at),
          yield* contents.pages(at),
          yield* contents.page(at, pages[1]!),
          yield* contents.page(at, pages[1]!, { format: "document" })
        ])
      })
      for (const who of [undefined, pro, undefined]) {
        as(who)
        const told = yield* answers
        assert.include(told, "For pro")
        assert.strictEqual(told.includes("visitor.claims"), who === undefined)
        assert.strictEqual(told.includes('"condition"'), who === undefined)
      }
    }))

  test("visitors share what is the same for them", () =>
    Effect.gen(function* () {
      const { as, contents } = yield* reading
      const pagesAs = Effect.fnUntraced(function* (space: SpaceId, who: SiteReader | undefined) {
        as(who)
        return yield* contents.pages(yield* contents.locate({ space }))
      })
      const plain = yield* newSpace
      yield* publish(plain, [page("Start")])
      const whole = yield* pagesAs(plain, undefined)
      const shown = yield* pagesAs(plain, pro)
      assert.deepStrictEqual(shown, whole)
      assert.strictEqual(yield* pagesAs(plain, free), shown)
      const { space } = yield* divided
      const one = yield* pagesAs(space, visitorOf({ plan: "pro", name: "one" }))
      assert.strictEqual(yield* pagesAs(space, visitorOf({ plan: "pro", name: "other" })), one)
      assert.notStrictEqual(yield* pagesAs(space, free), one)
    }))

  test("a visitor gets nothing of a space but its main content", () =>
    Effect.gen(function* () {
      const { space } = yield* divided
      const spaces = yield* Spaces
      const { organization } = yield* spaces.get(space)
      const sites = yield* Sites
      const site = yield* sites.create(organization, { visibility: "public", spaces: [space] })
      yield* sites.publish(organization, site.id)
      const { claims, kind } = pro
      const actor: Visitor = { type: "visitor", organization, site: site.id, via: "open", claims, kind }
      const asVisitor = Effect.provideService(CurrentActor, actor)

      const contents = yield* Contents
      const at = yield* asVisitor(contents.locate({ space }))
      assert.deepStrictEqual(at.visitor, {
        claims,
        kind,
        site: site.id,
        via: "open",
        isPreview: false,
        isVisibleToAll: true,
        showsGit: false
      })
      assert.deepStrictEqual(
        (yield* contents.pages(at)).pages.map(({ title }) => title),
        ["Start", "Pro"]
      )
      const { count } = yield* asVisitor((yield* Searches).space(space, "words", {}))
      assert.strictEqual(count, 4)
      assert.strictEqual((yield* asVisitor(spaces.get(space))).id, space)

      // The revision that is published now is the same by its id.
      const byId = yield* asVisitor(contents.locate({ space, revision: at.revision.id }))
      assert.deepStrictEqual((yield* contents.pages(byId)).pages, (yield* contents.pages(at)).pages)
      const before = asVisitor(contents.locate({ space, revision: at.revision.parents[0]! }))
      assert.strictEqual((yield* Effect.flip(before))._tag, "RevisionNotFound")

      assert.strictEqual((yield* Effect.flip(contents.changes(at)))._tag, "SpaceNotFound")
      const policy = yield* SpacePolicy
      for (const action of Object.keys(rules) as ReadonlyArray<SpaceAction>) {
        if (action === "see this space" || action === "read this space") continue
        assert.strictEqual((yield* Effect.flip(policy.require(space, action).pipe(asVisitor)))._tag, "SpaceNotFound")
      }
      const changeRequests = yield* ChangeRequests
      const changes = yield* ChangeRequestContents
      const { id } = yield* changeRequests.create(space, {})
      const work: ReadonlyArray<Effect.Effect<unknown, { readonly _tag: string }, CurrentActor>> = [
        changeRequests.list(space, {}),
        changeRequests.get(space, id),
        changes.changes(space, id),
        changes.write(space, id, [page("New")]),
        contents.locate({ space, changeRequest: id }),
        (yield* FolderExports).exportFolder(space, { write: () => Effect.void }),
        spaces.duplicate(space)
      ]
      for (const one of work) assert.strictEqual((yield* Effect.flip(asVisitor(one)))._tag, "SpaceNotFound")
    }))

  it.effect("hides what a look at every page would hide, edit after edit", () =>
    Effect.gen(function* () {
      const context = yield* Effect.context<Objects | PageConditions>()
      const edit = fc.record({
        page: fc.nat(),
        condition: fc.option(fc.constantFrom("visitor.claims.a", "visitor.claims.b", "true", "(", ""), {
          nil: undefined
        }),
        parent: fc.option(fc.nat(), { nil: null })
      })
      const rounds = fc.array(fc.array(edit, { maxLength: 4 }), { minLength: 2, maxLength: 8 })
      const property = fc.asyncProperty(fc.integer({ min: 5, max: 120 }), rounds, (count, rounds) =>
        Effect.gen(function* () {
          const objects = yield* Objects
          const conditions = yield* PageConditions
          const now = yield* Timestamps.now
          const ids = Array.from({ length: count }, (_, i) => `p${i}`)
          let content = Content.empty
          for (const edits of [undefined, ...rounds]) {
            const draft = objects.draft()
            const editor = ContentEditor.make(draft, content, now)
            if (edits === undefined) {
              for (const [i, id] of ids.entries()) {
                yield* editor.insertPage({ id, title: id, parent: i < 3 ? null : `p${Math.floor(i / 3)}` })
              }
            }
            for (const { page, condition, parent } of edits ?? []) {
              const id = ids[page % count]!
              yield* editor.updatePage(id, { condition })
              yield* Effect.result(editor.movePage(id, { parent: parent === null ? null : ids[parent % count]! }))
            }
            content = yield* editor.finish
            yield* draft.flush
            const all = new Map((yield* editor.allPages).map((page) => [page.id as string, page]))
            for (const claims of [{}, { a: true }, { a: true, b: true }]) {
              const holds: Record<string, boolean> = {
                "visitor.claims.a": "a" in claims,
                "visitor.claims.b": "b" in claims
              }
              const isShown = (id: string | null): boolean => {
                const page = id === null ? undefined : all.get(id)
                if (page === undefined) return true
                const own = page.condition === undefined || page.condition === "true" || holds[page.condition] === true
                return own && isShown(page.parent)
              }
              const { reader, hiddenPages } = yield* conditions.visibleContent(content, visitorOf(claims))
              const shown = ids.filter(isShown)
              assert.deepStrictEqual(
                ids.filter((id) => !hiddenPages.has(id)),
                shown
              )
              assert.deepStrictEqual((yield* reader.allPages).map(({ id }) => id as string).sort(), shown.toSorted())
              assert.strictEqual(yield* reader.pageCount, shown.length)
              for (const id of [null, ...ids]) {
                assert.deepStrictEqual(
                  (yield* reader.children(id)).map((child) => child.id as string).sort(),
                  ids.filter((child) => all.get(child)!.parent === id && shown.includes(child)).sort()
                )
              }
            }
          }
        }).pipe(Effect.orDie, Effect.runPromiseWith(context))
      )
      yield* Effect.promise(() => fc.assert(property, runs(40, 160)))
    }).pipe(
      Effect.provide(
        Layer.fresh(PageConditions.layer.pipe(Layer.provideMerge(Objects.layer))).pipe(
          Layer.provide(MemoryObjects.ports())
        )
      )
    )
  )
})
