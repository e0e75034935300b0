import { assert, it } from "@effect/vitest"
import { misplaced } from "../Embedding.ts"

const guide = `## Services

| \`lectern.\` | Purpose | Module |
| --- | --- | --- |
| [\`spaces\`](methods/spaces.md) | Spaces | \`space/Spaces\` |
| [\`spaces.tags\`](methods/spaces/tags.md) | Tags | \`space/SpaceTags\` |
| [\`content.downloads\`](methods/content/downloads.md) | Bytes, as \`elsewhere\` | \`content/files/Downloads\` |
| [\`jobs\`](methods/jobs.md) | Work | \`job/Jobs\` |
| [\`content.folderExports\`](methods/content/folder-exports.md) | Exports | \`@lectern/exchange/export/FolderExports\` |

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
      `${page} [\`spaces.tags\`](methods/spaces/tags.md) | \`space/tags/SpaceTags\` is missing`,
      `${page} [\`elsewhere\`](methods/elsewhere.md) | \`space/Elsewhere\` is missing`,
      `${page} [\`jobs\`](methods/jobs.md) | \`job/HostJobs\` is missing`,
      `${page} [\`spaces.tags\`](methods/spaces/tags.md) | \`space/SpaceTags\` names no service`,
      `${page} [\`jobs\`](methods/jobs.md) | \`job/Jobs\` names no service`
    ]
  )
})
