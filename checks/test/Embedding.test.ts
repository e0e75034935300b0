import { assert, it } from "@effect/vitest"
import { misplaced } from "../Embedding.ts"

const guide = `## Services

| Service | In | Does |
| --- | --- | --- |
| \`spaces\`, \`spaceTags\` | \`space\` | Spaces |
| \`downloads\` | \`content/files\` | Bytes, as \`elsewhere\` |
| \`jobs\` | \`job\` | Work |
| \`folderExports\` | \`@lectern/exchange/export\` | Exports |

## Storage
`

const core = "packages/core/src"

it("reports services whose folder or class differs from the page", () => {
  assert.deepStrictEqual(
    misplaced(guide, [
      ["spaces", `${core}/space/Spaces.ts`, "Spaces"],
      ["downloads", `${core}/content/files/Downloads.ts`, "Downloads"],
      ["folderExports", "packages/exchange/src/export/FolderExports.ts", "FolderExports"]
    ]),
    []
  )
  const places = "docs/reference/services.md: the service"
  assert.deepStrictEqual(
    misplaced(guide, [
      ["spaceTags", `${core}/space/tags/SpaceTags.ts`, "SpaceTags"],
      ["elsewhere", `${core}/space/Elsewhere.ts`, "Elsewhere"],
      ["jobs", `${core}/job/HostJobs.ts`, "HostJobs"]
    ]),
    [
      `${places} spaceTags is in the folder space/tags`,
      `${places} elsewhere is in the folder space`,
      `${places} jobs is HostJobs`
    ]
  )
})
