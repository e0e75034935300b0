import { assert, it } from "@effect/vitest"
import type { OfferedMethod } from "../../bundle/methods/OfferedMethods.ts"
import { parameter } from "./MethodParameter.ts"
import { methodCommentMistakes } from "../MethodComments.ts"

const method = (fields: Partial<OfferedMethod>): OfferedMethod => ({
  path: "spaces.get",
  file: "Spaces.ts",
  isTransactional: true,
  comment: "Returns a space.",
  parameters: [],
  documented: [],
  typeParameters: "",
  result: "Promise<Space>",
  resultComment: "",
  resultTypes: [],
  failures: [],
  thrown: [],
  examples: [],
  ...fields
})

const field = (name: string, comment: string) => ({ name, isOptional: true, type: "string", comment })

it("accepts descriptions by @param, by types, by fields and by the classes of failures", async () => {
  const described = method({
    parameters: [
      parameter({ name: "id", typeComment: "Id of a space." }),
      parameter({ name: "limit", comment: "Default: 50." }),
      parameter({ name: "options", fields: [field("key", "Key of a link.")] }),
      parameter({ name: "changes", type: "ContentChange[]", comment: "Changes.", fields: [field("title", "")] })
    ],
    documented: ["limit", "options.key"],
    failures: [
      { name: "Forbidden", comment: "Raised if the actor may not do this." },
      { name: "SpaceNotFound", comment: "" }
    ],
    thrown: [["SpaceNotFound", "If the actor may not see the space."]]
  })
  assert.deepStrictEqual(await methodCommentMistakes([described]), [])
})

it("reports parameters, fields and failures without a description, and names of no parameter", async () => {
  const undescribed = method({
    comment: "",
    parameters: [
      parameter({ name: "limit" }),
      parameter({ name: "options", typeComment: "Options.", fields: [field("key", ""), field("page", "Id.")] })
    ],
    documented: ["limits", "options.pages"],
    failures: [{ name: "SpaceNotFound", comment: "" }],
    thrown: [["SpaceNotFound", ""]]
  })
  assert.deepStrictEqual(await methodCommentMistakes([undescribed]), [
    "Spaces.ts: spaces.get has no comment",
    "Spaces.ts: limit of spaces.get has no description",
    "Spaces.ts: options.key of spaces.get has no description",
    "Spaces.ts: the comment of spaces.get has a superfluous @param limits",
    "Spaces.ts: the comment of spaces.get has a superfluous @param options.pages",
    "Spaces.ts: SpaceNotFound of spaces.get has no description"
  ])
})

it("takes descriptions of query parameters from their schemas", async () => {
  const file = new URL("../../packages/core/src/audit/AuditEvent.ts", import.meta.url).pathname
  const list = method({
    parameters: [
      parameter({
        name: "filter",
        declarations: [{ name: "AuditEventFilter", file }],
        fields: [field("from", ""), field("unknown", "")]
      })
    ]
  })
  assert.deepStrictEqual(await methodCommentMistakes([list]), [
    "Spaces.ts: filter.unknown of spaces.get has no description"
  ])
})
