/**
 * Manifest of an integration: its scopes, target, blocks, content sources and configuration.
 *
 * Limits: title 2 to 30 characters, description 100, summary 2,048; titles of blocks and content sources 2 to 40, their
 * descriptions 150; 50 blocks with 50 URL patterns each, 20 content sources; 5 external links; 50 properties of a
 * configuration; a content security policy of 4,096 characters.
 */
import * as UrlPattern from "@lectern/document/integration-blocks/UrlPattern"
import { Schema } from "effect"
import * as Text from "../schema/Text.ts"

export const maxBlocks = 50
export const maxContentSources = 20
export const maxProperties = 50

/** A permission that an integration requests. `IntegrationScopes` lists the actions of each scope. */
export const IntegrationScope = Schema.Literals([
  "space:content:read",
  "space:content:write",
  "space:metadata:read",
  "space:metadata:write",
  "space:git:sync",
  "page:feedback:read",
  "site:metadata:read",
  "site:views:read",
  "site:script:inject",
  "site:script:cookies",
  "site:visitor:auth",
  "site:visitor:claims",
  "site:adaptive:read",
  "site:adaptive:write",
  "openapi:read",
  "openapi:write",
  "conversations:ingest"
])
export type IntegrationScope = typeof IntegrationScope.Type

export const IntegrationScopes = Schema.Array(IntegrationScope).check(
  Schema.isMaxLength(IntegrationScope.literals.length)
)

/** Kind of resource on which the integration is installed and configured. */
export const IntegrationTarget = Schema.Literals(["all", "site", "space", "organization"])
export type IntegrationTarget = typeof IntegrationTarget.Type

/** `unlisted`: anyone who knows the name may install it; `private`: only the owning organization may. */
export const IntegrationVisibility = Schema.Literals(["public", "private", "unlisted"])

export const IntegrationCategory = Schema.Literals([
  "analytics",
  "collaboration",
  "content",
  "gitsync",
  "marketing",
  "visitor-auth",
  "other"
])

export const IntegrationRuntimeVersion = Schema.Literals(["v1", "v2"])

const PartId = Text.between(1, 100)
const PartTitle = Text.line(2, 40)
const PartDescription = Text.atMost(150)
const Url = Text.between(1, 2048)

/** Rejects parts with equal ids. Documents and requests refer to parts by id. */
const haveUniqueIds = Schema.makeFilter((parts: ReadonlyArray<{ readonly id: string }>) => {
  const usedNames = new Set<string>()
  const duplicateIndex = parts.findIndex(({ id }) => usedNames.size === usedNames.add(id).size)
  return duplicateIndex === -1 ? undefined : { path: [duplicateIndex, "id"], issue: "Expected a unique id" }
})

const UnfurlPattern = Url.check(
  Schema.makeFilter((pattern: string) =>
    UrlPattern.parse(pattern) === undefined
      ? "Expected http or https URLs with a named host, such as https://*.example.com/notes/**"
      : undefined
  )
)

export const IntegrationBlock = Schema.Struct({
  id: PartId,
  title: PartTitle,
  description: Schema.optionalKey(PartDescription),
  icon: Schema.optionalKey(Url),
  /** Patterns of URLs that become this block. */
  urlUnfurl: Schema.optionalKey(Schema.Array(UnfurlPattern).check(Schema.isMaxLength(50))),
  /** Code blocks of this language render as this block. `body` names the property that receives their text. */
  markdown: Schema.optionalKey(Schema.Struct({ codeblock: PartId, body: PartId }))
})
export interface IntegrationBlock extends Schema.Schema.Type<typeof IntegrationBlock> {}

/** A record with a bounded number of keys. Rejects invalid keys, which a plain record would drop. */
export const boundedRecord = <Key extends Schema.Codec<string>, Value extends Schema.Top>(
  key: Key,
  value: Value,
  max: number,
  label: string
) => {
  const isKey = Schema.is(key)
  return Schema.Record(Schema.String, value).check(
    Schema.makeFilter((record) => {
      const keys = Object.keys(record)
      if (keys.length > max) return `Expected at most ${max} ${label}`
      const invalidKey = keys.find((name) => !isKey(name))
      return invalidKey === undefined
        ? undefined
        : `Expected ${label} other than ${JSON.stringify(invalidKey.slice(0, 100))}`
    })
  )
}

/** A component of the integration that replaces the form of properties. */
const ConfigurationComponent = Schema.Struct({ componentId: PartId })

export const IntegrationContentSource = Schema.Struct({
  id: PartId,
  title: PartTitle,
  description: Schema.optionalKey(PartDescription),
  icon: Schema.optionalKey(Url),
  configuration: ConfigurationComponent
})

