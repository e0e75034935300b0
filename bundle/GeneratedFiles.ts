/** Files that `pnpm generate` writes and that are committed. */
import { makeOperationsPage, operationsPage } from "./OperationsPage.ts"
import { liveScript, makeLiveScript, makeSiteScript, siteScript } from "./SiteScript.ts"
import { makeSiteStyles, siteStyles } from "./SiteStyles.ts"

interface GeneratedFile {
  /** Path from the root of the repository. */
  readonly path: string
  readonly make: () => string | Promise<string>
}

export const generatedFiles: ReadonlyArray<GeneratedFile> = [
  { path: operationsPage, make: makeOperationsPage },
  { path: siteScript, make: makeSiteScript },
  { path: liveScript, make: makeLiveScript },
  { path: siteStyles, make: makeSiteStyles }
]
