/**
 * Bad input to a site gets a sentence that says what is wrong and where, and the site stays as it was, to the
 * last byte of everything that is kept with it.
 */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Harness, has, onEachAdapter, refused } from "./Harness.ts"
import { areRefused, makeSite, type Refusal, says } from "./SiteRefusals.ts"
import {
  addSiteSpace,
  createSite,
  isNowhere,
  json,
  ofSite,
  patchSite,
  publishSite,
  resolve,
  siteSpacesOf
} from "./SiteSteps.ts"
import { createSpace } from "./Steps.ts"

onEachAdapter("Bad input to sites", (it) => {
  it.effect("spaces that can't stand there", () =>
    Effect.gen(function* () {
      const { call, elsewhere, organization } = yield* Harness
      const site = yield* makeSite
      const foreign = yield* call("outsider", "POST", `/v1/orgs/${elsewhere}/spaces`, {}).pipe(json(201))
      const trashed = yield* createSpace()
      yield* call("admin", "DELETE", `/v1/spaces/${trashed.id}`).pipe(has(204))
      const into = (spaceId: unknown, what: string, status: 400 | 409 = 400, at?: string): ReadonlyArray<Refusal> => [
        [what, status, "POST", "/site-spaces", { spaceId }, at],
        [what, status, "POST", "/site-spaces", { spaceId, sectionId: site.first.id }, at],
        [what, status, "PATCH", `/site-spaces/${site.variant.id}`, { spaceId }, at]
      ]
      const section = (spaceId: unknown, what: string): Refusal => [
        what,
        400,
        "POST",
        "/sections",
        { spaceId, title: "New" },
        "body.spaceId"
      ]
      const absent: ReadonlyArray<readonly [unknown, string]> = [
        [foreign.id, "of another organization"],
        [trashed.id, "in the trash"],
        ["absent", "unknown"],
        ["", "empty"],
        [site.id, "a site"],
        [null, "null"],
        [1, "a number"],
        [[site.four], "a list"]
      ]
      yield* areRefused(site.id, [
        ...absent.flatMap(([space, what]) => [...into(space, what, 400, "body.spaceId"), section(space, what)]),
        ...into(site.one, "twice in a section", 409),
        ["in a section that is not there", 400, "POST", "/site-spaces", { spaceId: site.two, sectionId: "absent" }],
        ["in a group", 400, "POST", "/site-spaces", { spaceId: site.two, sectionId: site.group }]
      ])
      const sites = call("admin", "GET", `/v1/orgs/${organization}/sites?limit=1000`).pipe(json(200))
      const before = yield* sites
      for (const [space, what] of absent) {
        const answer = yield* call("admin", "POST", `/v1/orgs/${organization}/sites`, { spaces: [site.one, space] })
        says(answer, 400, what, "body.spaces[1]")
      }
      const create = (input: unknown) => call("admin", "POST", `/v1/orgs/${organization}/sites`, input)
      says(yield* create({ spaces: [site.one, site.two, site.one] }), 409, "twice")
      for (const spaces of ["other", site.one, {}, null, Array(101).fill(site.one)])
        says(yield* create({ spaces }), 400, "spaces")
      for (const input of [
        { title: "x" },
        { title: "x".repeat(129) },
        { type: "free" },
        { visibility: "private" },
        { title: null }
      ]) {
        says(yield* create(input), 400, JSON.stringify(input))
      }
      assert.deepStrictEqual(yield* sites, before)
      // The same space may stand in two sections, each at its own path.
      yield* addSiteSpace(site.id, site.one, site.third.id)
    })
  )

  it.effect("a space twice at the root, or moved to where it stands", () =>
    Effect.gen(function* () {
      const [one, two] = [yield* createSpace(), yield* createSpace()]
      const { id } = yield* publishSite((yield* createSite([one.id, two.id])).id)
      const [first] = yield* siteSpacesOf(id)
      yield* areRefused(id, [
        ["twice", 409, "POST", "/site-spaces", { spaceId: one.id }],
        ["twice", 409, "PATCH", `/site-spaces/${first!.id}`, { spaceId: two.id }],
        ["a section where there is none", 400, "POST", "/site-spaces", { spaceId: one.id, sectionId: "absent" }],
        ["a default section where there is none", 400, "PATCH", "", { defaultSiteSection: first!.id }]
      ])
      const site = yield* makeSite
      const again = yield* addSiteSpace(site.id, site.four, site.second.id)
      const item = { type: "site-space", id: again.id }
      const beside = { type: "site-space", id: site.variant.id }
      yield* areRefused(site.id, [
        ["twice by sorting", 409, "PATCH", "/structure/sort", { item, position: { after: beside } }],
        [
          "twice by moving",
          409,
          "POST",
          `/site-spaces/${again.id}/move`,
          { position: { before: { type: "site-space", siteSpace: site.variant.id } } }
        ]
      ])
    })
  )

  it.effect("places where a thing can't stand", () =>
    Effect.gen(function* () {
      const site = yield* makeSite
      const stranger = yield* makeSite
      const section = (id: string) => ({ type: "site-section", id })
      const group = (id: string) => ({ type: "site-section-group", id })
      const siteSpace = (id: string) => ({ type: "site-space", id })
      const sort = (
        what: string,
        item: unknown,
        position: unknown,
        at: string | undefined,
        status: 400 | 404 = 400
      ): Refusal => [what, status, "PATCH", "/structure/sort", { item, position }, at]
      const [before, after] = ["body.position.before", "body.position.after"]
      const entry = site.first.siteSpaces[0]!.id
      yield* areRefused(site.id, [
        sort("a group in a group", group(site.other), { after: section(site.first.id) }, after),
        sort("a group in a group", group(site.other), { before: section(site.second.id) }, before),
        sort("a group in itself", group(site.group), { before: section(site.first.id) }, before),
        ["a group in a group", 400, "POST", "/section-groups", { title: "New", sections: [site.other] }],
        ["a group in a group", 400, "POST", `/section-groups/${site.group}/sections`, { sectionId: site.other }],
        ["a site space in a group", 400, "POST", `/section-groups/${site.group}/sections`, { sectionId: entry }],
        ["no section", 400, "POST", `/section-groups/${site.group}/sections`, { sectionId: "absent" }],
        ["no group", 404, "POST", "/section-groups/absent/sections", { sectionId: site.first.id }],
        [
          "a section of another site",
          400,
          "POST",
          `/section-groups/${site.group}/sections`,
          { sectionId: stranger.first.id }
        ],
        sort("a section beside a site space", section(site.third.id), { after: siteSpace(entry) }, after),
        sort("a site space beside a section", siteSpace(entry), { before: section(site.first.id) }, before),
        sort("a site space beside a group", siteSpace(entry), { before: group(site.group) }, before),
        sort("beside what is not there", section(site.third.id), { before: section("absent") }, before),
        sort("beside what is of another site", section(site.third.id), { after: section(stranger.first.id) }, after),
        sort("beside a thing by another's kind", section(site.third.id), { after: group(site.first.id) }, after),
        sort(
          "between what are no neighbours",
          section(site.third.id),
          { after: section(site.second.id), before: section(site.first.id) },
          "body.position"
        ),
        sort(
          "between levels",
          section(site.third.id),
          { after: section(site.second.id), before: group(site.other) },
          "body.position"
        ),
        sort(
          "between sections",
          siteSpace(entry),
          { after: siteSpace(site.variant.id), before: siteSpace(site.second.siteSpaces[0]!.id) },
          "body.position"
        ),
        sort("what is not there", section("absent"), {}, undefined, 404),
        sort("what is of another kind", group(site.first.id), {}, undefined, 404),
        sort("what is of another site", siteSpace(stranger.variant.id), {}, undefined, 404),
        sort("no kind", { type: "page", id: entry }, {}, "body.item.type"),
        sort("no item", undefined, {}, "body.item"),
        sort("no position", section(site.third.id), undefined, "body.position"),
        sort("no reference", section(site.third.id), { before: site.first.id }, before),
        sort("no reference", section(site.third.id), { after: { type: "site-section" } }, "body.position.after.id"),
        [
          "beside a section",
          400,
          "POST",
          `/site-spaces/${entry}/move`,
          { position: { before: { type: "site-section", siteSection: site.first.id } } }
        ],
        [
          "beside what is not there",
          400,
          "POST",
          `/site-spaces/${entry}/move`,
          { position: { before: { type: "site-space", siteSpace: "absent" } } },
          before
        ],
        [
          "beside a site space",
          400,
          "POST",
          `/sections/${site.third.id}/move`,
          { position: { after: { type: "site-space", siteSpace: entry } } }
        ],
        [
          "beside what is not there",
          400,
          "POST",
          `/sections/${site.third.id}/move`,
          { position: { after: { type: "site-section", siteSection: "absent" } } },
          after
        ],
        [
          "a group in a group",
          400,
          "POST",
          `/section-groups/${site.other}/move`,
          { position: { after: section(site.first.id) } },
          after
        ],
        [
          "a default that is not there",
          400,
          "PATCH",
          `/sections/${site.first.id}`,
          { defaultSiteSpace: site.second.siteSpaces[0]!.id }
        ],
        ["a default that is not there", 400, "PATCH", "", { defaultSiteSpace: "absent" }],
        ["a default that is of another site", 400, "PATCH", "", { defaultSiteSection: stranger.first.id }],
        [
          "a half of a patch",
          400,
          "PATCH",
          "",
          { title: "Half", defaultSiteSection: site.second.id, defaultSiteSpace: entry }
        ],
        [
          "a half of a patch",
          400,
          "PATCH",
          `/sections/${site.first.id}`,
          { title: "Half", path: "half", defaultSiteSpace: "absent" }
        ]
      ])
    })
  )

  const badPaths: ReadonlyArray<readonly [string, unknown]> = [
    ["a slash", "a/b"],
    ["a slash alone", "/"],
    ["a backslash", "a\\b"],
    ["a space", "a b"],
    ["a space behind it", "a "],
    ["a line break", "a\n"],
    ["no more than itself", "."],
    ["what is above", ".."],
    ["what is above, encoded", "%2e%2e"],
    ["101 characters", "x".repeat(101)],
    ["nothing", ""],
    ["a question mark", "a?b"],
    ["a hash", "a#b"],
    ["a letter of another script", "é"],
    ["an emoji", "🎉"],
    ["NUL", "a\u0000"],
    ["half a character", "\ud800"],
    ["null", null],
    ["a number", 1],
    ["a list", ["a"]]
  ]

  it.effect("paths that no URL could have, and those that are taken", () =>
    Effect.gen(function* () {
      const site = yield* makeSite
      const other = yield* makeSite
      const entry = site.first.siteSpaces[0]!
      yield* areRefused(site.id, [
        ...badPaths.flatMap(([what, path]): ReadonlyArray<Refusal> => [
          [what, 400, "PATCH", `/sections/${site.first.id}`, { title: "New", path }, "body.path"],
          [what, 400, "PATCH", `/site-spaces/${entry.id}`, { condition: "true", path }, "body.path"],
          [what, 400, "PATCH", "", { title: "New", basename: path }, "body.basename"]
        ]),
        ["taken by a sibling", 409, "PATCH", `/sections/${site.first.id}`, { title: "New", path: "second" }],
        ["taken in another case", 409, "PATCH", `/sections/${site.first.id}`, { title: "New", path: "SeconD" }],
        ["taken outside the group", 409, "PATCH", `/sections/${site.first.id}`, { path: "Third" }],
        ["taken by a variant", 409, "PATCH", `/site-spaces/${entry.id}`, { condition: "true", path: "FOUR" }],
        ["taken by another site", 409, "PATCH", "", { title: "New", basename: other.basename.toUpperCase() }]
      ])
      // Its own path in another case is no other path, and 100 characters are not too many.
      for (const path of ["FIRST", "x".repeat(100), "...", "~a_b-c.d"]) {
        yield* ofSite(site.id, "PATCH", `/sections/${site.first.id}`, { path }).pipe(has(200))
      }
    })
  )

  it.effect("addresses that no site could have, and those that are taken", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const site = yield* makeSite
      const other = yield* makeSite
      yield* patchSite(other.id, { hostname: "docs.taken.example.com", proxy: "Taken.example.com/Docs" })
      const bad = (field: string, values: ReadonlyArray<unknown>): ReadonlyArray<Refusal> =>
        values.map((value) => [
          `${field} ${String(value).slice(0, 50)}`,
          400,
          "PATCH",
          "",
          { title: "New", [field]: value },
          `body.${field}`
        ])
      yield* areRefused(site.id, [
        ...bad("hostname", [
          "",
          "localhost",
          "example.com",
          "Docs.example.com",
          "docs.example.com/",
          "https://docs.example.com",
          "docs.example.com:80",
          "docs..example.com",
          "-docs.example.com",
          "127.0.0.1",
          "[::1]",
          "docs.exämple.com",
          `${"x".repeat(64)}.example.com`,
          `${"x.".repeat(300)}example.com`,
          "docs.example.com\n",
          1,
          {}
        ]),
        ...bad("proxy", [
          "",
          "example.com",
          "example.com/",
          "/docs",
          "https://example.com/docs",
          "example.com/docs/",
          "example.com//docs",
          "example.com/a b",
          "example.com/..",
          "example.com/docs?x",
          "localhost/docs",
          `example.com/${"x".repeat(520)}`,
          "example.com/docs\n",
          1,
          {}
        ]),
        ...bad("title", ["x", "x".repeat(129), "", null, 1]),
        ...bad("visibility", ["private", "in-collection", "", null]),
        ...bad("adaptiveContent", [null, true]),
        ["adaptiveContent", 400, "PATCH", "", { adaptiveContent: { enabled: "yes" } }, "body.adaptiveContent.enabled"],
        ["taken", 409, "PATCH", "", { title: "New", hostname: "docs.taken.example.com" }],
        ["taken", 409, "PATCH", "", { title: "New", proxy: "taken.example.com/docs" }],
        // What is fine in itself is not stored where something beside it is refused.
        ["half a patch", 409, "PATCH", "", { basename: "fine", hostname: "docs.taken.example.com" }]
      ])
      yield* isNowhere("http://127.0.0.1:4000/sites/fine/")
      yield* resolve(site.base)
      yield* call("admin", "GET", "/v1/custom-hostnames/docs.fine.example.com").pipe(refused(404))
    })
  )

  const badConditions: ReadonlyArray<readonly [string, unknown]> = [
    ["1,025 characters", `"${"x".repeat(1023)}"`],
    ["nothing", ""],
    ["spaces", "   "],
    ["half an expression", "visitor.claims.plan =="],
    ["an open parenthesis", "(true"],
    ["two expressions", "true; true"],
    ["an assignment", "visitor.claims.plan = 1"],
    ["another name", "window.location"],
    ["a call", "fetch('x')"],
    ["a method of a prototype", "visitor.claims.constructor.constructor('x')()"],
    ["a prototype", "visitor.claims.__proto__"],
    ["the visitor itself", "visitor"],
    ["a function", "() => true"],
    ["a template", "`${visitor.claims.a}`"],
    ["a comment", "true // x"],
    ["a pattern", "/a/.test('a')"],
    ["too deep", `${"(".repeat(65)}true${")".repeat(65)}`],
    ["much too deep", "!".repeat(1024)],
    ["NUL", "true\u0000"],
    ["half a character", "'\ud800'"],
    ["a boolean", true],
    ["an object", {}]
  ]

  it.effect("conditions that can't be read", () =>
    Effect.gen(function* () {
      const site = yield* makeSite
      const entry = site.first.siteSpaces[0]!
      yield* areRefused(
        site.id,
        badConditions.flatMap(([what, condition]): ReadonlyArray<Refusal> => [
          [what, 400, "PATCH", `/sections/${site.first.id}`, { title: "New", condition }, "body.condition"],
          [what, 400, "PATCH", `/site-spaces/${entry.id}`, { path: "new", condition }, "body.condition"]
        ])
      )
      for (const condition of [`"${"x".repeat(1022)}"`, "visitor.claims.unsigned.a?.b in ['x']", null]) {
        yield* ofSite(site.id, "PATCH", `/sections/${site.first.id}`, { condition }).pipe(has(200))
      }
    })
  )

  it.effect("texts of sections and groups that are too short or too long", () =>
    Effect.gen(function* () {
      const site = yield* makeSite
      const section = `/sections/${site.first.id}`
      const long = (n: number) => "x".repeat(n)
      yield* areRefused(site.id, [
        ...["x", long(129), "", 1, "a\u0000"].flatMap((title): ReadonlyArray<Refusal> => [
          ["title", 400, "PATCH", section, { title, path: "new" }, "body.title"],
          ["title", 400, "POST", "/sections", { spaceId: site.one, title }, "body.title"]
        ]),
        ["title", 400, "PATCH", section, { title: null }, "body.title"],
        ["description", 400, "PATCH", section, { description: long(257) }, "body.description"],
        ["icon", 400, "PATCH", section, { icon: long(51) }, "body.icon"],
        ["icon", 400, "POST", "/sections", { spaceId: site.one, icon: long(51) }, "body.icon"],
        ...["", long(101), null, 1].flatMap((title): ReadonlyArray<Refusal> => [
          ["title", 400, "POST", "/section-groups", { title }, "body.title"],
          ["title", 400, "PATCH", `/section-groups/${site.group}`, { title }, "body.title"]
        ]),
        ["icon", 400, "PATCH", `/section-groups/${site.group}`, { icon: long(51) }, "body.icon"],
        ["sections", 400, "POST", "/section-groups", { title: "New", sections: site.first.id }, "body.sections"],
        ["sections", 400, "POST", "/section-groups", { title: "New", sections: [site.first.id, "absent"] }],
        ["no section", 404, "PATCH", "/sections/absent", { title: "New" }],
        ["no site space", 404, "PATCH", "/site-spaces/absent", { path: "new" }],
        ["no group", 404, "PATCH", "/section-groups/absent", { title: "New" }]
      ])
    })
  )
})
