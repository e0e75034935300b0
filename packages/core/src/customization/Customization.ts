/**
 * Appearance and behavior of a site: the settings of the site, and overrides for single site spaces.
 *
 * The default of an unset setting is in `defaultCustomization`. Title, tint, logos, colors of the header, copyright,
 * announcement and URLs may be absent. A list, announcement, logo, favicon, tint or font is set as a whole; other
 * settings are set one by one. Unknown names are ignored.
 *
 * Limits: those of the parts (see `Styling` and `Header`), and 100,000 characters of JSON in total.
 */
import { Schema } from "effect"
import { HttpUrl } from "../schema/Text.ts"
import { SiteId, SiteTitle } from "../site/Site.ts"
import * as Table from "../storage/Table.ts"
import { favicon, linkSettings, socialAccounts, Target } from "./Header.ts"
import {
  changed,
  changes,
  complete,
  defaults,
  group,
  optional,
  withOverrides,
  setting,
  partial
} from "./SettingsTree.ts"
import { styling } from "./Styling.ts"

const maxJson = 100_000

const enabledByDefault = setting(Schema.Boolean, true)
const disabledByDefault = setting(Schema.Boolean, false)
const urlSetting = group({ url: optional(HttpUrl) })

const PageActions = Schema.Array(Schema.Literals(["assistant", "external-ai", "markdown", "mcp", "git", "pdf"])).check(
  Schema.isMaxLength(10)
)

/** Languages of a site's interface around its pages. */
export const Locale = Schema.Literals(["en", "fr", "es", "zh", "ja", "de", "nl", "no", "pt-br", "ru"])
export type Locale = typeof Locale.Type

const settingsWith = <T extends Schema.Top>(target: T) => {
  const { announcement, footer, header } = linkSettings(target)
  return group({
    /** Default: the title of the site. */
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
    themes: group({
      default: setting(Schema.Literals(["light", "dark", "system"]), "light"),
      toggeable: enabledByDefault
    }),
    pdf: group({ enabled: enabledByDefault }),
    feedback: group({ enabled: disabledByDefault }),
    ai: group({ mode: setting(Schema.Literals(["none", "search", "assistant"]), "none") }),
    advancedCustomization: group({ enabled: disabledByDefault }),
    git: group({ showEditLink: disabledByDefault }),
    /** Older renderers use the flags, newer ones the list. */
    pageActions: group({
      externalAI: disabledByDefault,
      markdown: enabledByDefault,
      mcp: disabledByDefault,
      items: setting(PageActions, ["markdown", "pdf"])
    }),
    externalLinks: group({ target: setting(Schema.Literals(["self", "blank"]), "self") }),
    pagination: group({ enabled: enabledByDefault }),
    trademark: group({ enabled: disabledByDefault }),
    privacyPolicy: urlSetting,
    socialPreview: urlSetting,
    insights: group({ trackingCookie: enabledByDefault })
  })
}

const settings = settingsWith(Target)

const bounded = Schema.makeFilter((value: object) =>
  JSON.stringify(value).length > maxJson ? `Expected settings of at most ${maxJson} characters` : undefined
)

/** Complete settings in responses. */
export const Customization = complete(settings)
export interface Customization extends Schema.Schema.Type<typeof Customization> {}

/** Settings of a site in requests and in the store. Omitted settings are unset. */
export const CustomizationPut = partial(settings).check(bounded)
export type CustomizationPut = typeof CustomizationPut.Type

/**
 * Returns the schema of settings whose links have another form of target, for files that can't contain ids. `target`:
 * schema of the target of a link.
 */
export const customizationWith = <T extends Schema.Top>(target: T) => partial(settingsWith(target)).check(bounded)

/** Patch of a site space's settings. Null removes a setting or a whole group. */
export const CustomizationPatch = changes(settings).check(bounded)
export type CustomizationPatch = typeof CustomizationPatch.Type

/** Complete settings of a site space. `hasOverrides` is true if the site space overrides any. */
export const SiteSpaceCustomization = Schema.Struct({ ...Customization.fields, hasOverrides: Schema.Boolean })
export interface SiteSpaceCustomization extends Schema.Schema.Type<typeof SiteSpaceCustomization> {}

export const defaultCustomization: Customization = defaults(settings)

/**
 * Rendered settings of a site without any settings. The default theme is that of the reader's device (`system`). In
 * responses it is `light`, since earlier clients know no other default.
 */
export const renderedByDefault: Customization = {
  ...defaultCustomization,
  themes: { ...defaultCustomization.themes, default: "system" }
}

/** Returns complete settings with overrides applied. */
export const merged = (site: Customization, override: CustomizationPut): Customization =>
  withOverrides(settings, site, override)

/** Returns the overrides of a site space after a patch. */
export const patched = (override: CustomizationPut, patch: CustomizationPatch): CustomizationPut =>
  changed(settings, override, patch)

/** Returns settings with only the header links that `isVisible` accepts, without their conditions. */
export const visibleCustomization = (
  customization: Customization,
  isVisible: (entry: { readonly condition?: string }) => boolean
): Customization => ({
  ...customization,
  header: {
    ...customization.header,
    links: customization.header.links.filter(isVisible).map(({ condition: _, ...link }) => link)
  }
})

export const CustomizationRow = Schema.Struct({
  site: SiteId,
  /** Empty for the site itself. */
  siteSpace: Schema.String,
  settings: CustomizationPut
})
export type CustomizationRow = typeof CustomizationRow.Type

export const CustomizationTable = Table.make("customization", CustomizationRow, { key: ["site", "siteSpace"] })
