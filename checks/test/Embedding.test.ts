import { assert, it } from "@effect/vitest"
import { misplaced } from "../Embedding.ts"

const guide = `## Services

| \`lectern.\` | Class | Folder | Purpose |
| --- | --- | --- | --- |
| \`spaces\` | \`Spaces\` | \`space\` | Spaces |
| \`spaces.tags\` | \`SpaceTags\` | \`space\` | Tags |
| \`content.downloads\` | \`Downloads\` | \`content/files\` | Bytes, as \`elsewhere\` |
| \`jobs\` | \`Jobs\` | \`job\` | Work |
| \`content.folderExports\` | \`FolderExports\` | \`@lectern/exchange/export\` | Exports |

## Storage
`

const core = "packages/core/src"
const page = "docs/reference/services.md: the row"

it("reports services whose path, folder or class differs from the page, and rows of no service", () => {
  const placed = [
    ["spaces", `${core}/space/Spaces.ts`, "Spaces"],
    ["content.downloads", `${core}/content/files/Downloads.ts`, "Downloads"],
    ["content.folderExports", "packages/exchange/src/export/FolderExports.ts", "FolderExports"]
  ] as const
  assert.deepStrictEqual(
    misplaced(guide, [
      ...placed,
      ["spaces.tags", `${core}/space/SpaceTags.ts`, "SpaceTags"],
      ["jobs", `${core}/job/Jobs.ts`, "Jobs"]
    ]),
    []
  )
  assert.deepStrictEqual(
    misplaced(guide, [
      ...placed,
      ["spaces.tags", `${core}/space/tags/SpaceTags.ts`, "SpaceTags"],
      ["elsewhere", `${core}/space/Elsewhere.ts`, "Elsewhere"],
      ["jobs", `${core}/job/HostJobs.ts`, "HostJobs"]
    ]),
    [
      `${page} \`spaces.tags\` | \`SpaceTags\` | \`space/tags\` is missing`,
      `${page} \`elsewhere\` | \`Elsewhere\` | \`space\` is missing`,
      `${page} \`jobs\` | \`HostJobs\` | \`job\` is missing`,
      `${page} \`spaces.tags\` | \`SpaceTags\` | \`space\` names no service`,
      `${page} \`jobs\` | \`Jobs\` | \`job\` names no service`
    ]
  )
})
