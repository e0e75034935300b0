/**
 * Creates examples of bodies from their schemas: from annotated `examples`, bounds, values and names of fields. A test
 * validates each example against its operation.
 */
import { type JsonSchema, nameOf } from "./JsonSchema.ts"

/** Example texts by field name. Ids and other fields get a text derived from the name. */
const fieldTexts: Readonly<Record<string, string>> = {
  title: "Handbook",
  subject: "Say how to install it",
  description: "How we work, and why",
  summary: "What is new",
  email: "ada@example.com",
  emails: "ada@example.com",
  displayName: "Ada",
  name: "example",
  label: "Example",
  emoji: "1f4d6",
  markdown: "Hello **world**",
  url: "https://example.com/",
  hostname: "docs.example.com",
  basename: "docs",
  path: "guides",
  slug: "guides",
  language: "en",
  timeZone: "Europe/Paris",
  query: "install",
  source: "/old",
  destination: "/new",
  repoURL: "https://git.example.com/acme/docs.git",
  ref: "refs/heads/main",
  ssoURL: "https://id.example.com/sso",
  entityID: "https://id.example.com/",
  createdAt: "2026-01-01T00:00:00.000Z",
  expiresAt: "2030-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
  color: "#346ddb",
  light: "#346ddb",
  dark: "#346ddb",
  condition: "visitor.claims.isBetaUser",
  addedReactions: "1f44d",
  removedReactions: "1f44d"
}

/** Examples of components whose schemas don't express all rules. */
const componentExamples: Readonly<Record<string, unknown>> = {
  GrantsGive: { users: ["2wEFZKdqz6hyPyc7XUmjFn"], role: "read" },
  SamlProviderUpdate: {
    label: "Example",
    ssoURL: "https://id.example.com/sso",
    entityID: "https://id.example.com/"
  },
  OidcProviderUpdate: {
    label: "Example",
    issuer: "https://id.example.com",
    clientID: "lectern"
  },
  WebhookCreate: { url: "https://hooks.example.com/lectern", types: ["change_request_merged"] },
  WebhookUpdate: { types: ["change_request_merged"] },
  GlossaryUpdate: { operations: [{ type: "insert", translations: { en: "space", de: "Bereich" } }] },
  AdaptiveSchemaPut: {
    jsonSchema: { type: "object", properties: { isBetaUser: { type: "boolean" } }, additionalProperties: false }
  }
}

/** Example texts of fields that differ in one component. */
const componentTexts: Readonly<Record<string, string>> = {
  "OrganizationUpdate.hostname": "acme",
  "OrganizationUpdate.emailDomains": "example.com",
  "PushPush.files": "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391 0 README.md\n"
}

/** The field that each field excludes. An example includes only one of the two. */
const alternatives: Readonly<Record<string, string>> = { document: "markdown", before: "after" }

const id = "2wEFZKdqz6hyPyc7XUmjFn"

/** Names of fields that hold an id. */
const ids =
  /(?:^|[a-z])Ids?$|^(?:id|add|remove|parent|page|pages|space|spaces|user|users|team|teams|collection|organization|site|sites|file|installation|changeRequest|revision|siteSpace|siteSection|default|defaultSiteSpace|defaultTeam)$/

export class Examples {
  readonly #components: Readonly<Record<string, JsonSchema>>

  constructor(components: Readonly<Record<string, JsonSchema>>) {
    this.#components = components
  }

  exampleFor(schema: JsonSchema): unknown {
    return this.#exampleFor(schema, { component: "", field: "", depth: 0 })
  }

  #exampleFor(schema: JsonSchema, position: ExamplePosition): unknown {
    const name = nameOf(schema)
    if (name !== undefined) {
      return (
        componentExamples[name] ??
        this.#exampleFor(this.#components[name] ?? {}, { ...position, component: name, depth: position.depth + 1 })
      )
    }
    const examples = schema["examples"]
    if (Array.isArray(examples) && examples.length > 0) return examples[0]
    if (schema.enum !== undefined) return schema.enum[0]
    if (schema.anyOf !== undefined) {
      const isValue = ({ type }: JsonSchema) => type !== "null"
      return this.#exampleFor(schema.anyOf.find(isValue) ?? {}, { ...position, depth: position.depth + 1 })
    }
    switch (schema.type) {
      case "object":
        return this.#object(schema, position)
      case "array":
        return schema.items === undefined || (position.depth > maxListDepth && schema["minItems"] === undefined)
          ? []
          : [this.#exampleFor(schema.items, { ...position, depth: position.depth + 1 })]
      case "string":
        return textOf(schema, position)
      case "integer":
      case "number":
        return Math.max(1, Number(schema["minimum"] ?? 1))
      case "boolean":
        return true
      default:
        return {}
    }
  }

  #object(
    { properties = {}, required = [] }: JsonSchema,
    { component, depth }: ExamplePosition
  ): Record<string, unknown> {
    const names = Object.keys(properties)
    const needed = names.filter((name) => required.includes(name))
    const distinct = names.filter((name) => !names.includes(alternatives[name] ?? ""))
    // Without required fields the example includes optional ones, since it would be empty otherwise.
    const included = needed.length > 0 || depth > 2 ? needed : distinct.slice(0, 4)
    return Object.fromEntries(
      included.map((name) => [name, this.#exampleFor(properties[name]!, { component, field: name, depth: depth + 1 })])
    )
  }
}

/** Depth below which arrays are empty. */
const maxListDepth = 6

interface ExamplePosition {
  /** Innermost component, and the field in it. */
  readonly component: string
  readonly field: string
  readonly depth: number
}

const textOf = (schema: JsonSchema, { component, field }: ExamplePosition): string => {
  const text = componentTexts[`${component}.${field}`] ?? fieldTexts[field]
  const defaultText = ids.test(field) ? id : /ur[li]$/i.test(field) ? "https://example.com/" : "example"
  return (text ?? defaultText).padEnd(Number(schema["minLength"] ?? 0), "e")
}
