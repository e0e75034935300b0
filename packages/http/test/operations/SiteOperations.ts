/** Docs sites and what they are made of: each operation once, with its status and the shape of its answer. */
import { assert, type Vitest } from "@effect/vitest"
import { Effect } from "effect"
import { answers, Harness, has, refused, type Services } from "../Harness.ts"
import * as Shapes from "../Shapes.ts"
import { addSection, addSiteSpace, createSite, ofSite, pathOfSite, patchSite } from "../SiteSteps.ts"
import { createSpace, createTeam } from "../Steps.ts"

const Page = Shapes.listOf(Shapes.Identified)

const titled = (...titles: ReadonlyArray<string>) => Effect.forEach(titles, (title) => createSpace({ title }))

const siteSpaces = (site: string, query = "") =>
  ofSite(site, "GET", `/site-spaces?limit=1000${query}`).pipe(
    answers(200, Shapes.listOf(Shapes.SiteSpace)),
    Effect.map(({ items }) => items)
  )

const sections = (site: string) =>
  ofSite(site, "GET", "/sections?limit=1000").pipe(
    answers(200, Shapes.listOf(Shapes.SiteSection)),
    Effect.map(({ items }) => items)
  )

/** The structure in short: titles, of what holds others with these in brackets, the defaults with a star. */
const outline = (site: string) =>
  ofSite(site, "GET", "/structure").pipe(
    answers(200, Shapes.Structure),
    Effect.map(({ structure }) => {
      const told = (item: (typeof structure)[number] | typeof Shapes.SiteSpace.Type): string => {
        switch (item.object) {
          case "site-space":
            return item.title + (item.default ? "*" : "")
          case "site-section":
            return `${item.title}${item.default ? "*" : ""}(${item.siteSpaces.map(told).join(" ")})`
          case "site-section-group":
            return `${item.title}[${item.sections.map(told).join(" ")}]`
        }
      }
      return structure.map(told).join(" ")
    })
  )

