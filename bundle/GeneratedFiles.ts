/** Files that `pnpm generate` writes and that are committed. */
import { lintFolder, makeLintPages } from "./LintPages.ts"
import { makeMethodPages, methodsFolder } from "./methods/MethodPages.ts"
import { makeOperationsPage, operationsPage } from "./OperationsPage.ts"
import {
  liveScript,
  passkeyScript,
  makeLiveScript,
  makePasskeyScript,
  makeSearchScripts,
  makeSiteScript,
  searchScripts,
  siteScript
} from "./SiteScript.ts"
import { makeSiteStyles, siteStyles } from "./SiteStyles.ts"

/** Folders that contain only generated files. */
export const generatedFolders = [lintFolder, methodsFolder]

/** Returns the sources of all files by their paths from the root of the repository. */
export const makeGeneratedFiles = async (): Promise<ReadonlyMap<string, string>> =>
  new Map([
    [operationsPage, await makeOperationsPage()],
    [siteScript, await makeSiteScript()],
    [searchScripts, await makeSearchScripts()],
    [liveScript, await makeLiveScript()],
    [passkeyScript, await makePasskeyScript()],
    [siteStyles, await makeSiteStyles()],
    ...makeLintPages(),
    ...(await makeMethodPages())
  ])
