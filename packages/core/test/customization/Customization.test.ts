import {
  Customization,
  type CustomizationPatch as Patch,
  CustomizationPatch,
  type CustomizationPut as Put,
  CustomizationPut,
  defaultCustomization,
  merged,
  patched,
  visibleCustomization
} from "@lectern/core/customization/Customization"
import { accepting } from "@lectern/core/schema/Input"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import * as Hosted from "./HostedSettings.ts"
import { full } from "./Settings.ts"
import { runs } from "../Runs.ts"

type Values = Record<string, any>

const acceptPut = accepting(CustomizationPut)
const acceptPatch = accepting(CustomizationPatch)
const acceptComplete = accepting(Customization)

const accepted = (value: unknown): Put => Effect.runSync(acceptPut(value as Put))
const acceptedPatch = (value: unknown): Patch => Effect.runSync(acceptPatch(value as Patch))
const refusal = (value: unknown) => Effect.runSync(Effect.flip(acceptPut(value as Put))).issues.map(({ path }) => path)

/** Groups of settings that are filled in when they are left out: those with a default inside, but the favicon. */
const isGroup = (path: ReadonlyArray<string>) => {
  const value = path.reduce<any>((inner, key) => inner?.[key], defaultCustomization)
  return path[0] !== "favicon" && typeof value === "object" && value !== null && !Array.isArray(value)
}

/** Some of the settings: any of them left out, at any depth. */
const someOf = (values: Values, path: ReadonlyArray<string> = []): fc.Arbitrary<Values> =>
  fc.record(
    Object.fromEntries(
      Object.entries(values).map(([key, value]) => {
        const inner = [...path, key]
        return [key, isGroup(inner) ? someOf(value, inner) : fc.constant(value)]
      })
    ),
    { requiredKeys: [] }
  )

const some = someOf(full) as fc.Arbitrary<Put>

/** The path of every setting, groups aside. */
const paths = (values: Values, path: ReadonlyArray<string> = []): Array<ReadonlyArray<string>> =>
  Object.entries(values).flatMap(([key, value]) => {
    const inner = [...path, key]
    return isGroup(inner) ? paths(value, inner) : [inner]
  })

const at = (value: any, path: ReadonlyArray<string>): any => path.reduce((inner, key) => inner?.[key], value)

const nested = (path: ReadonlyArray<string>, value: unknown): Values =>
  path.reduceRight<any>((inner, key) => ({ [key]: inner }), value)

describe("the settings of the hosted service", () => {
  const against = Hosted.against(Hosted.settings)

  it("are complete by default", () => {
    assert.deepStrictEqual(against(defaultCustomization), [])
    assert.deepStrictEqual(Hosted.against(Hosted.newerSettings)(defaultCustomization), [])
    assert.deepStrictEqual(Effect.runSync(acceptComplete(defaultCustomization)), defaultCustomization)
  })

  it("are told from others", () => {
    const { header: _, ...rest } = defaultCustomization
    assert.isNotEmpty(against(rest))
    assert.isNotEmpty(against({ ...full, ai: { mode: "none of these" } }))
  })

  it("can all be put", () => {
    const missing = (schema: Hosted.JsonSchema, value: any, path: string): Array<string> =>
      Object.entries<Hosted.JsonSchema>(Hosted.resolved(schema).properties ?? {}).flatMap(([key, inner]) =>
        value[key] === undefined ? [`${path}${key}`] : missing(inner, value[key], `${path}${key}.`)
      )
    assert.deepStrictEqual(missing(Hosted.settings, full, ""), [])
    assert.deepStrictEqual(against(full), [])
    const pictured = { ...full, favicon: { icon: full.header.logo } }
    assert.deepStrictEqual(against(pictured), [])
    for (const whole of [full, pictured]) {
      assert.deepStrictEqual(merged(defaultCustomization, accepted(whole)) as unknown, whole)
    }
  })

  it("take exactly the same names", () => {
    let seen = 0
    const check = (schema: Hosted.JsonSchema, path: ReadonlyArray<string>) => {
      const { properties, oneOf, enum: names } = Hosted.resolved(schema)
      for (const [key, inner] of Object.entries<Hosted.JsonSchema>(properties ?? {})) check(inner, [...path, key])
      const literals = names ?? (oneOf as Array<Hosted.JsonSchema> | undefined)?.map(Hosted.resolved)[0]?.enum
      if (literals === undefined) return
      // An announcement is whole.
      const put = (value: string) =>
        path[0] === "announcement" ? { announcement: { ...full.announcement, style: value } } : nested(path, value)
      for (const literal of literals as Array<string>) {
        seen++
        assert.deepStrictEqual(accepted(put(literal)) as unknown, put(literal))
      }
      assert.deepStrictEqual(refusal(put("none of these")), [path.join(".")])
    }
    check(Hosted.settings, [])
    assert.isAbove(seen, 70)
  })

  it("can be changed for a site space wherever the hosted service takes it, and taken back", () => {
    const isPatch = Hosted.against(Hosted.patch)
    const patchable = (schema: Hosted.JsonSchema, path: ReadonlyArray<string> = []): Array<ReadonlyArray<string>> =>
      Object.entries<Hosted.JsonSchema>(schema.properties).flatMap(([key, inner]) =>
        isGroup([...path, key]) && inner.properties !== undefined ? patchable(inner, [...path, key]) : [[...path, key]]
      )
    const all = patchable(Hosted.patch)
    assert.isAbove(all.length, 30)
    for (const path of all) {
      const change = nested(path, at(full, path))
      assert.deepStrictEqual(isPatch(change), [])
      const override = patched({}, acceptedPatch(change))
      assert.deepStrictEqual(override as unknown, change)
      assert.deepStrictEqual(at(merged(defaultCustomization, override), path), at(full, path))
      const back = nested(path, null)
      if (path[0] !== "announcement") assert.deepStrictEqual(isPatch(back), [])
      assert.deepStrictEqual(patched(override, acceptedPatch(back)), {})
    }
  })
})

