/** Docs sites of real documentation. The corpora are not part of the project. */
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { afterEach, describe, it } from "vitest"
import { cleanUp } from "./LecternProcess.ts"
import { findsEveryPage } from "./PublishedSites.ts"

const corpus = resolve(import.meta.dirname, "../../../../shared/corpus")
const isThere = existsSync(corpus)
if (!isThere) console.warn(`SKIPPED: docs sites of real documentation, as there are no corpora at ${corpus}`)

describe.skipIf(!isThere)("docs sites of real documentation", () => {
  afterEach(cleanUp)

  it("lead every page's canonical URL to that page", () =>
    findsEveryPage(...["brighter", "adobe-aep"].map((name) => join(corpus, name))))
})
