/**
 * For vitest, once for a run: makes the bundle that the tests of the server start from, the catalogue that
 * it publishes, and a folder for what they share.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TestProject } from "vitest/node"
import { bundleCatalogue } from "../../../bundle/Catalogue.ts"
import { bundleServer } from "../../../bundle/Commands.ts"

declare module "vitest" {
  interface ProvidedContext {
    readonly bundledServer: string
    readonly folderOfRun: string
  }
}

export const setup = async ({ provide }: TestProject): Promise<() => void> => {
  const folder = mkdtempSync(join(tmpdir(), "lectern-test-run-"))
  provide("bundledServer", await bundleServer())
  await bundleCatalogue()
  provide("folderOfRun", folder)
  return () => rmSync(folder, { recursive: true, force: true })
}
