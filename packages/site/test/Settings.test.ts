/** Every setting of customization is seen on a page, or the manual says that it is not. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Customization, type CustomizationPut } from "@lectern/core/customization/Customization"
import { html } from "../src/html/Html.ts"
import * as Layout from "../src/page/Layout.ts"
import { parts } from "./Drawing.ts"
import { customized, examplePage } from "./ExamplePages.ts"

interface Fields {
  readonly fields?: Readonly<Record<string, Fields>>
}

const pathsOf = ({ fields }: Fields, above: ReadonlyArray<string> = []): ReadonlyArray<string> =>
  fields === undefined
    ? [above.join(".")]
    : Object.entries(fields).flatMap(([name, schema]) => pathsOf(schema, [...above, name]))

const colour = { light: "#b3261e", dark: "#f2877f" }
const pictures = { light: "https://acme.test/a.png", dark: "https://acme.test/b.png" }
const to = { kind: "url", url: "https://acme.test/" } as const
const links = [{ title: "Shop", to, links: [] }]
const styling = (settings: NonNullable<CustomizationPut["styling"]>): CustomizationPut => ({ styling: settings })

/** A setting, and those beside it without which it could not be seen. */
interface Row {
  readonly set: CustomizationPut
  readonly beside?: CustomizationPut
}

const shown: Readonly<Record<string, Row>> = {
  title: { set: { title: "Other" } },
  "styling.theme": { set: styling({ theme: "gradient" }) },
  "styling.primaryColor.light": { set: styling({ primaryColor: { light: "#b3261e" } }) },
  "styling.primaryColor.dark": { set: styling({ primaryColor: { dark: "#b3261e" } }) },
  "styling.tint": { set: styling({ tint: { color: colour } }) },
  "styling.infoColor.light": { set: styling({ infoColor: { light: "#123456" } }) },
  "styling.infoColor.dark": { set: styling({ infoColor: { dark: "#fedcba" } }) },
  "styling.successColor.light": { set: styling({ successColor: { light: "#123456" } }) },
  "styling.successColor.dark": { set: styling({ successColor: { dark: "#fedcba" } }) },
  "styling.warningColor.light": { set: styling({ warningColor: { light: "#123456" } }) },
  "styling.warningColor.dark": { set: styling({ warningColor: { dark: "#fedcba" } }) },
  "styling.dangerColor.light": { set: styling({ dangerColor: { light: "#123456" } }) },
  "styling.dangerColor.dark": { set: styling({ dangerColor: { dark: "#fedcba" } }) },
  "styling.corners": { set: styling({ corners: "circular" }) },
  "styling.depth": { set: styling({ depth: "flat" }) },
  "styling.links": { set: styling({ links: "accent" }) },
  "styling.font": { set: styling({ font: "Lato" }) },
  "styling.monospaceFont": { set: styling({ monospaceFont: "SpaceMono" }) },
  "styling.background": { set: styling({ background: "match" }) },
  "styling.icons": { set: styling({ icons: "solid" }) },
  "styling.codeTheme.default.light": { set: styling({ codeTheme: { default: { light: "nord" } } }) },
  "styling.codeTheme.default.dark": { set: styling({ codeTheme: { default: { dark: "nord" } } }) },
  "styling.codeTheme.openapi.light": { set: styling({ codeTheme: { openapi: { light: "nord" } } }) },
  "styling.codeTheme.openapi.dark": { set: styling({ codeTheme: { openapi: { dark: "nord" } } }) },
  "styling.sidebar.background": { set: styling({ sidebar: { background: "filled" } }) },
  "styling.sidebar.list": { set: styling({ sidebar: { list: "line" } }) },
  "styling.search": { set: styling({ search: "subtle" }) },
  "internationalization.locale": { set: { internationalization: { locale: "fr" } } },
  "favicon.icon": { set: { favicon: { icon: pictures } } },
  "favicon.emoji": { set: { favicon: { emoji: "📗" } } },
  "header.preset": { set: { header: { preset: "contrast" } } },
  "header.logo": { set: { header: { logo: pictures } } },
  "header.backgroundColor": { set: { header: { backgroundColor: colour } }, beside: { header: { preset: "custom" } } },
  "header.linkColor": { set: { header: { linkColor: colour } }, beside: { header: { preset: "custom" } } },
  "header.links": { set: { header: { links } } },
  "footer.logo": { set: { footer: { logo: pictures } } },
  "footer.groups": { set: { footer: { groups: [{ title: "Company", links }] } } },
  "footer.copyright": { set: { footer: { copyright: "© Acme" } } },
  announcement: { set: { announcement: { enabled: true, message: "New", style: "warning" } } },
  socialAccounts: {
    set: { socialAccounts: [{ platform: "github", handle: "acme", display: { footer: true, header: false } }] }
  },
  "themes.default": { set: { themes: { default: "dark" } } },
  "themes.toggeable": { set: { themes: { toggeable: false } } },
  "pdf.enabled": { set: { pdf: { enabled: false } } },
  "feedback.enabled": { set: { feedback: { enabled: true } } },
  "git.showEditLink": { set: { git: { showEditLink: true } } },
  "pageActions.items": { set: { pageActions: { items: ["mcp"] } } },
  "externalLinks.target": { set: { externalLinks: { target: "blank" } }, beside: { header: { links } } },
  "pagination.enabled": { set: { pagination: { enabled: false } } },
  "trademark.enabled": { set: { trademark: { enabled: true } } },
  "privacyPolicy.url": { set: { privacyPolicy: { url: "https://acme.test/privacy" } } },
  "socialPreview.url": { set: { socialPreview: { url: "https://acme.test/a.png" } } }
}

