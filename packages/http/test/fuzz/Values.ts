/**
 * Random values for a JSON schema, valid and invalid ones. Texts can contain names of resources such as `$own.space` or
 * `$vault.page`, which are replaced when the request is made.
 */
import * as fc from "fast-check"

export type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [name: string]: Json }

/** The part of JSON Schema that the API description uses. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: ReadonlyArray<Json>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly items?: JsonSchema
  readonly properties?: { readonly [name: string]: JsonSchema }
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: boolean | JsonSchema
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
}

/** Names of `Things` by names of fields and parameters. */
const things: ReadonlyArray<readonly [name: RegExp, thing: string]> = [
  [/^(organization|organizationId|org)$/, "org"],
  [/^(target)$/, "target"],
  [/^changeRequest/, "cr"],
  [/^(page|pageId|into|targetPage)$/, "page"],
  [/^pagePath$/, "path"],
  [/^file/, "file"],
  [/^revision/, "revision"],
  [/^(collection|collectionId|parent)$/, "collection"],
  [/^(site|siteId)$/, "site"],
  [/^(siteSection|siteSectionId|section|sectionId|sections)$/, "section"],
  [/^(siteSectionGroup|siteSectionGroupId|group)$/, "group"],
  [/^(siteSpace|siteSpaceId|defaultSiteSpace)$/, "siteSpace"],
  [/^(space|spaceId|spaces)$/, "space"],
  [/^shareLink/, "link"],
  [/^siteRedirect/, "redirect"],
  [/^hostname$/, "hostname"],
  [/^spec/, "spec"],
  [/^version/, "specVersion"],
  [/^translation/, "translation"],
  [/^samlProvider/, "provider"],
  [/^oidcProvider/, "oidcProvider"],
  [/^(team|teams|teamId|defaultTeam)$/, "team"],
  [/^(user|users|userId|members|owner|contributor|authors|add|remove|memberships)$/, "user"],
  [/^commentReply/, "reply"],
  [/^comment/, "comment"],
  [/^review/, "review"],
  [/^conflict/, "conflict"],
  [/^subdomain$/, "subdomain"],
  [/^integration(Name)?$/, "integration"],
  [/^installation(Id)?$/, "installation"],
  [/^invite(Id)?$/, "invite"],
  [/^pdfId$/, "pdf"],
  [/^expires$/, "expires"],
  [/^signature$/, "signature"]
]

export const thingNames = [...new Set(things.map(([, thing]) => thing))]

export const thingOf = (name: string): string | undefined => things.find(([pattern]) => pattern.test(name))?.[1]

/** Returns the name of the resource for a path parameter. Comments of change requests differ from those of spaces. */
export const thingIn = (path: string, name: string): string | undefined =>
  !path.includes("/change-requests/") || !name.startsWith("comment")
    ? thingOf(name)
    : name === "commentReplyId"
      ? "crReply"
      : "crComment"

const samples: ReadonlyArray<readonly [name: RegExp, texts: ReadonlyArray<string>]> = [
  [
    /url|URL|destination|fallback|sourceURL/,
    ["data:text/markdown,Imported", "https://example.com/x", "http://10.0.0.1/"]
  ],
  [
    /markdown|text|description|body|instructions/,
    ["Said **so**", "[x](/pages/r)", "# H\n\n- a\n- b\n\n| a |\n| - |\n| b |", "---\ntitle: T\n---\n\nx"]
  ],
  [/email/, ["someone@example.com", "x@y.example"]],
  [/emoji|Reactions/, ["🎉", "1f44d", "not an emoji"]],
  [/slug|path|source|basename/, ["a-slug", "/old", "markdown", "website", "README"]],
  [/condition|expression/, ["visitor.claims.plan == 'x'", "a b c", "true"]],
  [/title|subject|name|label/, ["A title", "Ü"]],
  [/base64/, ["eA==", "not base64"]],
  [/certificate/, ["MIIB", "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----"]],
  [/ref/, ["r", "refs/heads/main", "main"]],
  [/^limit$/, ["1", "10", "1000"]],
  [/language/, ["de", "en", "fr"]],
  [/role|defaultRole/, ["read", "admin"]],
  [/icon/, ["star", "gear"]],
  [/^query$/, ["page", "text said", "-"]],
  [/^(block|node)$/, ["a", "b"]],
  [/^id$/, ["api-reference", "changelog", "handbook", "product-docs"]]
]