describe("settings", () => {
  const against = Hosted.against(Hosted.settings)

  it("are complete whatever is left out, and then stay as they are", () => {
    fc.assert(
      fc.property(some, (put) => {
        const complete = merged(defaultCustomization, accepted(put))
        assert.deepStrictEqual(against(complete), [])
        assert.deepStrictEqual(accepted(complete) as unknown, complete)
        assert.deepStrictEqual(merged(defaultCustomization, complete), complete)
      }),
      runs()
    )
  })

  it("are each what was put, else the default", () => {
    fc.assert(
      fc.property(some, (put) => {
        const complete = merged(defaultCustomization, put)
        for (const path of paths(full)) {
          assert.deepStrictEqual(at(complete, path), at(put, path) ?? at(defaultCustomization, path))
        }
      }),
      runs()
    )
  })

  it("of a site space are those of the site but for its own", () => {
    fc.assert(
      fc.property(some, some, (put, override) => {
        const site = merged(defaultCustomization, put)
        assert.deepStrictEqual(merged(site, {}), site)
        assert.deepStrictEqual(merged(site, patched({}, override)), merged(site, override))
        assert.deepStrictEqual(merged(merged(site, override), override), merged(site, override))
      }),
      runs()
    )
  })

  it("of a site space are taken back one by one, by group, or changed again", () => {
    fc.assert(
      fc.property(some, some, fc.shuffledSubarray(paths(full)), (before, change, taken) => {
        let override = patched(patched({}, before), change)
        assert.deepStrictEqual(
          merged(defaultCustomization, override),
          merged(merged(defaultCustomization, before), change)
        )
        for (const path of taken) override = patched(override, acceptedPatch(nested(path, null)))
        for (const path of taken) assert.isUndefined(at(override, path))
        for (const name of Object.keys(full)) override = patched(override, acceptedPatch({ [name]: null }))
        assert.deepStrictEqual(override, {})
      }),
      runs()
    )
  })

  it("have no fields that are unknown", () => {
    const refused = (put: object) => Effect.runSync(Effect.flip(acceptPut(put as Put))).issues
    assert.deepStrictEqual(refused({ styling: { theme: "bold", shine: 7 } }), [
      { path: "styling.shine", message: "Unknown field" }
    ])
    assert.deepStrictEqual(refused({ stylings: {} }), [
      { path: "stylings", message: "Unknown field: did you mean styling?" }
    ])
  })

  it("hide what a condition hides", () => {
    const seen = visibleCustomization(full, ({ condition }) => condition === undefined)
    assert.deepStrictEqual(
      seen.header.links.map(({ title }) => title),
      ["Docs"]
    )
    assert.deepStrictEqual({ ...seen, header: full.header }, full)
  })
})

