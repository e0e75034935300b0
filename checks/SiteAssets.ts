/** Checks that the script and the style sheets of published sites, which are committed, match their sources. */
import { readFileSync } from "node:fs"
import { makeSiteScript, siteScript } from "../bundle/SiteScript.ts"
import { makeSiteStyles, siteStyles } from "../bundle/SiteStyles.ts"

export const siteAssets = async (): Promise<ReadonlyArray<string>> =>
  [[siteScript, await makeSiteScript()] as const, [siteStyles, makeSiteStyles()] as const].flatMap(([path, made]) =>
    readFileSync(path, "utf8") === made ? [] : [`${path}: differs from its sources (run \`pnpm site-assets\`)`]
  )