export const siteOperations = (it: Vitest.MethodsNonLive<Services>) => {
  it.effect("makes a site from nothing, with everything that a site must have", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const bare = yield* call("create", "POST", `/v1/orgs/${organization}/sites`).pipe(answers(201, Shapes.Site))
      assert.deepInclude(bare, {
        type: "basic",
        title: "Untitled site",
        visibility: "public",
        published: false,
        siteSpaces: 0,
        adaptiveContent: { enabled: false },
        agentsContext: "included",
        permissions: { view: true, admin: false }
      })
      assert.match(bare.basename, /^untitled-site(-\d+)?$/)
      for (const name of ["hostname", "proxy"] as const) assert.isUndefined(bare[name])
      assert.isUndefined(bare.urls.published)
      assert.deepStrictEqual(yield* ofSite(bare.id, "GET", "/structure").pipe(answers(200, Shapes.Structure)), {
        type: "siteSpaces",
        structure: []
      })
    })
  )

  it.effect("makes sites of spaces, in their order, titled by the first where nothing else is said", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const path = `/v1/orgs/${organization}/sites`
      const [one, two, short] = yield* titled("One", "Two", "X")
      const make = (body: unknown) => call("admin", "POST", path, body)
      const site = yield* make({ spaces: [two!.id, one!.id] }).pipe(answers(201, Shapes.Site))
      assert.deepInclude(site, { title: "Two", siteSpaces: 2, permissions: { view: true, admin: true } })
      assert.deepStrictEqual(
        (yield* siteSpaces(site.id)).map((entry) => [entry.space.id, entry.path, entry.default, entry.section]),
        [
          [two!.id, "two", true, undefined],
          [one!.id, "one", false, undefined]
        ]
      )
      assert.strictEqual((yield* make({ spaces: [short!.id] }).pipe(answers(201, Shapes.Site))).title, "Untitled site")
      const named = { type: "premium", title: "Named", visibility: "unlisted" } as const
      assert.deepInclude(yield* make({ ...named, spaces: [] }).pipe(answers(201, Shapes.Site)), named)
      for (const kind of ["sample", "empty"] as const) {
        const made = yield* make({ title: "Begun", spaces: kind }).pipe(answers(201, Shapes.Site))
        const [first] = yield* siteSpaces(made.id)
        assert.strictEqual(first!.space.title, "Begun")
        const { pages } = yield* call("admin", "GET", `/v1/spaces/${first!.space.id}/content/pages`).pipe(
          answers(200, Shapes.Pages)
        )
        assert.strictEqual(pages.length > 1, kind === "sample")
      }
      const trashed = yield* createSpace()
      yield* call("admin", "DELETE", `/v1/spaces/${trashed.id}`).pipe(has(204))
      for (const spaces of [["unknown"], [trashed.id], [one!.id, "unknown"]]) {
        const { issues } = yield* make({ spaces }).pipe(refused(400))
        assert.strictEqual(issues?.[0]?.path, `body.spaces[${spaces.length - 1}]`)
      }
      yield* make({ spaces: [one!.id, one!.id] }).pipe(refused(409))
      for (const body of [{ title: "X" }, { title: "x".repeat(129) }, { type: "free" }, { spaces: "full" }]) {
        yield* make(body).pipe(refused(400))
      }
    })
  )

  it.effect("lists, shows, changes and removes sites", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const space = yield* createSpace({ title: "Held" })
      const { id } = yield* createSite([space.id], { title: "The Manual" })
      const path = yield* pathOfSite(id)
      const site = yield* call("read", "GET", path).pipe(answers(200, Shapes.Site))
      assert.deepStrictEqual(site.permissions, { view: true, admin: false })
      const name = id.toLowerCase()
      const patch = {
        title: "Handbook",
        visibility: "unlisted",
        basename: `book-${name}`,
        agentsContext: "excluded"
      } as const
      const changed = yield* call("admin", "PATCH", path, patch).pipe(answers(200, Shapes.Site))
      assert.deepInclude(changed, patch)
      const proxy = `www-${name}.example.com/docs`
      const reached = yield* call("admin", "PATCH", path, {
        hostname: `docs-${name}.example.com`,
        proxy,
        adaptiveContent: { enabled: true }
      }).pipe(answers(200, Shapes.Site))
      assert.deepInclude(reached, {
        hostname: `docs-${name}.example.com`,
        adaptiveContent: { enabled: true },
        title: "Handbook"
      })
      assert.strictEqual(reached.proxy?.origin, proxy)
      assert.isTrue(reached.proxy?.target.endsWith(`/book-${name}/`))
      const bare = yield* call("admin", "PATCH", path, { hostname: null, proxy: null }).pipe(answers(200, Shapes.Site))
      assert.deepStrictEqual([bare.hostname, bare.proxy], [undefined, undefined])
      assert.deepStrictEqual(yield* call("admin", "GET", path).pipe(answers(200, Shapes.Site)), bare)

      const published = yield* call("admin", "POST", `${path}/publish`).pipe(answers(200, Shapes.Site))
      assert.isTrue(published.published)
      assert.isTrue(published.urls.published?.endsWith(`/book-${name}/`))
      const list = (query: string) =>
        call("read", "GET", `/v1/orgs/${organization}/sites?limit=1000${query}`).pipe(
          answers(200, Shapes.listOf(Shapes.Site)),
          Effect.map((page) => {
            assert.strictEqual(page.count, page.items.length)
            return page.items.some((item) => item.id === id)
          })
        )
      for (const query of ["", `&space=${space.id}`, "&title=HANDB", "&published=true", `&published=true&title=book`]) {
        assert.isTrue(yield* list(query), query)
      }
      for (const query of ["&space=unknown", "&title=manual", "&published=false", `&space=${space.id}&title=x-y-z`]) {
        assert.isFalse(yield* list(query), query)
      }
      yield* call("admin", "PATCH", path, { title: "Übersicht".normalize("NFD") }).pipe(has(200))
      for (const title of ["übersicht", "UBER"])
        assert.isTrue(yield* list(`&title=${encodeURIComponent(title)}`), title)
      const closed = yield* call("admin", "POST", `${path}/unpublish`).pipe(answers(200, Shapes.Site))
      assert.deepStrictEqual([closed.published, closed.urls.published], [false, undefined])
      assert.isTrue(yield* list("&published=false"))

      yield* call("admin", "DELETE", path).pipe(has(204))
      yield* call("admin", "DELETE", path).pipe(has(204))
      yield* call("admin", "GET", path).pipe(refused(404))
      yield* call("admin", "GET", `/v1/spaces/${space.id}`).pipe(has(200))
      assert.isFalse(yield* list(""))
    })
  )

  it.effect("pages through sites and their parts, and refuses a cursor of another list", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const title = `Paged ${(yield* createSpace()).id}`
      const spaces = yield* titled("A1", "B1", "C1", "D1", "E1")
      const made = yield* Effect.forEach(spaces, ({ id }) => createSite([id], { title }))
      const site = made[0]!.id
      for (const { id } of spaces.slice(1)) yield* addSection(site, id, "Section")
      for (const group of ["One", "Two", "Three"]) {
        yield* ofSite(site, "POST", "/section-groups", { title: group }).pipe(has(201))
      }
      for (const { id } of spaces.slice(2)) yield* addSiteSpace(site, id)
      const path = yield* pathOfSite(site)
      const lists: ReadonlyArray<readonly [string, number]> = [
        [`/v1/orgs/${organization}/sites?title=${encodeURIComponent(title)}`, 5],
        [`${path}/sections?`, 4],
        [`${path}/section-groups?`, 3],
        [`${path}/site-spaces?`, 8],
        [`${path}/site-spaces?default=false`, 7]
      ]
      const cursors: Array<string> = []
      for (const [list, count] of lists) {
        const seen: Array<string> = []
        let next: string | undefined = ""
        while (next !== undefined) {
          const at = next === "" ? "" : `&page=${encodeURIComponent(next)}`
          const page: typeof Page.Type = yield* call("read", "GET", `${list}&limit=2${at}`).pipe(answers(200, Page))
          assert.strictEqual(page.count, count, list)
          seen.push(...page.items.map(({ id }) => id))
          next = page.next?.page
          if (at === "") cursors.push(next!)
        }
        const all = yield* call("read", "GET", `${list}&limit=1000`).pipe(answers(200, Page))
        assert.deepStrictEqual(
          seen,
          all.items.map(({ id }) => id)
        )
        assert.strictEqual(new Set(seen).size, count)
      }
      for (const [i, [list]] of lists.entries()) {
        for (const cursor of cursors.filter((_, other) => other !== i)) {
          yield* call("read", "GET", `${list}&page=${encodeURIComponent(cursor)}`).pipe(refused(400))
        }
      }
    })
  )

  it.effect("adds, changes and removes site spaces, with one default wherever there is any", () =>
    Effect.gen(function* () {
      const [one, two, three, four] = yield* titled("One", "Two", "One", "Four")
      const { id: site } = yield* createSite([one!.id])
      const add = (body: unknown) => ofSite(site, "POST", "/site-spaces", body)
      const second = yield* add({ spaceId: two!.id }).pipe(answers(201, Shapes.SiteSpace))
      assert.deepInclude(second, { title: "Two", path: "two", default: false })
      assert.strictEqual(second.space.id, two!.id)
      const third = yield* add({ spaceId: three!.id }).pipe(answers(201, Shapes.SiteSpace))
      assert.strictEqual(third.path, "one-2")
      yield* add({ spaceId: two!.id }).pipe(refused(409))
      yield* add({ spaceId: "unknown" }).pipe(refused(400))
      yield* add({ spaceId: four!.id, sectionId: "unknown" }).pipe(refused(400))
      yield* add({}).pipe(refused(400))

      const path = `/site-spaces/${third.id}`
      const patch = { path: "Deep.1~_", condition: `visitor.claims.plan == "pro"`, spaceId: four!.id }
      const changed = yield* ofSite(site, "PATCH", path, patch).pipe(answers(200, Shapes.SiteSpace))
      assert.deepInclude(changed, { id: third.id, path: "Deep.1~_", condition: patch.condition, title: "Four" })
      const open = yield* ofSite(site, "PATCH", path, { condition: null }).pipe(answers(200, Shapes.SiteSpace))
      assert.deepInclude(open, { path: "Deep.1~_", title: "Four" })
      assert.isUndefined(open.condition)
      for (const taken of ["TWO", "One"]) {
        yield* ofSite(site, "PATCH", path, { path: taken }).pipe(refused(409))
      }
      yield* ofSite(site, "PATCH", path, { path: "deep.1~_" }).pipe(has(200))
      yield* ofSite(site, "PATCH", path, { spaceId: two!.id }).pipe(refused(409))
      for (const wrong of [
        { path: "" },
        { path: ".." },
        { path: "a/b" },
        { path: "é" },
        { path: "x".repeat(101) },
        { path: null },
        { condition: "" },
        { condition: "visitor." },
        { condition: "x".repeat(1025) },
        { spaceId: "unknown" }
      ]) {
        yield* ofSite(site, "PATCH", path, wrong).pipe(refused(400))
      }
      yield* ofSite(site, "PATCH", "/site-spaces/unknown", { path: "x" }).pipe(refused(404))

      const firstId = (yield* siteSpaces(site))[0]!.id
      assert.deepStrictEqual(
        (yield* siteSpaces(site, "&default=true")).map(({ id }) => id),
        [firstId]
      )
      assert.deepStrictEqual(
        (yield* siteSpaces(site, "&default=false")).map(({ id }) => id),
        [second.id, third.id]
      )
      yield* patchSite(site, { defaultSiteSpace: second.id })
      assert.strictEqual(yield* outline(site), "One Two* Four")
      yield* ofSite(site, "PATCH", "", { defaultSiteSpace: "unknown" }).pipe(refused(400))
      yield* ofSite(site, "DELETE", `/site-spaces/${second.id}`).pipe(has(204))
      assert.strictEqual(yield* outline(site), "One Four*")
      yield* ofSite(site, "DELETE", `/site-spaces/${second.id}`).pipe(has(204))
      yield* ofSite(site, "DELETE", path).pipe(has(204))
      yield* ofSite(site, "DELETE", `/site-spaces/${firstId}`).pipe(has(204))
      assert.strictEqual(yield* outline(site), "")
    })
  )

  it.effect("copies a site space: beside it, or into a section of its own", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const [one, two, three] = yield* titled("One", "Two", "Three")
      const { id: site } = yield* createSite([one!.id, two!.id])
      const condition = "visitor.claims.staff"
      const copy = (id: string, body?: unknown) => ofSite(site, "POST", `/site-spaces/${id}/duplicate`, body)
      const [first] = yield* siteSpaces(site)
      yield* ofSite(site, "PATCH", `/site-spaces/${first!.id}`, { condition }).pipe(has(200))
      const made = yield* copy(first!.id, { draft: false }).pipe(answers(201, Shapes.SiteSpace))
      assert.deepInclude(made, { title: "One (copy)", path: "one-copy", condition, default: false })
      assert.notStrictEqual(made.space.id, one!.id)
      assert.strictEqual(yield* outline(site), "One* One (copy) Two")

      const section = yield* ofSite(site, "POST", "/sections", {
        spaceId: three!.id,
        title: "Third",
        icon: "book"
      }).pipe(answers(201, Shapes.SiteSection))
      yield* ofSite(site, "DELETE", `/site-spaces/${made.id}`).pipe(has(204))
      yield* ofSite(site, "DELETE", `/site-spaces/${first!.id}`).pipe(has(204))
      const [left, only] = yield* siteSpaces(site)
      yield* ofSite(site, "DELETE", `/site-spaces/${left!.id}`).pipe(has(204))
      yield* ofSite(site, "PATCH", `/sections/${section.id}`, { condition }).pipe(has(200))
      yield* ofSite(site, "POST", "/section-groups", { title: "Group", sections: [section.id] }).pipe(has(201))
      const apart = yield* copy(only!.id).pipe(answers(201, Shapes.SiteSpace))
      assert.strictEqual(yield* outline(site), "Group[Third*(Three*) Three (copy)(Three (copy)*)]")
      const second = (yield* sections(site)).find(({ id }) => id === apart.section)
      assert.deepInclude(second, { icon: "book", condition, path: "three-copy" })
      yield* copy(apart.id).pipe(answers(201, Shapes.SiteSpace))

      yield* copy(only!.id, { draft: true }).pipe(refused(400))
      yield* copy("unknown").pipe(refused(404))
      const path = `${yield* pathOfSite(site)}/site-spaces/${only!.id}/duplicate`
      yield* call("create", "POST", path).pipe(refused(403))
      yield* call("outsider", "POST", path).pipe(refused(404))
    })
  )

  it.effect("takes root site spaces into the first section, and lists, changes and removes sections", () =>
    Effect.gen(function* () {
      const [one, two, three] = yield* titled("One", "Two", "Three")
      const { id: site } = yield* createSite([one!.id, two!.id])
      const add = (body: unknown) => ofSite(site, "POST", "/sections", body)
      const first = yield* add({ spaceId: three!.id, title: "Guides", icon: "book" }).pipe(
        answers(201, Shapes.SiteSection)
      )
      assert.deepInclude(first, { title: "Guides", icon: "book", path: "guides", default: true })
      assert.isUndefined(first.sectionGroup)
      assert.isTrue(first.siteSpaces.every(({ section }) => section === first.id))
      assert.strictEqual(yield* outline(site), "Guides*(One* Two Three)")
      const second = yield* add({ spaceId: one!.id, title: "Guides!" }).pipe(answers(201, Shapes.SiteSection))
      assert.deepInclude(second, { path: "guides-2", default: false })
      const untitled = yield* add({ spaceId: two!.id, title: null, icon: null }).pipe(answers(201, Shapes.SiteSection))
      assert.deepInclude(untitled, { title: "Two", path: "two" })
      const symbols = yield* add({ spaceId: two!.id, title: "日本" }).pipe(answers(201, Shapes.SiteSection))
      assert.strictEqual(symbols.path, "section")
      yield* ofSite(site, "DELETE", `/sections/${symbols.id}`).pipe(has(204))
      for (const wrong of [
        {},
        { spaceId: "unknown" },
        { spaceId: one!.id, title: "X" },
        { spaceId: one!.id, icon: 1 }
      ]) {
        yield* add(wrong).pipe(refused(400))
      }
      const added = yield* ofSite(site, "POST", "/site-spaces", { spaceId: three!.id, sectionId: second.id }).pipe(
        answers(201, Shapes.SiteSpace)
      )
      assert.deepInclude(added, { section: second.id, default: false, path: "three" })
      yield* ofSite(site, "POST", "/site-spaces", { spaceId: three!.id }).pipe(refused(409))

      const path = `/sections/${second.id}`
      const patch = { title: "Other", path: "Other", icon: "gear", description: "All else", condition: "true" }
      const changed = yield* ofSite(site, "PATCH", path, { ...patch, defaultSiteSpace: added.id }).pipe(
        answers(200, Shapes.SiteSection)
      )
      assert.deepInclude(changed, patch)
      assert.deepStrictEqual(
        changed.siteSpaces.map((entry) => entry.default),
        [false, true]
      )
      const cleared = yield* ofSite(site, "PATCH", path, { icon: null, description: null, condition: null }).pipe(
        answers(200, Shapes.SiteSection)
      )
      assert.deepStrictEqual([cleared.icon, cleared.description, cleared.condition], [undefined, undefined, undefined])
      const renamed = yield* ofSite(site, "PATCH", path, { title: "Renamed" }).pipe(answers(200, Shapes.SiteSection))
      assert.deepInclude(renamed, { title: "Renamed", path: "Other" })
      yield* ofSite(site, "PATCH", path, { path: "GUIDES" }).pipe(refused(409))
      yield* ofSite(site, "PATCH", path, { defaultSiteSpace: first.siteSpaces[0]!.id }).pipe(refused(400))
      yield* ofSite(site, "PATCH", "/sections/unknown", { title: "None" }).pipe(refused(404))
      for (const wrong of [
        { title: null },
        { path: null },
        { description: "x".repeat(257) },
        { icon: "x".repeat(51) }
      ]) {
        yield* ofSite(site, "PATCH", path, wrong).pipe(refused(400))
      }

      yield* patchSite(site, { defaultSiteSection: second.id })
      assert.strictEqual(yield* outline(site), "Guides(One* Two Three) Renamed*(One Three*) Two(Two*)")
      yield* patchSite(site, { defaultSiteSection: second.id, defaultSiteSpace: renamed.siteSpaces[0]!.id })
      assert.strictEqual(yield* outline(site), "Guides(One* Two Three) Renamed*(One* Three) Two(Two*)")
      assert.deepStrictEqual(
        (yield* siteSpaces(site, "&default=true")).map(({ id }) => id),
        [renamed.siteSpaces[0]!.id]
      )
      yield* ofSite(site, "PATCH", "", { defaultSiteSection: "unknown" }).pipe(refused(400))

      yield* ofSite(site, "DELETE", path).pipe(has(204))
      yield* ofSite(site, "DELETE", path).pipe(has(204))
      assert.strictEqual(yield* outline(site), "Guides(One* Two Three) Two*(Two*)")
      for (const { id } of yield* sections(site)) yield* ofSite(site, "DELETE", `/sections/${id}`).pipe(has(204))
      assert.deepStrictEqual(yield* ofSite(site, "GET", "/structure").pipe(answers(200, Shapes.Structure)), {
        type: "siteSpaces",
        structure: []
      })
    })
  )

  it.effect("groups sections, and leaves them where the group was", () =>
    Effect.gen(function* () {
      const spaces = yield* titled("S1", "S2", "S3", "S4")
      const { id: site } = yield* createSite([])
      const made = yield* Effect.forEach(spaces, ({ id }, i) => addSection(site, id, `Part ${i + 1}`))
      const [one, two, three, four] = made.map(({ id }) => id)
      const add = (body: unknown) => ofSite(site, "POST", "/section-groups", body)
      const group = yield* add({ title: "G", icon: "folder", sections: [three, one] }).pipe(
        answers(201, Shapes.SiteSectionGroup)
      )
      assert.deepInclude(group, { title: "G", icon: "folder" })
      assert.deepStrictEqual(
        group.sections.map(({ id, sectionGroup }) => [id, sectionGroup]),
        [
          [three, group.id],
          [one, group.id]
        ]
      )
      assert.deepStrictEqual(group.children, group.sections)
      assert.strictEqual(yield* outline(site), "Part 2(S2*) Part 4(S4*) G[Part 3(S3*) Part 1*(S1*)]")
      const empty = yield* add({ title: "H", icon: null }).pipe(answers(201, Shapes.SiteSectionGroup))
      assert.isUndefined(empty.icon)
      const path = `/section-groups/${group.id}`
      assert.deepInclude(
        yield* ofSite(site, "PATCH", path, { title: "Group", icon: null }).pipe(answers(200, Shapes.SiteSectionGroup)),
        { title: "Group" }
      )
      const list = yield* ofSite(site, "GET", "/section-groups").pipe(
        answers(200, Shapes.listOf(Shapes.SiteSectionGroup))
      )
      assert.deepStrictEqual(
        list.items.map(({ id, title, icon }) => [id, title, icon]),
        [
          [group.id, "Group", undefined],
          [empty.id, "H", undefined]
        ]
      )
      const joined = yield* ofSite(site, "POST", `${path}/sections`, { sectionId: four }).pipe(
        answers(201, Shapes.SiteSectionGroup)
      )
      assert.deepStrictEqual(
        joined.sections.map(({ id }) => id),
        [three, one, four]
      )
      yield* ofSite(site, "POST", `${path}/sections`, { sectionId: "unknown" }).pipe(refused(400))
      yield* ofSite(site, "POST", "/section-groups/unknown/sections", { sectionId: one }).pipe(refused(404))
      yield* ofSite(site, "DELETE", `${path}/sections/${three}`).pipe(has(204))
      assert.strictEqual(yield* outline(site), "Part 2(S2*) Group[Part 1*(S1*) Part 4(S4*)] Part 3(S3*) H[]")
      for (const gone of [`${path}/sections/${three}`, `${path}/sections/unknown`, "/section-groups/no/sections/no"]) {
        yield* ofSite(site, "DELETE", gone).pipe(has(204))
      }
      yield* ofSite(site, "DELETE", path).pipe(has(204))
      assert.strictEqual(yield* outline(site), "Part 2(S2*) Part 1*(S1*) Part 4(S4*) Part 3(S3*) H[]")
      yield* ofSite(site, "DELETE", path).pipe(has(204))
      yield* ofSite(site, "PATCH", path, { title: "Gone" }).pipe(refused(404))
      for (const wrong of [
        {},
        { title: "" },
        { title: null },
        { title: "G", sections: ["unknown"] },
        { title: "G", sections: two }
      ]) {
        const { status } = yield* add(wrong)
        assert.include([400, 404], status)
      }
    })
  )

  it.effect("sorts the structure, and moves as it was done before", () =>
    Effect.gen(function* () {
      const spaces = yield* titled("S1", "S2", "S3", "S4")
      const { id: site } = yield* createSite([])
      const [a, b, c] = yield* Effect.forEach(spaces.slice(0, 3), ({ id }, i) =>
        addSection(site, id, ["A1", "B1", "C1"][i]!)
      )
      const extra = yield* addSiteSpace(site, spaces[3]!.id, a!.id)
      const group = yield* ofSite(site, "POST", "/section-groups", { title: "G", sections: [c!.id] }).pipe(
        answers(201, Shapes.SiteSectionGroup)
      )
      const section = (id: string) => ({ type: "site-section", id })
      const sort = (item: unknown, position: unknown) => ofSite(site, "PATCH", "/structure/sort", { item, position })
      const moved = yield* sort(section(b!.id), { before: section(c!.id) }).pipe(answers(200, Shapes.SiteSection))
      assert.strictEqual(moved.sectionGroup, group.id)
      assert.strictEqual(yield* outline(site), "A1*(S1* S4) G[B1(S2*) C1(S3*)]")
      yield* sort({ type: "site-section-group", id: group.id }, { before: section(a!.id) }).pipe(
        answers(200, Shapes.SiteSectionGroup)
      )
      yield* sort(
        { type: "site-space", id: extra.id },
        { after: { type: "site-space", id: c!.siteSpaces[0]!.id } }
      ).pipe(answers(200, Shapes.SiteSpace))
      assert.strictEqual(yield* outline(site), "G[B1(S2*) C1(S3* S4)] A1*(S1*)")
      yield* sort(section(b!.id), { after: section(a!.id) }).pipe(has(200))
      assert.strictEqual(yield* outline(site), "G[C1(S3* S4)] A1*(S1*) B1(S2*)")
      const between = { after: section(a!.id), before: section(b!.id) }
      yield* sort({ type: "site-section-group", id: group.id }, between).pipe(has(200))
      assert.strictEqual(yield* outline(site), "A1*(S1*) G[C1(S3* S4)] B1(S2*)")
      const { issues } = yield* sort(section(c!.id), { after: section(b!.id), before: section(a!.id) }).pipe(
        refused(400)
      )
      assert.match(issues?.[0]?.path ?? "", /^body\.position/)
      for (const [item, position] of [
        [section(a!.id), { before: { type: "site-space", id: extra.id } }],
        [section(a!.id), { before: section("unknown") }],
        [{ type: "site-section-group", id: group.id }, { after: section(c!.id) }],
        [{ type: "page", id: "x" }, {}]
      ]) {
        yield* sort(item, position).pipe(refused(400))
      }
      for (const type of ["site-space", "site-section", "site-section-group"]) {
        yield* sort({ type, id: "unknown" }, {}).pipe(refused(404))
      }
      yield* ofSite(site, "PATCH", "/structure/sort", {}).pipe(refused(400))

      const move = (path: string, position?: unknown) =>
        ofSite(site, "POST", `${path}/move`, position === undefined ? undefined : { position })
      yield* move(`/sections/${a!.id}`, { after: { type: "site-section", siteSection: b!.id } }).pipe(
        answers(200, Shapes.SiteSection)
      )
      assert.strictEqual(yield* outline(site), "G[C1(S3* S4)] B1(S2*) A1*(S1*)")
      yield* move(`/sections/${a!.id}`, { before: { type: "site-section-group", id: group.id } }).pipe(has(200))
      assert.strictEqual(yield* outline(site), "A1*(S1*) G[C1(S3* S4)] B1(S2*)")
      yield* move(`/section-groups/${group.id}`, { after: section(b!.id) }).pipe(answers(200, Shapes.SiteSectionGroup))
      yield* move(`/site-spaces/${extra.id}`, { before: { type: "site-space", siteSpace: c!.siteSpaces[0]!.id } }).pipe(
        answers(200, Shapes.SiteSpace)
      )
      assert.strictEqual(yield* outline(site), "A1*(S1*) B1(S2*) G[C1(S4 S3*)]")
      yield* move(`/sections/${a!.id}`).pipe(answers(200, Shapes.SiteSection))
      assert.strictEqual(yield* outline(site), "B1(S2*) G[C1(S4 S3*)] A1*(S1*)")
      for (const path of ["/sections/unknown", "/section-groups/unknown", "/site-spaces/unknown"]) {
        yield* move(path, {}).pipe(refused(404))
      }
      yield* move(`/sections/${a!.id}`, { after: { type: "site-space", siteSpace: extra.id } }).pipe(refused(400))
    })
  )

  it.effect("grants a role on a site to users and teams, and takes it back", () =>
    Effect.gen(function* () {
      const { call, users } = yield* Harness
      const { id: site } = yield* createSite([])
      const path = yield* pathOfSite(site)
      yield* call("guest", "GET", path).pipe(refused(404))
      yield* call("admin", "POST", `${path}/permissions`, { users: [users.guest], role: "read" }).pipe(has(204))
      const seen = yield* call("guest", "GET", path).pipe(answers(200, Shapes.Site))
      assert.deepStrictEqual(seen.permissions, { view: true, admin: false })
      const given = yield* call("admin", "GET", `${path}/permissions/users`).pipe(
        answers(200, Shapes.listOf(Shapes.UserPermission))
      )
      assert.deepStrictEqual(
        given.items.map(({ permission, user }) => [permission, user.id]),
        [["read", users.guest]]
      )
      const all = yield* call("admin", "GET", `${path}/permissions/aggregate?limit=1000`).pipe(
        answers(200, Shapes.listOf(Shapes.UserPermission))
      )
      assert.strictEqual(all.items.find(({ user }) => user.id === users.guest)?.permission, "read")
      assert.strictEqual(all.items.find(({ user }) => user.id === users.create)?.permission, "create")
      yield* call("admin", "PATCH", `${path}/permissions/users/${users.guest}`, { role: "admin" }).pipe(has(204))
      yield* call("guest", "PATCH", path, { title: "Theirs" }).pipe(answers(200, Shapes.Site))
      yield* call("admin", "DELETE", `${path}/permissions/users/${users.guest}`).pipe(has(204))
      yield* call("guest", "GET", path).pipe(refused(404))
      const team = yield* createTeam
      yield* call("admin", "POST", `${path}/permissions`, { teams: [team], role: "read" }).pipe(has(204))
      yield* call("admin", "PATCH", `${path}/permissions/teams/${team}`, { role: "comment" }).pipe(has(204))
      const list = yield* call("admin", "GET", `${path}/permissions/teams`).pipe(
        answers(200, Shapes.listOf(Shapes.TeamPermission))
      )
      assert.deepStrictEqual(
        list.items.map(({ permission, team: { id } }) => [permission, id]),
        [["comment", team]]
      )
      for (let i = 0; i < 2; i++) yield* call("admin", "DELETE", `${path}/permissions/teams/${team}`).pipe(has(204))
    })
  )
}
