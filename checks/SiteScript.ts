/** Checks that the committed script of published sites is up to date with its sources. */
import { readFileSync } from "node:fs"
import { makeSiteScript, siteScript } from "../bundle/SiteScript.ts"

export const siteScripts = async (): Promise<ReadonlyArray<string>> =>
  readFileSync(siteScript, "utf8") === (await makeSiteScript())
    ? []
    : [`${siteScript}: out of date (run \`pnpm site-script\`)`]
