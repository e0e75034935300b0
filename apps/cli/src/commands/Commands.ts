/** Commands for a folder of Markdown. They need no database, and only `push` and `pull` need a server. */
import type { SiteFiles } from "../SiteFiles.ts"
import { build } from "./Build.ts"
import { dev } from "./Dev.ts"
import { Lint } from "./Lint.ts"
import { Pull } from "./Pull.ts"
import { Push } from "./Push.ts"

export const commands = (files: SiteFiles) => [dev(files), build(files), Lint, Push, Pull] as const
