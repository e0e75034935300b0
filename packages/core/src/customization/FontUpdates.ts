/** Updates the settings of sites that use a custom font after the font changed. */
import { Effect } from "effect"
import type { OrganizationId } from "../organization/Organization.ts"
import { SiteTable } from "../site/Site.ts"
import { makeSiteChanges } from "../site/SiteChanges.ts"
import { Storage } from "../storage/Storage.ts"
import { CustomizationTable, type CustomizationPut } from "./Customization.ts"
import type { FontDefinition } from "./Styling.ts"

/** Names of settings that contain a font. */
const fontSettings = ["font", "monospaceFont"] as const

/** Returns settings with the updated font. Undefined if they do not use the font. */
const withUpdatedFont = (settings: CustomizationPut, font: FontDefinition): CustomizationPut | undefined => {
  const { styling } = settings
  const fonts = fontSettings.filter((name) => {
    const set = styling?.[name]
    return typeof set === "object" && set.id === font.id
  })
  if (fonts.length === 0) return undefined
  return { ...settings, styling: { ...styling, ...Object.fromEntries(fonts.map((name) => [name, font])) } }
}

export const updateFontInSites = Effect.gen(function* () {
  const storage = yield* Storage
  const changes = yield* makeSiteChanges
  const sites = storage.repository(SiteTable)
  const rows = storage.repository(CustomizationTable)

  /** Runs in the caller's transaction. The actor must have permission to change the sites. */
  return Effect.fnUntraced(function* (organization: OrganizationId, font: FontDefinition) {
    const siteRows = yield* sites.list({ where: { organization } })
    const settingsRows = yield* rows.list({ where: { site: { in: siteRows.map(({ id }) => id) } } })
    for (const { site, siteSpace, settings: before } of settingsRows) {
      const settings = withUpdatedFont(before, font)
      if (settings === undefined) continue
      yield* changes
        .settings(organization, site, "change this site", () => rows.update({ site, siteSpace }, { settings }))
        .pipe(Effect.catchTag("SiteNotFound", () => Effect.void))
    }
  })
})
