/**
 * How a site presents itself: the settings of the site, and over them those of one of its site
 * spaces.
 *
 * What is not set is as in `defaultCustomization`; title, tint, logos, colours of the header,
 * copyright, announcement and URLs may be absent. A list, an announcement, a logo, a favicon, a tint
 * and a font are set as a whole; anything else alone. Names that are not known are ignored.
 *
 * Limits: those of the parts (see `Styling` and `Header`), and 100,000 characters of JSON altogether.
 */
import { Schema } from "effect"
import { HttpUrl } from "../schema/Text.ts"
import { SiteId, SiteTitle } from "../site/Site.ts"
import * as Table from "../storage/Table.ts"
import { announcement, favicon, footer, header, socialAccounts } from "./Header.ts"
import { changed, changes, complete, defaults, group, optional, overlaid, setting, some } from "./SettingsTree.ts"
import { styling } from "./Styling.ts"

const maxJson = 100_000

const on = setting(Schema.Boolean, true)
const off = setting(Schema.Boolean, false)
const url = group({ url: optional(HttpUrl) })

const PageActions = Schema.Array(Schema.Literals(["assistant", "external-ai", "markdown", "mcp", "git", "pdf"])).check(
  Schema.isMaxLength(10)
)

/** Languages of what stands around the pages. */
export const Locale = Schema.Literals(["en", "fr", "es", "zh", "ja", "de", "nl", "no", "pt-br", "ru"])
export type Locale = typeof Locale.Type

const settings = group({
  /** Absent: the title of the site. */
  title: optional(SiteTitle),
  styling,
  internationalization: group({
    locale: setting(Locale, "en")
  }),
  favicon,
  header,
  footer,
  announcement,
  socialAccounts,
  themes: group({ default: setting(Schema.Literals(["light", "dark", "system"]), "light"), toggeable: on }),
  pdf: group({ enabled: on }),
  feedback: group({ enabled: off }),
  ai: group({ mode: setting(Schema.Literals(["none", "search", "assistant"]), "none") }),
  advancedCustomization: group({ enabled: off }),
  git: group({ showEditLink: off }),
  /** Older renderers read the flags, newer ones the list. */
  pageActions: group({ externalAI: off, markdown: on, mcp: off, items: setting(PageActions, ["markdown", "pdf"]) }),
  externalLinks: group({ target: setting(Schema.Literals(["self", "blank"]), "self") }),
  pagination: group({ enabled: on }),
  trademark: group({ enabled: off }),
  privacyPolicy: url,
  socialPreview: url,
  insights: group({ trackingCookie: on })
})

const bounded = Schema.makeFilter((value: object) =>
  JSON.stringify(value).length > maxJson ? `Expected settings of at most ${maxJson} characters` : undefined
)

/** Complete settings, as they are answered. */
export const Customization = complete(settings)
export type Customization = typeof Customization.Type

/** Settings as they are put for a site, and as they are kept: what is left out is not set. */
export const CustomizationPut = some(settings).check(bounded)
export type CustomizationPut = typeof CustomizationPut.Type

/** A change of a site space's settings. Null takes back a setting, or a whole group of them. */
export const CustomizationPatch = changes(settings).check(bounded)
export type CustomizationPatch = typeof CustomizationPatch.Type

/** Complete settings of a site space, and whether any of them are its own. */
export const SiteSpaceCustomization = Schema.Struct({ ...Customization.fields, hasOverrides: Schema.Boolean })
export type SiteSpaceCustomization = typeof SiteSpaceCustomization.Type

export const defaultCustomization: Customization = defaults(settings)

/**
 * Settings of a site that nobody has set, as they are rendered. Readers see the theme of their device; settings are read
 * as `light`, since earlier clients know no other value.
 */
export const renderedByDefault: Customization = {
  ...defaultCustomization,
  themes: { ...defaultCustomization.themes, default: "system" }
}

/** The complete settings with some of them set otherwise. */
export const merged = (site: Customization, override: CustomizationPut): Customization =>
  overlaid(settings, site, override)

/** The settings of a site space after a change. */
export const patched = (override: CustomizationPut, patch: CustomizationPatch): CustomizationPut =>
  changed(settings, override, patch)

/** The settings as someone sees them to whom not everything that has a condition is shown, and no condition is told. */
export const shownTo = (
  customization: Customization,
  isShown: (entry: { readonly condition?: string }) => boolean
): Customization => ({
  ...customization,
  header: {
    ...customization.header,
    links: customization.header.links.filter(isShown).map(({ condition: _, ...link }) => link)
  }
})

export const CustomizationRow = Schema.Struct({
  site: SiteId,
  /** Empty: the site itself. */
  siteSpace: Schema.String,
  settings: CustomizationPut
})
export type CustomizationRow = typeof CustomizationRow.Type

export const CustomizationTable = Table.make("customization", CustomizationRow, { key: ["site", "siteSpace"] })
