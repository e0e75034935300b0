/** The look of sites: colours that are read whatever was chosen, words in every language, and how much is sent. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { brotliCompressSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { defaultCustomization } from "@lectern/core/customization/Customization"
import * as fc from "fast-check"
import { bundleSiteFonts } from "../../../bundle/SiteFonts.ts"
import { runs } from "../../core/test/Runs.ts"
import { readFonts } from "../../services-node/src/site/NodeFonts.ts"
import * as Colors from "../src/styling/Colors.ts"
import * as Fonts from "../src/styling/Fonts.ts"
import * as Palette from "../src/styling/Palette.ts"
import * as Scripts from "../src/styling/Scripts.ts"
import * as SiteStylesheet from "../src/styling/SiteStylesheet.ts"
import * as CustomizationStyle from "../src/styling/CustomizationStyle.ts"
import * as Layout from "../src/page/Layout.ts"
import * as LocalizedMessages from "../src/page/LocalizedMessages.ts"
import { parts } from "./Drawing.ts"
import { customized, everySetting, examplePage } from "./ExamplePages.ts"

const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`)
const themed = fc.record({ light: colour, dark: colour })

/** Text, and the grounds that it stands on. */
const pairs: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
  ["ink", ["ground", "panel", "raised"]],
  ["muted", ["ground", "panel", "raised"]],
  ["primary", ["ground", "panel", "raised", "primary-soft"]],
  ["on-primary", ["primary-fill"]],
  ["on-bar", ["bar"]],
  ["bar-muted", ["bar"]],
  ["bar-field-ink", ["bar-field"]],
  ...["info", "success", "warning", "danger"].map(
    (name) => [name, ["ground", "panel", "raised", `${name}-soft`]] as const
  )
]

describe("Palette", () => {
  it("has text that is read on its grounds, whatever colours a site has", () =>
    fc.assert(
      fc.property(
        fc.record({
          theme: fc.constantFrom("clean", "muted", "bold", "gradient" as const),
          background: fc.constantFrom("plain", "match" as const),
          primaryColor: themed,
          tint: fc.record({ color: themed }),
          infoColor: themed,
          dangerColor: themed
        }),
        fc.record({
          preset: fc.constantFrom("default", "bold", "contrast", "custom", "none" as const),
          backgroundColor: themed,
          linkColor: themed
        }),
        (styling, header) => {
          for (const mode of ["light", "dark"] as const) {
            const palette = Palette.paletteOf(customized({ styling, header }), mode)
            for (const [text, grounds] of pairs) {
              for (const ground of grounds) {
                const found = Colors.contrast(palette[text]!, palette[ground]!)
                assert.isAtLeast(found, 4.5, `${mode}: ${text} ${palette[text]} on ${ground} ${palette[ground]}`)
              }
            }
          }
        }
      ),
      runs(60)
    ))

  it("keeps a colour that is read as it is", () => {
    assert.strictEqual(Colors.makeReadable("#2f5bd7", ["#ffffff"]), "#2f5bd7")
    assert.strictEqual(Colors.toHex(Colors.lchOf("#2f5bd7")), "#2f5bd7")
  })
})

describe("Style", () => {
  it("is nothing for a site that nobody changed", () => {
    assert.strictEqual(CustomizationStyle.styleOf(defaultCustomization).text, "")
    assert.isUndefined(CustomizationStyle.classes(defaultCustomization))
  })

  it("holds nothing of a setting that ends it", () => {
    const hostile = `x"}</style><script>alert(1)</script>`
    const font = {
      id: hostile,
      custom: true,
      fontFamily: hostile,
      fontFaces: [
        { weight: 400, sources: [{ url: `https://fonts.test/${encodeURI(hostile)}")`, format: "woff2" as const }] },
        { weight: 700, sources: [{ url: `https://fonts.test/100%?a=\\%` }] }
      ]
    }
    const { text } = CustomizationStyle.styleOf(customized({ styling: { font } }))
    assert.notMatch(text, /<|x"|"\)\s*"/)
    assert.include(text, "https://fonts.test/")
    assert.include(text, `url("https://fonts.test/100%?a=%5C%")`)
    assert.notInclude(Fonts.fontFamily(font, "text"), "<")
  })
})