const without = [
  "ai.mode",
  "advancedCustomization.enabled",
  "pageActions.externalAI",
  "pageActions.markdown",
  "pageActions.mcp",
  "insights.trackingCookie"
]

/** Parts are told of the settings here as `SitePages` says it. */
const pageOf = (settings: CustomizationPut): string => {
  const { styling, externalLinks, internationalization } = customized(settings)
  return Layout.renderPage(
    examplePage({
      markdown: "## One\n\n:rocket: [away](https://example.com/)",
      language: internationalization.locale,
      settings,
      parts: {
        ...parts,
        icon: (name) => html`<svg data-icon="${`${name} ${styling.icons}`}"></svg>`,
        opensNewWindows: externalLinks.target === "blank"
      },
      icon: "rocket"
    }),
    { css: "/site.css", script: "/site.js" }
  )
}

const both = (one: CustomizationPut, other: CustomizationPut): CustomizationPut => ({
  ...one,
  ...other,
  ...(one.header && other.header && { header: { ...one.header, ...other.header } })
})

const manual = readFileSync(join(import.meta.dirname, "../../../docs/publishing/customization-settings.md"), "utf8")

describe("Every setting", () => {
  it("is in this table, and those that show nothing are in the manual's list", () => {
    assert.sameMembers([...Object.keys(shown), ...without], [...pathsOf(Customization as unknown as Fields)])
    const [list = ""] = /These settings have no effect[^]*?\n\n(\*[^]*?)\n\n/.exec(manual)?.slice(1) ?? []
    for (const path of without) {
      const [group, name] = path.split(".")
      assert.isTrue(list.includes(`\`${path}\``) || (list.includes(`\`${group}`) && list.includes(name!)), path)
    }
  })

  for (const [path, { set, beside = {} }] of Object.entries(shown)) {
    it(`changes the page: ${path}`, () => {
      assert.notStrictEqual(pageOf(both(beside, set)), pageOf(beside))
    })
  }

  for (const path of without) {
    it(`changes nothing: ${path}`, () => {
      const [group, name] = path.split(".") as [string, string]
      const { [group]: before } = customized({}) as unknown as Record<string, Record<string, unknown>>
      const value = before![name]
      const other = typeof value === "boolean" ? !value : "assistant"
      assert.strictEqual(pageOf({ [group]: { [name]: other } } as CustomizationPut), pageOf({}))
    })
  }
})