/** Texts that are invalid or too large everywhere. */
export const hostileTexts: ReadonlyArray<string> = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\udfff\ud800",
  "‮‏‎",
  "e\u0301\u0327",
  "👩‍👩‍👧‍👦".repeat(20),
  "İıſßﬀ",
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "../../etc/passwd",
  "%2e%2e%2f",
  "a/b?c#d",
  "<script>alert(1)</script>",
  "javascript:alert(1)",
  "${7*7}{{7*7}}",
  "' OR 1=1 --",
  "\n\r\t",
  "null",
  "NaN",
  "-0",
  "1e999",
  "9007199254740993",
  "x".repeat(300),
  "é".repeat(5000),
  "a,b,c",
  "2026-01-01T00:00:00.000Z"
]

const id = fc
  .tuple(fc.constantFrom("own", "own", "vault"), fc.constantFrom(...thingNames))
  .map(([of, thing]) => `$${of}.${thing}`)

/** Created once, since it covers all Unicode characters. */
const anyText = fc.string({ unit: "binary", maxLength: 20 })

export const textOf = (name: string): fc.Arbitrary<string> => {
  const thing = thingOf(name)
  const known = samples.filter(([pattern]) => pattern.test(name)).flatMap(([, texts]) => texts)
  return fc.oneof(
    ...(thing === undefined
      ? []
      : [
          { weight: 40, arbitrary: fc.constant(`$own.${thing}`) },
          { weight: 3, arbitrary: fc.constant(`$vault.${thing}`) }
        ]),
    ...(known.length === 0 ? [] : [{ weight: 40, arbitrary: fc.constantFrom(...known) }]),
    { weight: 6, arbitrary: fc.constantFrom("x", "Some words", "r1") },
    { weight: 1, arbitrary: id },
    { weight: 1, arbitrary: fc.constantFrom(...hostileTexts) },
    { weight: 1, arbitrary: anyText }
  )
}

const extremes = [0, -1, 1, 1.5, -0, 1000, 1001, 2 ** 31, 2 ** 53, -(2 ** 53), 1e21, 1e300, 5e-324]

const numberOf = ({ maximum, minimum }: JsonSchema, isInteger: boolean) => {
  const within = fc.integer({ min: Math.max(minimum ?? 0, -10), max: Math.min(maximum ?? 100, 1000) })
  return fc.oneof(
    { weight: 30, arbitrary: isInteger ? within : fc.oneof(within, fc.constant(0.5)) },
    { weight: 1, arbitrary: fc.constantFrom(...extremes) }
  )
}

const deep = (depth: number, wrap: (inner: Json) => Json): Json => {
  let value: Json = "x"
  for (let i = 0; i < depth; i++) value = wrap(value)
  return value
}

/** Values of any type, nested within and beyond the allowed depth. */
export const hostile: fc.Arbitrary<Json> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<Json>(null, true, false, [], {}, [[]], [null], [{}]) },
  { weight: 3, arbitrary: fc.constantFrom<Json>(...hostileTexts) },
  { weight: 2, arbitrary: fc.constantFrom<Json>(...extremes) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Json>(
      { ["__proto__"]: { polluted: true } },
      { constructor: { prototype: { polluted: true } } },
      { ["__proto__"]: null, toString: 1, valueOf: 1, hasOwnProperty: 1, toJSON: 1 },
      deep(60, (inner) => [inner]),
      deep(150, (inner) => ({ nodes: [inner] })),
      deep(400, (inner) => [inner]),
      Array.from({ length: 2000 }, (_, i) => i),
      Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`k${i}`, i]))
    )
  },
  { weight: 1, arbitrary: fc.jsonValue() as fc.Arbitrary<Json> }
)

const keys = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("name", "a", "$own.user", "$vault.user", "x_y") },
  { weight: 1, arbitrary: fc.constantFrom(...hostileTexts) }
)