const labelFields = { title: Schema.optionalKey(Text.line(0, 30)), description: Schema.optionalKey(Text.atMost(1000)) }

/** A property of a configuration. A button opens a page that sets the property. */
export const ConfigurationProperty = Schema.Union([
  Schema.Struct({
    ...labelFields,
    type: Schema.Literal("string"),
    default: Schema.optionalKey(Text.atMost(2048)),
    completion_url: Schema.optionalKey(Url),
    enum: Schema.optionalKey(Schema.Array(Text.atMost(256)).check(Schema.isMaxLength(100), Schema.isUnique()))
  }),
  Schema.Struct({ ...labelFields, type: Schema.Literal("number"), default: Schema.optionalKey(Schema.Finite) }),
  Schema.Struct({ ...labelFields, type: Schema.Literal("boolean"), default: Schema.optionalKey(Schema.Boolean) }),
  Schema.Struct({ ...labelFields, type: Schema.Literal("button"), callback_url: Url, button_text: Text.line(1, 100) })
])
export type ConfigurationProperty = typeof ConfigurationProperty.Type

/** Rejects names of properties that every JavaScript object inherits, which would be found without being set. */
const PropertyName = Text.between(1, 100).check(
  Schema.makeFilter((name: string) =>
    name in {} ? "Expected a name that JavaScript objects don't inherit" : undefined
  )
)

export const ConfigurationSchema = Schema.Struct({
  properties: boundedRecord(PropertyName, ConfigurationProperty, maxProperties, "properties"),
  required: Schema.optionalKey(Schema.Array(PropertyName).check(Schema.isMaxLength(maxProperties), Schema.isUnique()))
})
export type ConfigurationSchema = typeof ConfigurationSchema.Type

export const IntegrationConfiguration = Schema.Union([ConfigurationSchema, ConfigurationComponent])
export type IntegrationConfiguration = typeof IntegrationConfiguration.Type

/** Configurations of the account, of a space and of a site. */
export const IntegrationConfigurations = Schema.Struct({
  account: Schema.optionalKey(IntegrationConfiguration),
  space: Schema.optionalKey(IntegrationConfiguration),
  site: Schema.optionalKey(IntegrationConfiguration)
})
export type IntegrationConfigurations = typeof IntegrationConfigurations.Type

/**
 * Allows printable ASCII and line feeds, which count as white space. Rejects carriage returns, which could inject a
 * header.
 */
const policyText = Text.atMost(4096).check(
  Schema.isPattern(/^[\t\n\x20-\x7e]*$/, { message: "Expected a policy of printable ASCII, without carriage returns" })
)

/** A policy as text, or by directive. */
export const ContentSecurityPolicy = Schema.Union([
  policyText,
  boundedRecord(Schema.String.check(Schema.isPattern(/^[a-z][a-z-]{0,63}$/)), policyText, 50, "directives")
])

/** Returns a content security policy as one line. */
export const policyLine = (policy: typeof ContentSecurityPolicy.Type): string => {
  const directives =
    typeof policy === "string" ? [policy] : Object.entries(policy).map(([directive, value]) => `${directive} ${value}`)
  return directives.map((directive) => directive.replace(/\s+/g, " ").replace(/^[ ;]+|[ ;]+$/g, "")).join("; ")
}

/** The public part of a version, as published. */
export const IntegrationManifest = Schema.Struct({
  title: Text.line(2, 30),
  description: Text.atMost(100),
  summary: Schema.optionalKey(Text.atMost(2048)),
  visibility: IntegrationVisibility,
  target: IntegrationTarget,
  scopes: IntegrationScopes,
  categories: Schema.Array(IntegrationCategory).check(Schema.isMaxLength(IntegrationCategory.literals.length)),
  blocks: Schema.optionalKey(Schema.Array(IntegrationBlock).check(Schema.isMaxLength(maxBlocks), haveUniqueIds)),
  contentSources: Schema.optionalKey(
    Schema.Array(IntegrationContentSource).check(Schema.isMaxLength(maxContentSources), haveUniqueIds)
  ),
  configurations: Schema.optionalKey(IntegrationConfigurations),
  externalLinks: Schema.Array(Schema.Struct({ url: Text.HttpUrl, label: Text.line(1, 100) })).check(
    Schema.isMaxLength(5)
  ),
  contentSecurityPolicy: Schema.optionalKey(ContentSecurityPolicy)
})
export type IntegrationManifest = typeof IntegrationManifest.Type
