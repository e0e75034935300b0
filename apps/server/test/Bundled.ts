/** For vitest: makes the bundle that the tests of the server start from, once for a run. */
import type { TestProject } from "vitest/node"
import { bundleServer } from "../../../bundle/Server.ts"

declare module "vitest" {
  interface ProvidedContext {
    readonly bundledServer: string
  }
}

export const setup = async ({ provide }: TestProject): Promise<void> => provide("bundledServer", await bundleServer())
