/** Translations: each operation with its status and the shape of its answer. */
import { assert, type Vitest } from "@effect/vitest"
import { JobWorker } from "@lectern/core/job/JobWorker"
import { Language } from "@lectern/core/schema/Language"
import { Effect } from "effect"
import { answers, Harness, has, type Method, type Person, refused, type Services } from "../Harness.ts"
import * as Shapes from "../Shapes.ts"
import { createSpace, spaceWith } from "../Steps.ts"
import { Translation } from "../TranslationShapes.ts"

const runDue = JobWorker.use(({ runDue }) => runDue)

const ofTranslations = Effect.fnUntraced(function* (
  method: Method,
  path: string,
  body?: unknown,
  by: Person = "admin"
) {
  const { call, organization } = yield* Harness
  return yield* call(by, method, `/v1/orgs/${organization}/translations${path}`, body)
})

const create = (input: object) => ofTranslations("POST", "", input).pipe(answers(201, Translation))

const run = Effect.fnUntraced(function* (id: string) {
  yield* ofTranslations("POST", `/${id}/run`).pipe(has(204))
  const running = yield* ofTranslations("GET", `/${id}`).pipe(answers(200, Translation))
  assert.strictEqual(running.status, "running")
  yield* runDue
  return yield* ofTranslations("GET", `/${id}`).pipe(answers(200, Translation))
})

const Entry = Shapes.GlossaryEntry

