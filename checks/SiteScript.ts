/** Holds that the script of published sites, which is kept with the sources, is what its sources make. */
import { readFileSync } from "node:fs"
import { makeSiteScript, siteScript } from "../bundle/SiteScript.ts"

export const siteScripts = async (): Promise<ReadonlyArray<string>> =>
  readFileSync(siteScript, "utf8") === (await makeSiteScript())
    ? []
    : [`${siteScript}: not what its sources make (make it anew by \`pnpm site-script\`)`]