const document: Json = {
  object: "document",
  data: { schemaVersion: 8 },
  nodes: [
    {
      object: "block",
      type: "paragraph",
      key: "a",
      nodes: [
        { object: "text", leaves: [{ object: "leaf", text: "x", marks: [{ object: "mark", type: "bold" }] }] },
        { object: "inline", type: "link", data: { ref: { kind: "page", page: "$own.page" } }, nodes: [] },
        { object: "inline", type: "link", data: { ref: { kind: "page", page: "$vault.page", space: "$vault.space" } } }
      ]
    }
  ]
}

/** Returns random values for a schema. `refs`: schemas by name. */
export const valid = (
  schema: JsonSchema,
  name: string,
  refs: { readonly [name: string]: JsonSchema },
  depth = 0
): fc.Arbitrary<Json> => {
  if (schema.$ref !== undefined) {
    return depth > 6 ? fc.constant(null) : valid(refs[schema.$ref.split("/").at(-1)!]!, name, refs, depth + 1)
  }
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((each) => valid(each, name, refs, depth)))
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  switch (schema.type) {
    case "null":
      return fc.constant(null)
    case "boolean":
      return fc.boolean()
    case "integer":
    case "number":
      return numberOf(schema, schema.type === "integer")
    case "string":
      return textOf(name)
    case "array":
      return fc.array(valid(schema.items ?? {}, name, refs, depth + 1), {
        minLength: Math.min(schema.minItems ?? 0, 2),
        maxLength: 3
      })
    case "object": {
      const { additionalProperties: more, properties = {}, required = [] } = schema
      // Each of many optional fields is rarely present, since large combinations are mostly invalid.
      const fieldOf = (key: string, value: fc.Arbitrary<Json>) =>
        required.includes(key)
          ? value
          : fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })
      const fields = fc.record(
        Object.fromEntries(
          Object.entries(properties).map(([key, each]) => [key, fieldOf(key, valid(each, key, refs, depth + 1))])
        )
      ) as fc.Arbitrary<{ readonly [name: string]: Json }>
      if (more === undefined || typeof more === "boolean") return fields
      const others = fc.array(fc.tuple(keys, valid(more, name, refs, depth + 1)), { maxLength: 3 })
      return fc.tuple(fields, others).map(([given, added]) => ({ ...given, ...Object.fromEntries(added) }))
    }
    default:
      return fc.oneof(fc.constant<Json>(document), hostile)
  }
}

/** One position in a value, as the choices on the way down, and the replacement. */
export interface Mutation {
  readonly way: ReadonlyArray<number>
  readonly change: { readonly by: Json } | { readonly add: string; readonly value: Json } | "remove"
}

export const mutation: fc.Arbitrary<Mutation> = fc.record({
  way: fc.array(fc.nat(20), { maxLength: 5 }),
  change: fc.oneof(
    hostile.map((by) => ({ by })),
    fc.record({ add: fc.constantFrom(...hostileTexts), value: hostile }),
    fc.constant("remove" as const)
  )
})

export const mutated = (value: Json, { change, way }: Mutation): Json => {
  const [turn, ...rest] = way
  const isLeaf = value === null || typeof value !== "object"
  if (turn === undefined || isLeaf) {
    if (change === "remove") return null
    if ("by" in change) return change.by
    return isLeaf || Array.isArray(value) ? change.value : { ...value, [change.add]: change.value }
  }
  const entries = Object.entries(value)
  if (entries.length === 0) return value
  const [key, inner] = entries[turn % entries.length]!
  const isGone = change === "remove" && (rest.length === 0 || inner === null || typeof inner !== "object")
  if (Array.isArray(value)) {
    return isGone ? value.toSpliced(Number(key), 1) : value.with(Number(key), mutated(inner, { change, way: rest }))
  }
  return isGone
    ? Object.fromEntries(entries.filter(([name]) => name !== key))
    : Object.fromEntries(
        entries.map(([name, each]) => [name, name === key ? mutated(each, { change, way: rest }) : each])
      )
}
