import { assert, it } from "@effect/vitest"
import { parameter } from "./MethodParameter.ts"
import { makeMethodPages } from "../../bundle/methods/MethodPages.ts"
import { type OfferedMethod, offeredMethods } from "../../bundle/methods/OfferedMethods.ts"

const services = `| [\`spaces.tags\`](methods/spaces/tags.md) | [Tags](../concepts/tags.md) | \`space/SpaceTags\` |
| [\`spaces\`](methods/spaces.md) | Spaces | \`space/Spaces\` |
`

const tag = {
  name: "Tag",
  file: "Tag.ts",
  comment: "A tag.",
  fields: [{ name: "color", isOptional: true, type: '"red" | "blue"', comment: "Default: red." }]
}

const create: OfferedMethod = {
  path: "spaces.tags.create",
  file: "SpaceTags.ts",
  isTransactional: true,
  comment: "Creates a tag, e.g. a red one. It is the last.",
  parameters: [
    parameter({ name: "space", typeComment: "Id of a space." }),
    parameter({
      name: "tags",
      typeName: "TagCreate[]",
      type: "TagCreate[]",
      comment: "The new tags.",
      isList: true,
      fields: tag.fields
    })
  ],
  documented: ["tags"],
  typeParameters: "",
  result: "Promise<Tag>",
  resultComment: "the last tag.",
  resultTypes: [tag],
  failures: [
    { name: "StorageError", comment: "" },
    { name: "SpaceNotFound", comment: "Raised if the actor may not see a space." },
    { name: "Forbidden", comment: "Raised if the actor may not do this." }
  ],
  thrown: [
    ["Forbidden", "If the actor may not edit the space."],
    ["SpaceNotFound", ""]
  ],
  examples: ["```ts\nawait lectern.spaces.tags.create(space.id, [])\n```"]
}

it("makes a page for each service of the page of services", async () => {
  const get: OfferedMethod = { ...create, path: "spaces.get", isTransactional: false, parameters: [], examples: [] }
  const pages = await makeMethodPages([get, create], [], services)
  assert.deepStrictEqual(
    [...pages.keys()],
    ["docs/reference/methods/spaces/tags.md", "docs/reference/methods/spaces.md"]
  )
  assert.strictEqual(
    pages.get("docs/reference/methods/spaces/tags.md"),
    `---
description: "The methods of lectern.spaces.tags: parameters, results, errors and examples."
---

# lectern.spaces.tags

Topic: [Tags](../../../concepts/tags.md). See [services](../../services.md#calls) for the rules of all calls.

| Method | Purpose |
| --- | --- |
| [\`create\`](#tagscreate) | Creates a tag, e.g. a red one. |

## tags.create

Creates a tag, e.g. a red one. It is the last.

\`\`\`ts
lectern.spaces.tags.create(space: string, tags: TagCreate[]): Promise<Tag>
\`\`\`

| Parameter | Description |
| --- | --- |
| **\`space\`**<br>\`string\` | Id of a space. |
| **\`tags\`**<br>\`TagCreate[]\` | The new tags. |
| **\`tags[].color?\`**<br>\`"red" \\| "blue"\` | Default: red. |

**Returns** [\`Tag\`](#tag): the last tag.

| Rejects with | When |
| --- | --- |
| \`Forbidden\` | If the actor may not edit the space. |
| \`SpaceNotFound\` | If the actor may not see a space. |

Works in a [transaction](../../../guides/embed-lectern.md#transactions).

\`\`\`ts
await lectern.spaces.tags.create(space.id, [])
\`\`\`

## Types

### Tag

A tag.

| Field | Description |
| --- | --- |
| **\`color?\`**<br>\`"red" \\| "blue"\` | Default: red. |
`
  )
  assert.include(pages.get("docs/reference/methods/spaces.md"), "[`Tag`](spaces/tags.md#tag)")
})

it("reads parameters as hosts pass them, with the comments and bounds of their fields", async () => {
  const methods = offeredMethods()
  const signatures = methods.map(({ path, parameters, result }) => {
    const texts = parameters.map(({ name, isOptional, typeName }) => `${name}${isOptional ? "?" : ""}: ${typeName}`)
    return `${path}(${texts.join(", ")}): ${result}`
  })
  for (const signature of [
    "spaces.create(organization: string, input: SpaceCreate): Promise<Space>",
    "spaces.list(organization: string, params: PageParams): Promise<ListPage<Space>>",
    "collections.list(organization: string, params: PageParams & { nested?: boolean }): Promise<ListPage<Collection>>",
    "changeRequests.content.write(space: string, idOrNumber: string, changes: ContentChange[], precondition?: Precondition): Promise<ContentUpdate>",
    "organizations.members.changeRole(organization: string, user: string, role: Role | null): Promise<Member>",
    "users.me(): Promise<User>",
    "users.byEmail(email: string): Promise<User | undefined>",
    "integrations.tasks.token(integration: string, installation: string): Promise<{ token: string }>"
  ])
    assert.include(signatures, signature)

  const services = `| [\`spaces\`](methods/spaces.md) | Spaces | \`space/Spaces\` |
| [\`changeRequests\`](methods/change-requests.md) | Change requests | \`change-request/ChangeRequests\` |`
  const pages = await makeMethodPages(methods, [], services)
  const page = pages.get("docs/reference/methods/spaces.md")
  assert.match(page!, /^\| \*\*`input\.title\?`\*\*<br>`string` \| .*At most 50 characters\. \|$/m)
  assert.match(page!, /^\| \*\*`input\.parent\?`\*\*<br>`string` \| \S.* \|$/m)
  assert.include(pages.get("docs/reference/methods/change-requests.md"), "| **`createdBy`**<br>`User` |")
})