describe("Words", () => {
  const textsOf = (value: unknown): ReadonlyArray<string> =>
    typeof value === "string"
      ? [value]
      : typeof value === "function"
        ? [String(value("{name}")), String(value(2))]
        : typeof value === "object" && value !== null
          ? Object.values(value).flatMap(textsOf)
          : []

  for (const language of LocalizedMessages.languages) {
    it(`says everything in ${language}`, () => {
      const { api, date, bytes, ...words } = LocalizedMessages.messagesFor(language)
      const { api: ofEnglish, date: _, bytes: __, ...english } = LocalizedMessages.messagesFor("en")
      const texts = textsOf(words)
      const known = textsOf(english)
      assert.isEmpty(texts.filter((text) => text.trim() === ""))
      assert.strictEqual(texts.length, known.length)
      assert.strictEqual(textsOf(api).length, textsOf(ofEnglish).length)
      // Names and words that languages share: Menu, Version, Code.
      if (language !== "en") assert.isBelow(known.filter((text) => texts.includes(text)).length, 15)
      assert.match(date("2026-03-01T10:00:00.000Z"), /2026|٢٠٢٦/)
      assert.match(bytes(482_113), /482|٤٨٢/)
    })
  }

  it("are those of the content where the settings say nothing", () => {
    assert.strictEqual(LocalizedMessages.messagesFor("en", "ar").direction, "rtl")
    assert.strictEqual(LocalizedMessages.messagesFor("de", "ar").language, "de")
    assert.strictEqual(LocalizedMessages.messagesFor("en", "tr").language, "en")
    for (const language of ["fa", "ur", "he", "ku", "ckb", "ps", "sd", "ug", "yi", "dv"]) {
      const { direction, language: tag, search } = LocalizedMessages.messagesFor("en", language)
      assert.deepStrictEqual([direction, tag, search], ["rtl", language, LocalizedMessages.messagesFor("en").search])
      assert.strictEqual(LocalizedMessages.messagesFor("de", language).direction, "ltr")
    }
    assert.strictEqual(LocalizedMessages.messagesFor("pt-br").language, "pt-BR")
  })
})

/** The page that other generators are measured with: 8 sections, each with a block of code. */
const measured = Array.from(
  { length: 8 },
  (_, i) => `## Section ${i + 1}

Every project has a file of settings of its own, and number ${i + 1} says where it lies, who reads it and when that happens. Whoever changes it sees the change at once, without anything to build or to start again.

\`\`\`ts
export const settings${i} = define({
  name: "section-${i}",
  port: ${4000 + i},
  handler: async (request) => {
    const found = await load(request.url, { retries: ${i} })
    return found === undefined ? respond(404) : respond(200, found)
  }
})
\`\`\`
`
).join("\n")

describe("What a page sends", () => {
  const sizeOf = (text: string): number => brotliCompressSync(text).length
  const assets = { css: "/~lectern/site.css", script: "/~lectern/site.js" }
  const page = Layout.renderPage(examplePage({ markdown: measured, settings: everySetting, parts }), assets)
  const most = { HTML: [page, 8_000], CSS: [SiteStylesheet.css, 12_000], script: [Scripts.script, 8_000] } as const

  for (const [name, [text, bytes]] of Object.entries(most)) {
    it(`is at most ${bytes} bytes of ${name}, compressed`, ({ annotate }) => {
      void annotate(`${name}: ${sizeOf(text)} bytes of ${text.length}`)
      assert.isAtMost(sizeOf(text), bytes)
    })
  }

  it("is at most 35,000 bytes with the default font, in four requests", async ({ annotate }) => {
    const folder = await bundleSiteFonts()
    const fonts = { faces: readFonts(folder)!.faces, urlOf: (file: string) => `/~lectern/${file}` }
    const page = Layout.renderPage(examplePage({ markdown: measured, parts }), { ...assets, fonts })
    // A page in English uses the file of the basic characters only.
    const [, file = ""] = /<link rel="preload" as="font"[^>]*href="\/~lectern\/([^"]+)"/.exec(page) ?? []
    const font = readFileSync(join(folder, file)).length
    const all = sizeOf(page) + sizeOf(SiteStylesheet.css) + sizeOf(Scripts.script) + font
    void annotate(`${all} bytes, of which ${font} are the font`)
    assert.isAtMost(all, 35_000)
    assert.lengthOf(
      [...page.matchAll(/<(?:link rel="(?:stylesheet|preload)"|script type="module"|img|iframe)[^>]*>/g)],
      3
    )
  })

  it("asks for a style sheet and a script alone", () => {
    const loaded = [...page.matchAll(/<(?:link rel="stylesheet"|script type="module"|img|iframe)[^>]*>/g)]
    assert.strictEqual(loaded.length, 2)
  })

  it("has no name around its content that a heading could have too", () => {
    const names = ["Actions", "Drawer", "Thanks", "Variants", "Menu 0", "Sections 2"]
    const markdown = names.map((name) => `## ${name}`).join("\n\n")
    const shown = Layout.renderPage(examplePage({ markdown, settings: everySetting }), assets)
    const ids = [...shown.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    assert.lengthOf(new Set(ids), ids.length)
    assert.strictEqual(
      ids.filter((id) => !id?.startsWith("~")).join(),
      "actions,drawer,thanks,variants,menu-0,sections-2"
    )
    for (const [, id] of shown.matchAll(/popovertarget="([^"]*)"/g)) assert.include(ids, id)
  })

  it("holds no style, no handler and no script but ours", () => {
    assert.notMatch(page, /<[^>]*\s(?:style|on\w+)=/)
    const scripts = [...page.matchAll(/<script>([^]*?)<\/script>/g)].map(([whole]) => whole)
    assert.deepStrictEqual(scripts, [Scripts.restoreTheme.text, Scripts.restoreTree.text])
  })
})
