import { assert, it } from "@effect/vitest"
import { missingNames } from "../Manual.ts"

const modules = new Map([
  ["core/storage/Row", "export const stored = () => {}\nconst encode = () => {}\nexport { isStorable }\n"],
  ["core/space/Space", "export class SpaceNotFound {}\nexport interface Space {}\n"]
])

const missing = (text: string) => missingNames("docs/page.md", text, (module) => modules.get(module))

it("finds names that a page imports from a module, or says of it, and that are not exported there", () => {
  assert.deepStrictEqual(
    missing(`\`stored(table, row)\` of \`@lectern/core/storage/Row\`, and \`isStorable\` of \`@lectern/core/storage/Row\`

\`\`\`ts
import { type Space, SpaceNotFound as NotFound } from "@lectern/core/space/Space"
import * as Row from "@lectern/core/storage/Row"
\`\`\``),
    []
  )
  assert.deepStrictEqual(
    missing(`\`encode(table, row)\` of \`@lectern/core/storage/Row\`, \`stored\` of \`@lectern/core/Row\`

import { Space, SpaceGone } from "@lectern/core/space/Space"`),
    [
      "docs/page.md: @lectern/core/space/Space exports no SpaceGone",
      "docs/page.md: @lectern/core/storage/Row exports no encode",
      "docs/page.md: @lectern/core/Row does not exist"
    ]
  )
})