describe("refused with where it is", () => {
  const link = { title: "x", to: { kind: "url", url: "https://example.com" } }
  const item = { title: "x", to: null, links: [] }
  const many = <A>(value: A, count = 101) => Array.from({ length: count }, () => value)
  const font = full.styling.font as Values
  const to = (url: string) => ({ header: { links: [{ ...item, to: { kind: "url", url } }] } })

  const hostile: ReadonlyArray<readonly [string, unknown, string]> = [
    ["nothing", null, ""],
    ["a list", [], ""],
    ["a text", "bold", ""],
    ["null for a setting", { title: null }, "title"],
    ["null for a group", { styling: null }, "styling"],
    ["a list for a group", { styling: [] }, "styling"],
    ["a text for a group", { header: "bold" }, "header"],
    ["a title of one character", { title: "x" }, "title"],
    ["a title of 129", { title: "x".repeat(129) }, "title"],
    ["half a character", { title: "ab\ud800" }, "title"],
    ["NUL", { footer: { copyright: "a\u0000" } }, "footer.copyright"],
    ["a copyright of 301", { footer: { copyright: "©".repeat(301) } }, "footer.copyright"],
    ["a colour by name", { styling: { primaryColor: { light: "red" } } }, "styling.primaryColor.light"],
    ["a colour of four digits", { styling: { dangerColor: { dark: "#1234" } } }, "styling.dangerColor.dark"],
    ["a colour with more behind it", { styling: { dangerColor: { dark: "#fff\n" } } }, "styling.dangerColor.dark"],
    ["a tint of one mode", { styling: { tint: { color: { light: "#fff" } } } }, "styling.tint.color.dark"],
    ["a font that is not there", { styling: { font: "Comic" } }, "styling.font"],
    ["a font of the other kind", { styling: { monospaceFont: "Inter" } }, "styling.monospaceFont"],
    ["a font without faces", { styling: { font: { ...font, fontFaces: [] } } }, "styling.font.fontFaces"],
    [
      "a font with many",
      { styling: { font: { ...font, fontFaces: many(font.fontFaces[0]) } } },
      "styling.font.fontFaces"
    ],
    [
      "a weight that is none",
      { styling: { font: { ...font, fontFaces: [{ ...font.fontFaces[0], weight: 1001 }] } } },
      "styling.font.fontFaces[0].weight"
    ],
    [
      "a font from a file",
      { styling: { font: { ...font, fontFaces: [{ weight: 1, sources: [{ url: "file:///x" }] }] } } },
      "styling.font.fontFaces[0].sources[0].url"
    ],
    ["a favicon of both kinds", { favicon: { emoji: "🎉", icon: full.header.logo } }, "favicon"],
    ["a favicon that is no picture", { favicon: { icon: "x" } }, "favicon.icon"],
    ["text for an emoji", { favicon: { emoji: "x" } }, "favicon.emoji"],
    ["a logo of one mode", { header: { logo: { light: "https://example.com/x" } } }, "header.logo.dark"],
    [
      "a logo that is a script",
      { footer: { logo: { light: "javascript:1", dark: "https://a.example" } } },
      "footer.logo.light"
    ],
    ["a URL of 2,049", { privacyPolicy: { url: `https://example.com/${"x".repeat(2029)}` } }, "privacyPolicy.url"],
    ["a URL that is empty", { socialPreview: { url: "" } }, "socialPreview.url"],
    ["a link to a script", to("javascript:alert(1)"), "header.links[0].to.url"],
    ["a link to a hidden script", to(" java\nscript:alert(1)"), "header.links[0].to.url"],
    ["a link to data", to("data:text/html,x"), "header.links[0].to.url"],
    ["a link of 2,049", to(`/${"x".repeat(2048)}`), "header.links[0].to.url"],
    ["a link to nothing known", { header: { links: [{ ...item, to: { kind: "hole" } }] } }, "header.links[0].to.kind"],
    [
      "a link without a title",
      { footer: { groups: [{ title: "x", links: [{ to: link.to }] }] } },
      "footer.groups[0].links[0].title"
    ],
    [
      "a title of 65 for a link",
      { footer: { groups: [{ title: "x", links: [{ ...link, title: "x".repeat(65) }] }] } },
      "footer.groups[0].links[0].title"
    ],
    ["many links", { header: { links: many(item) } }, "header.links"],
    ["many links in a menu", { header: { links: [{ ...item, links: many(link) }] } }, "header.links[0].links"],
    ["many groups", { footer: { groups: many({ title: "x", links: [] }) } }, "footer.groups"],
    ["an announcement without a message", { announcement: { enabled: true, style: "info" } }, "announcement.message"],
    [
      "an announcement of 129",
      { announcement: { ...full.announcement, message: "x".repeat(129) } },
      "announcement.message"
    ],
    ["a number for a switch", { pdf: { enabled: 1 } }, "pdf.enabled"],
    [
      "too much altogether",
      { header: { links: many({ ...item, links: many({ ...link, title: "x".repeat(64) }, 20) }, 100) } },
      ""
    ]
  ]

  it.each(hostile)("%s", (_, value, path) => {
    assert.include(refusal(value), path)
  })

  it("in a change too", () => {
    const issues = (value: unknown) =>
      Effect.runSync(Effect.flip(acceptPatch(value as Patch))).issues.map(({ path }) => path)
    assert.deepStrictEqual(issues({ styling: { sidebar: { list: "x" } } }), ["styling.sidebar.list"])
    assert.deepStrictEqual(issues({ header: { links: [null] } }), ["header.links[0]"])
    assert.deepStrictEqual(issues({ favicon: { icon: null } }), ["favicon.icon"])
  })
})
