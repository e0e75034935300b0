/** Search: what it finds, in which order, for whom, and what is refused. */
import { assert, type Vitest } from "@effect/vitest"
import { Effect } from "effect"
import { answers, type Caller, Harness, has, type Person, refused } from "../Harness.ts"
import * as Shapes from "../Shapes.ts"
import {
  addSection,
  addSiteSpace,
  patchSection,
  pathOfSite,
  publishedSite,
  resolve,
  siteSpacesOf
} from "../SiteSteps.ts"
import { createSpace, insertPage, openChangeRequest, publish, spaceWith, write } from "../Steps.ts"

const search = Effect.fnUntraced(function* (space: string, query: string, more = "", by: Person = "read") {
  const { call } = yield* Harness
  const path = `/v1/spaces/${space}/search?query=${encodeURIComponent(query)}${more}`
  return yield* call(by, "GET", path).pipe(answers(200, Shapes.listOf(Shapes.SearchResult)))
})

const titles = (space: string, query: string) =>
  Effect.map(search(space, query), ({ items }) => items.map(({ title }) => title))

/** Whom a search of a site finds what for: titles by the space that they are in. */
const searchSite = Effect.fnUntraced(function* (site: string, body: Record<string, unknown>, by: Caller) {
  const { call } = yield* Harness
  const found = yield* call(by, "POST", `${yield* pathOfSite(site)}/search`, body).pipe(
    answers(200, Shapes.listOf(Shapes.SiteSearchResult))
  )
  const ranks = found.items.flatMap(({ pages }) => pages.map(({ rank }) => rank))
  assert.strictEqual(found.count, ranks.length)
  assert.deepStrictEqual(
    ranks.toSorted((a, b) => a - b),
    ranks.map((_, i) => i + 1)
  )
  for (const { score, pages } of found.items) assert.strictEqual(score, Math.max(...pages.map((page) => page.score)))
  return found.items.map(({ id, pages }) => [id, ...pages.map(({ title }) => title)])
})