export const translationOperations = (it: Vitest.MethodsNonLive<Services>) => {
  it.effect("makes a translation, runs it, and shows what came of it", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const { space, idOf } = yield* spaceWith({ Start: "Read `this` first.", Rules: "Be kind." })
      const made = yield* create({
        language: "pt-br",
        source: { space, language: "en" },
        instructions: { markdown: "Say _você_." }
      })
      assert.deepInclude(made, { status: "pending", language: "pt-br", untranslated: 0 })
      assert.deepStrictEqual(made.source, { space, language: "en" })
      assert.deepStrictEqual(made.permissions, { view: true, edit: true })
      assert.isTrue(made.urls.location.endsWith(`/v1/orgs/${organization}/translations/${made.id}`))
      assert.deepStrictEqual(yield* ofTranslations("GET", `/${made.id}`).pipe(answers(200, Translation)), made)
      const done = yield* run(made.id)
      assert.strictEqual(done.status, "completed")
      assert.deepInclude(done.stats, { runs: 1, totalPages: 2, latestPages: 2, latestWords: 6, totalWords: 6 })
      const { space: result, revision, language } = done.result!
      assert.strictEqual(language, "pt-br")
      const shown = yield* call("read", "GET", `/v1/spaces/${result}`).pipe(answers(200, Shapes.Space))
      assert.deepInclude(shown, { title: "Docs (Brazilian Portuguese)", language: "pt-br", revision })
      const page = yield* call("read", "GET", `/v1/spaces/${result}/content/page/${idOf("Start")}`).pipe(has(200))
      assert.deepInclude(JSON.parse(page.text), { title: "⟦Šţáŕţ⟧", markdown: "# ⟦Šţáŕţ⟧\n\n⟦Ŕéáð `this` ƒîŕšţ. ·⟧\n" })
      const again = yield* run(made.id)
      assert.deepStrictEqual(again.result, done.result)
      assert.deepInclude(again.stats, { runs: 2, latestPages: 0, latestWords: 0, totalWords: 6 })
      // The people who may read the source see it; the result is a space like any other.
      const seen = yield* ofTranslations("GET", `/${made.id}`, undefined, "read").pipe(answers(200, Translation))
      assert.deepStrictEqual(seen.permissions, { view: true, edit: false })
      yield* ofTranslations("DELETE", `/${made.id}`).pipe(has(205))
      yield* ofTranslations("DELETE", `/${made.id}`).pipe(has(204))
      yield* ofTranslations("GET", `/${made.id}`).pipe(refused(404))
      yield* ofTranslations("POST", `/${made.id}/run`).pipe(refused(404))
      yield* call("read", "GET", `/v1/spaces/${result}`).pipe(answers(200, Shapes.Space))
    })
  )

  it.effect("lists translations page by page, each for those who may read its source", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id: space } = yield* createSpace()
      const made: Array<string> = []
      for (const language of ["fr", "de", "es"]) made.push((yield* create({ language, source: { space } })).id)
      const listed = Effect.fnUntraced(function* (by: Person) {
        const ids: Array<string> = []
        for (let query = "?limit=2"; ;) {
          const list = yield* ofTranslations("GET", query, undefined, by).pipe(answers(200, Shapes.listOf(Translation)))
          ids.push(...list.items.map(({ id }) => id))
          if (list.next === undefined) {
            assert.lengthOf(ids, list.count)
            return ids
          }
          query = `?limit=2&page=${list.next.page}`
        }
      })
      assert.includeMembers(yield* listed("read"), made)
      const none = yield* create({ language: "fr" })
      assert.include(yield* listed("read"), none.id)
      assert.deepStrictEqual(yield* listed("guest"), [])
      yield* call("admin", "PATCH", `/v1/spaces/${space}`, { defaultLevel: null }).pipe(has(200))
      assert.notIncludeMembers(yield* listed("create"), made)
      assert.includeMembers(yield* listed("admin"), made)
      for (const id of made) yield* ofTranslations("GET", `/${id}`, undefined, "create").pipe(refused(404))
      // Who may edit the source may still not make translations, and the other way round.
      yield* call("admin", "PATCH", `/v1/spaces/${space}`, { defaultLevel: "comment" }).pipe(has(200))
      yield* ofTranslations("POST", "", { language: "it", source: { space } }, "review").pipe(refused(403))
      yield* ofTranslations("POST", `/${made[0]}/run`, undefined, "review").pipe(refused(403))
      for (const wrong of ["?limit=1001", "?limit=0", "?page=x"]) yield* ofTranslations("GET", wrong).pipe(refused(400))
      // In the trash, what is made of it is there for who may take it back.
      yield* call("admin", "DELETE", `/v1/spaces/${space}`).pipe(has(204))
      assert.notIncludeMembers(yield* listed("review"), made)
      assert.includeMembers(yield* listed("admin"), made)
    })
  )

  it.effect("keeps a glossary: what terms are called", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const path = `/v1/orgs/${organization}/translations-glossary`
      const update = (operations: ReadonlyArray<unknown>, by: Person = "create") =>
        call(by, "PUT", path, { operations })
      const list = (query = "", by: Person = "guest") =>
        Effect.map(call(by, "GET", path + query).pipe(answers(200, Shapes.listOf(Entry))), ({ items }) => items)
      const before = (yield* list()).length
      yield* update([
        { type: "insert", translations: { en: "space", de: "Raum" } },
        { type: "insert", translations: { en: "page", fr: "page" } },
        { type: "insert", translations: { fr: "lien" } }
      ]).pipe(has(204))
      const [space, page, link] = (yield* list()).slice(before)
      assert.deepStrictEqual(space!.translations, { en: "space", de: "Raum" })
      assert.deepStrictEqual(yield* call("read", "GET", `${path}/${page!.id}`).pipe(answers(200, Entry)), page)
      const byEnglish = (yield* list("?orderBy=en&limit=1000")).map(({ id }) => id)
      assert.isBelow(byEnglish.indexOf(page!.id), byEnglish.indexOf(space!.id))
      assert.isBelow(byEnglish.indexOf(space!.id), byEnglish.indexOf(link!.id))
      // All or nothing.
      const wrong = { type: "update", id: "none", translations: { en: "x" } }
      yield* update([{ type: "delete", id: space!.id }, wrong]).pipe(refused(404))
      assert.lengthOf(yield* list(), before + 3)
      yield* update([
        { type: "update", id: space!.id, translations: { en: "space", de: "Bereich" } },
        { type: "delete", id: link!.id },
        { type: "delete", id: "none" }
      ]).pipe(has(204))
      assert.deepStrictEqual(
        (yield* list()).slice(before).map(({ translations }) => translations),
        [{ en: "space", de: "Bereich" }, page!.translations]
      )
      for (const translations of [{}, { xx: "a" }, { en: "" }, { en: "a\nb" }, { en: "x".repeat(256) }, { en: 1 }]) {
        yield* update([{ type: "insert", translations }]).pipe(refused(400))
      }
      yield* update(Array.from({ length: 501 }, () => ({ type: "delete", id: "x" }))).pipe(refused(400))
      const many = Array.from({ length: 500 }, (_, i) => ({ type: "insert", translations: { en: `term ${i}` } }))
      yield* update(many).pipe(has(204))
      yield* update(many).pipe(refused(409))
      yield* update([], "edit").pipe(refused(403))
      yield* call("outsider", "GET", path).pipe(refused(404))
      const mine = (yield* list("?limit=1000")).slice(before).map(({ id }) => ({ type: "delete", id }))
      for (let i = 0; i < mine.length; i += 500) yield* update(mine.slice(i, i + 500)).pipe(has(204))
    })
  )

  it.effect("changes the instructions, which the next run keeps to", () =>
    Effect.gen(function* () {
      const { id } = yield* create({ language: "de" })
      const put = (body?: unknown) => ofTranslations("PUT", `/${id}`, body).pipe(answers(200, Translation))
      const document = (yield* put({ instructions: { markdown: "Say *du*." } })).instructions
      assert.deepInclude(document, { object: "document" })
      assert.deepStrictEqual((yield* put()).instructions, document)
      assert.deepStrictEqual((yield* put({ instructions: document })).instructions, document)
      assert.deepStrictEqual((yield* put({ instructions: { document } })).instructions, document)
      assert.deepStrictEqual((yield* put({ instructions: {} })).instructions?.nodes, [])
      for (const instructions of [
        null,
        "text",
        1,
        [],
        { markdown: 1 },
        { nodes: [{}] },
        { markdown: "a", document },
        { markdown: "a ".repeat(40_000) },
        { markdown: "word\n\n".repeat(2_000) }
      ]) {
        const issues = yield* ofTranslations("PUT", `/${id}`, { instructions }).pipe(refused(400))
        assert.match(issues.issues?.[0]?.path ?? "", /^body\.instructions/)
        yield* ofTranslations("POST", "", { language: "de", instructions }).pipe(refused(400))
      }
      yield* ofTranslations("PUT", "/none", {}).pipe(refused(404))
    })
  )

  it.effect("takes every language, and no other", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id: space } = yield* createSpace({ language: "en" })
      assert.lengthOf(Language.literals, 98)
      for (const language of Language.literals) {
        const made = yield* create({ language, source: { space, language: language === "en" ? "de" : "en" } })
        assert.strictEqual(made.language, language)
      }
      for (const language of [undefined, null, "", "EN", "en-us", "klingon", 1, ["de"]]) {
        yield* ofTranslations("POST", "", { language }).pipe(refused(400))
      }
      const foreign = yield* call("outsider", "POST", "/v1/orgs", { title: "Theirs" }).pipe(
        answers(201, Shapes.Organization)
      )
      const theirs = yield* call("outsider", "POST", `/v1/orgs/${foreign.id}/spaces`, {}).pipe(
        answers(201, Shapes.Space)
      )
      for (const source of [
        null,
        "text",
        {},
        { space: null },
        { space: "none" },
        { space: theirs.id },
        { space, language: "xx" },
        { space, language: "fr" },
        { language: "en" }
      ]) {
        const issues = yield* ofTranslations("POST", "", { language: "fr", source }).pipe(refused(400))
        assert.match(issues.issues?.[0]?.path ?? "", /^body\.(source|language)/)
      }
      // The source's own language counts where none is named.
      yield* ofTranslations("POST", "", { language: "en", source: { space } }).pipe(refused(400))
      yield* ofTranslations("GET", "", undefined, "outsider").pipe(refused(404))
      yield* ofTranslations("DELETE", "/none", undefined, "outsider").pipe(refused(404))
    })
  )

  it.effect("says why a run came to nothing", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const none = yield* create({ language: "de" })
      assert.deepInclude(yield* run(none.id), {
        status: "pending",
        lastError: "The translation has no source space, so there is nothing to translate"
      })
      const { id: space } = yield* createSpace()
      const made = yield* create({ language: "de", source: { space } })
      yield* call("admin", "DELETE", `/v1/spaces/${space}`).pipe(has(204))
      assert.strictEqual((yield* run(made.id)).lastError, "The source space was deleted")
    })
  )
}