export const searchOperations = (it: Vitest.MethodsNonLive<Harness>) => {
  it.effect("finds emoji, in a title and in the section where they stand", () =>
    Effect.gen(function* () {
      const { space } = yield* spaceWith({ "🙂🙃": "Text", Flags: "One\n\n## Two\n\nFor 🇩🇪 and ❤️‍🔥.", Family: "👩‍👩‍👧‍👦" })
      for (const query of ["🙂", "🙃", "🙃🙂"]) assert.deepStrictEqual(yield* titles(space, query), ["🙂🙃"])
      assert.deepStrictEqual(yield* titles(space, "👩‍👩‍👧‍👦"), ["Family"])
      assert.deepStrictEqual(yield* titles(space, "👩"), [])
      for (const query of ["🇩🇪", "❤‍🔥", "❤️‍🔥"]) {
        const { items } = yield* search(space, query)
        assert.deepStrictEqual(
          items.map(({ title, sections = [] }) => [title, ...sections.map((section) => section.title)]),
          [["Flags", "Two"]]
        )
      }
    })
  )

  it.effect("finds pages on a whole site, in the spaces that are asked for", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const [guide, german, calls, other] = [
        yield* spaceWith({ Gateway: "It opens.", Door: "Beside the gateway.", Wall: "No way." }),
        yield* spaceWith({ Pforte: "Gateway, auf Deutsch." }),
        yield* spaceWith({ Calls: "Call the gateway." }),
        yield* spaceWith({ Secret: "Behind the gateway." })
      ] as const
      yield* call("admin", "PATCH", `/v1/spaces/${german.space}`, { language: "de" }).pipe(has(200))
      const site = yield* publishedSite([guide.space])
      const section = yield* addSection(site.id, guide.space, "Guide")
      const translated = yield* addSiteSpace(site.id, german.space, section.id)
      const reference = yield* addSection(site.id, calls.space, "Calls")
      const hidden = yield* addSection(site.id, other.space, "Hidden")
      yield* patchSection(site.id, hidden.id, { condition: "false" })
      const visitor = { token: (yield* resolve(site.urls.published!)).apiToken }
      const inGuide = [guide.space, "Gateway", "Door"]
      const found = (body: Record<string, unknown>, by: Caller = visitor) =>
        searchSite(site.id, { query: "gateway", ...body }, by)
      const places = Effect.map(siteSpacesOf(site.id), (all) => new Map(all.map(({ id, space }) => [space.id, id])))
      const of = (yield* places).get(guide.space)
      assert.sameDeepMembers([...(yield* found({}))], [inGuide, [calls.space, "Calls"]])
      assert.sameDeepMembers(
        [...(yield* found({ scope: { mode: "all" } }))],
        [inGuide, [german.space, "Pforte"], [calls.space, "Calls"]]
      )
      const inGerman = { mode: "default", currentSiteSpace: translated.id }
      assert.sameDeepMembers(
        [...(yield* found({ scope: inGerman }))],
        [
          [german.space, "Pforte"],
          [calls.space, "Calls"]
        ]
      )
      assert.deepStrictEqual(yield* found({ scope: { ...inGerman, restrictTo: "currentSiteSpace" } }), [
        [german.space, "Pforte"]
      ])
      assert.deepStrictEqual(yield* found({ scope: { ...inGerman, restrictTo: "otherSiteSpaces" } }), [
        [calls.space, "Calls"]
      ])
      // As older clients ask.
      assert.deepStrictEqual(yield* found({ mode: "all" }), yield* found({ scope: { mode: "all" } }))
      assert.deepStrictEqual(yield* found({ mode: "specific", siteSpaceIds: [of] }), [inGuide])
      assert.deepStrictEqual(yield* found({ siteSpaceIds: [reference.siteSpaces[0]!.id, "none"] }), [
        [calls.space, "Calls"]
      ])
      assert.sameDeepMembers(
        [...(yield* found({ mode: "current", siteSpaceId: of }))],
        [inGuide, [calls.space, "Calls"]]
      )
      assert.deepStrictEqual(yield* found({ query: "nowhere" }), [])
      assert.deepStrictEqual(
        yield* found({ scope: { mode: "specific", siteSpaceIds: [hidden.siteSpaces[0]!.id] } }),
        []
      )
      const path = `${yield* pathOfSite(site.id)}/search`
      for (const body of [{}, { query: "" }, { query: "x".repeat(513) }, { query: "x", scope: { mode: "no" } }]) {
        yield* call(visitor, "POST", path, body).pipe(refused(400))
      }
      yield* call("outsider", "POST", path, { query: "gateway" }).pipe(refused(404))
      yield* call(visitor, "POST", `${path}/prewarm`).pipe(has(204))
      yield* call("outsider", "POST", `${path}/prewarm`).pipe(refused(404))
    })
  )

  it.effect("finds pages in all of an organization that who asks may read, page by page", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const word = "quarterdeck"
      const open = yield* spaceWith({
        Quarterdeck: "The quarterdeck.",
        Mast: "## The quarterdeck\n\nBehind the quarterdeck."
      })
      const other = yield* spaceWith({
        Keel: "Below the quarterdeck, and below all that stands between it and the sea.",
        Nothing: "At all."
      })
      const closed = yield* spaceWith({ Secret: `The ${word} of nobody.` })
      const deleted = yield* spaceWith({ Gone: word })
      yield* call("admin", "PATCH", `/v1/spaces/${closed.space}`, { defaultLevel: null }).pipe(has(200))
      yield* call("admin", "DELETE", `/v1/spaces/${deleted.space}`).pipe(has(204))
      const path = `/v1/orgs/${organization}/search`
      const found = (query: string, by: Caller = "read", more = "") =>
        call(by, "GET", `${path}?query=${query}${more}`).pipe(answers(200, Shapes.listOf(Shapes.SiteSearchResult)))
      const all = yield* found(word)
      assert.deepStrictEqual(
        all.items.map(({ id, pages }) => [id, pages.map(({ title, rank }) => [title, rank])]),
        [
          [
            open.space,
            [
              ["Quarterdeck", 1],
              ["Mast", 2]
            ]
          ],
          [other.space, [["Keel", 3]]]
        ]
      )
      assert.strictEqual(all.count, 3)
      // A slip is looked for over all spaces, too.
      assert.deepStrictEqual(
        (yield* found("quarterdekc")).items.map(({ id }) => id),
        [open.space, other.space]
      )
      const [titles, listed]: [Array<string>, Array<string>] = [[], []]
      let next = ""
      do {
        const page = yield* found(word, "admin", `&limit=1${next}`)
        assert.strictEqual(page.count, 4)
        for (const { pages } of page.items) titles.push(...pages.map(({ title }) => title))
        next = page.next === undefined ? "" : `&page=${page.next.page}`
        listed.push(next)
      } while (next !== "")
      assert.lengthOf(listed, 4)
      assert.sameMembers(titles, ["Quarterdeck", "Mast", "Keel", "Secret"])
      assert.deepStrictEqual((yield* found(word, "guest")).items, [])
      yield* call("outsider", "GET", `${path}?query=${word}`).pipe(refused(404))
      yield* call("read", "GET", path).pipe(refused(400))
    })
  )

  it.effect("finds titles before headings before text, with the sections that match", () =>
    Effect.gen(function* () {
      const { space, idOf } = yield* spaceWith({
        Text: "Nothing here.\n\n## Start\n\nThe gateway opens at noon.\n\n## End\n\nIt closes.",
        Heading: "## The gateway\n\nIs made of wood.",
        "The gateway": "Wood and iron.",
        Other: "Wood."
      })
      const found = yield* search(space, "gatew")
      assert.strictEqual(found.count, 3)
      assert.deepStrictEqual(
        found.items.map(({ title, rank, resultType }) => [title, rank, resultType]),
        [
          ["The gateway", 1, "page"],
          ["Heading", 2, "section"],
          ["Text", 3, "section"]
        ]
      )
      const [, heading, text] = found.items
      assert.strictEqual(heading!.sections[0]!.title, "The gateway")
      assert.deepStrictEqual(
        text!.sections.map(({ id, title, path, body }) => ({ id, title, path, body })),
        [{ id: "start", title: "Start", path: "text#start", body: "The gateway opens at noon." }]
      )
      assert.strictEqual(text!.id, idOf("Text"))
      assert.isTrue(text!.urls.app.endsWith(text!.id))
      assert.isTrue(text!.sections[0]!.urls.app.endsWith("#start"))
      // Who has all of it comes before who has a part of it.
      const [first, ...others] = yield* titles(space, "wood iron")
      assert.strictEqual(first, "The gateway")
      assert.sameMembers(others, ["Heading", "Other"])
    })
  )

  it.effect(
    "finds other forms of a word, words with a slip, names as they are, and the best where not all is found",
    () =>
      Effect.gen(function* () {
        const { space } = yield* spaceWith({
          Billing: "You can cancel a subscription at any time.",
          Logos: "Customize the logo.",
          Containers: "Never run it with `--privileged`, nor mount `.git/config`.",
          Rights: "Users who are privileged may do more, and config is theirs.",
          Hooks: "Call `useState` first.",
          添加: "LLM节点 是什么",
          Attacks: "On SSRF.",
          Defence: "SSRF is what we guard against. Every address is looked at for SSRF, before and behind SSRF."
        })
        for (const [query, best] of [
          ["subscriptions", "Billing"],
          ["how do I cancel my subscription", "Billing"],
          ["subscritpions", "Billing"],
          ["subscripion", "Billing"],
          ["customise logos", "Logos"],
          ["--privileged", "Containers"],
          ["privileged users", "Rights"],
          [".git/config", "Containers"],
          ["useState", "Hooks"],
          ["LLM节点", "添加"],
          ["节点", "添加"],
          ["ssrf", "Defence"]
        ] as const) {
          assert.strictEqual((yield* titles(space, query))[0], best, query)
        }
        // One slip of a word of five letters or more, not two, and no other word of four.
        assert.deepStrictEqual(yield* titles(space, "subbscriptoin"), [])
        assert.deepStrictEqual(yield* titles(space, "lago"), [])
        const [slip] = (yield* search(space, "privilegedd")).items
        assert.include(slip!.sections[0]!.body, "privileged")
      })
  )

  it.effect("follows what is merged, moved, hidden from it and removed", () =>
    Effect.gen(function* () {
      const { space, idOf } = yield* spaceWith({ Guide: "About turbines." })
      const { id } = yield* openChangeRequest(space)
      yield* write(space, id, [insertPage("Draft", "About turbines too.")])
      assert.deepStrictEqual(yield* titles(space, "turbines"), ["Guide"])
      const { idOf: next } = yield* publish(space, [
        { ...insertPage("Section"), ref: "Section" },
        { operation: "update_page", page: idOf("Guide"), title: "Handbook", document: { markdown: "On *windmills*." } }
      ])
      assert.deepStrictEqual(yield* titles(space, "turbines"), [])
      assert.deepStrictEqual(yield* titles(space, "windm"), ["Handbook"])
      yield* publish(space, [{ operation: "update_page", page: idOf("Guide"), into: next("Section") }])
      const [moved] = (yield* search(space, "handbook")).items
      assert.strictEqual(moved!.path, "section/guide")
      assert.deepStrictEqual(moved!.ancestors, [{ title: "Section" }])
      yield* publish(space, [{ operation: "update_page", page: idOf("Guide"), noIndex: true }])
      assert.deepStrictEqual(yield* titles(space, "handbook"), [])
      yield* publish(space, [{ operation: "update_page", page: idOf("Guide"), noIndex: false }])
      assert.deepStrictEqual(yield* titles(space, "handbook"), ["Handbook"])
      yield* publish(space, [{ operation: "delete_page", page: idOf("Guide") }])
      assert.deepStrictEqual(yield* titles(space, "handbook"), [])
    })
  )

  it.effect("finds a page by the title of a group above it, as the group is called now", () =>
    Effect.gen(function* () {
      const many = "Speech and ElevenLabs, ElevenLabs and speech. ".repeat(10)
      const others = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`Page ${i}`, "About another thing."]))
      const { space } = yield* spaceWith({ Overview: many, Compared: many, ...others })
      const { idOf } = yield* publish(space, [{ operation: "insert_page", type: "group", title: "Voices", ref: "g" }])
      yield* publish(space, [insertPage("ElevenLabs", "Enter the key.", { into: idOf("g") })])
      assert.notStrictEqual((yield* titles(space, "speech synthesis elevenlabs"))[0], "ElevenLabs")
      yield* publish(space, [{ operation: "update_page", page: idOf("g"), title: "Speech synthesis" }])
      assert.strictEqual((yield* titles(space, "speech synthesis elevenlabs"))[0], "ElevenLabs")
    })
  )

  it.effect("finds words of every script, folded", () =>
    Effect.gen(function* () {
      const { space } = yield* spaceWith({
        "Crème brûlée": "Straße",
        天気予報: "明日、東京都は晴れ。ｶﾞｯｺｳ",
        날씨: "내일은 맑습니다",
        Погода: "Ёлка"
      })
      for (const [query, title] of [
        ["CREME", "Crème brûlée"],
        ["strasse", "Crème brûlée"],
        ["京", "天気予報"],
        ["東京", "天気予報"],
        ["東京都は晴れ", "天気予報"],
        ["ガッコウ", "天気予報"],
        ["予報", "天気予報"],
        ["맑습", "날씨"],
        ["елка", "Погода"]
      ] as const) {
        assert.deepStrictEqual(yield* titles(space, query), [title], query)
      }
    })
  )

  it.effect("answers any query of 1 to 512 characters; operators are text, and alone find nothing", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { space } = yield* spaceWith({ Near: "column: title AND not -this" })
      for (const query of ['"', "*", "-", "()", ":", "^", "' OR 1=1 --", "%", "_", "🙂", "{}", "+"]) {
        const { count, items } = yield* search(space, query)
        assert.strictEqual(count, items.length)
        if (!/[a-z]/i.test(query)) assert.strictEqual(count, 0, query)
      }
      for (const query of ["near(title", "title:column", '"near" -this*', "NEAR/5 AND", "title AND nea*"]) {
        assert.deepStrictEqual(yield* titles(space, query), ["Near"], query)
      }
      for (const query of ["x".repeat(512), "東".repeat(512), "a ".repeat(256), "🙂".repeat(512), "東京".repeat(256)]) {
        assert.strictEqual((yield* search(space, query)).count, 0)
      }
      for (const bad of [
        "",
        "?query=",
        `?query=${"x".repeat(513)}`,
        "?query=%00",
        "?query=near&limit=0",
        "?query=near&page=x"
      ]) {
        yield* call("read", "GET", `/v1/spaces/${space}/search${bad}`).pipe(refused(400))
      }
    })
  )

  it.effect("pages through the results of one query, with cursors of that query alone", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const names = Array.from({ length: 7 }, (_, i) => `Recipe ${i}`)
      const { space } = yield* spaceWith(Object.fromEntries(names.map((name) => [name, "Salt."])))
      const seen: Array<string> = []
      let more = "&limit=3"
      for (let turn = 0; turn < 3; turn++) {
        const page = yield* search(space, "recipe", more)
        assert.strictEqual(page.count, 7)
        assert.deepStrictEqual(
          page.items.map(({ rank }) => rank),
          page.items.map((_, i) => seen.length + i + 1)
        )
        seen.push(...page.items.map(({ title }) => title))
        assert.strictEqual(page.next === undefined, turn === 2)
        if (page.next !== undefined) more = `&limit=3&page=${page.next.page}`
      }
      assert.sameMembers(seen, names)
      yield* call("read", "GET", `/v1/spaces/${space}/search?query=salt${more}`).pipe(refused(400))
      const other = yield* createSpace()
      yield* call("read", "GET", `/v1/spaces/${other.id}/search?query=recipe${more}`).pipe(refused(400))
    })
  )

  it.effect("is for who may read the space, while it is there", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { space } = yield* spaceWith({ Secret: "" })
      const path = `/v1/spaces/${space}/search?query=secret`
      yield* call("nobody", "GET", path).pipe(refused(401))
      for (const person of ["guest", "outsider"] as const) yield* call(person, "GET", path).pipe(refused(404))
      yield* call("read", "GET", path).pipe(has(200))
      yield* call("admin", "DELETE", `/v1/spaces/${space}`).pipe(has(204))
      for (const person of ["read", "admin"] as const) yield* call(person, "GET", path).pipe(refused(404))
      yield* call("admin", "POST", `/v1/spaces/${space}/restore`).pipe(has(200))
      assert.deepStrictEqual(yield* titles(space, "secret"), ["Secret"])
    })
  )
}
