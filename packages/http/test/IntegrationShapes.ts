/**
 * Shapes of integrations and their installations, as the interface promises them, apart from the schemas of
 * the core.
 */
import { Schema } from "effect"
import { Count, DateTime, flags, Id, kind, Organization, Site, Space, Text, Url } from "./Shapes.ts"

const maybe = Schema.optionalKey
const Free = Schema.Record(Text, Schema.Json)
const endpoints = { location: Url, publicEndpoint: Url, publicContentEndpoint: Url }
const Status = Schema.Literals(["active", "pending", "paused"])

const Configuration = Schema.Union([
  Schema.Struct({ properties: Schema.Record(Text, Free), required: maybe(Schema.Array(Text)) }),
  Schema.Struct({ componentId: Text })
])

export const IntegrationBlock = Schema.Struct({
  id: Text,
  title: Text,
  description: maybe(Text),
  icon: maybe(Text),
  urlUnfurl: maybe(Schema.Array(Text)),
  markdown: maybe(Schema.Struct({ codeblock: Text, body: Text }))
})

export const Integration = Schema.Struct({
  ...kind("integration"),
  name: Text.check(Schema.isPattern(/^[a-zA-Z0-9-_.]+$/)),
  version: Schema.Int.check(Schema.isGreaterThan(0)),
  title: Text,
  description: Text,
  summary: maybe(Text),
  previewImages: Schema.Array(Url),
  target: Schema.Literals(["all", "site", "space", "organization"]),
  verified: Schema.Boolean,
  visibility: Schema.Literals(["public", "private", "unlisted"]),
  scopes: Schema.Array(Text),
  categories: Schema.Array(Text),
  blocks: maybe(Schema.Array(IntegrationBlock)),
  contentSources: maybe(
    Schema.Array(Schema.Struct({ id: Text, title: Text, configuration: Schema.Struct({ componentId: Text }) }))
  ),
  configurations: maybe(
    Schema.Struct({ account: maybe(Configuration), space: maybe(Configuration), site: maybe(Configuration) })
  ),
  externalLinks: Schema.Array(Schema.Struct({ url: Url, label: Text })),
  owner: Organization,
  urls: Schema.Struct({ ...endpoints, app: Url, assets: Url, icon: maybe(Url) }),
  permissions: flags("admin"),
  contentSecurityPolicy: maybe(Text)
})

export const Installation = Schema.Struct({
  ...kind("integration-installation"),
  id: Id,
  status: Status,
  space_selection: Schema.Literals(["all", "selected"]),
  site_selection: Schema.Literals(["all", "selected"]),
  spaces: Count,
  configuration: Free,
  scopes: Schema.Array(Text),
  requestedScopes: Schema.Array(Text),
  externalIds: Schema.Array(Text),
  target: Schema.Struct({ organization: Id }),
  createdAt: DateTime,
  updatedAt: DateTime,
  urls: Schema.Struct({ ...endpoints, app: Url })
})

const placed = {
  integration: Text,
  installation: Id,
  status: Status,
  configuration: Free,
  externalIds: Schema.Array(Text),
  urls: Schema.Struct(endpoints)
}

export const SpacePlacement = Schema.Struct({
  ...kind("integration-space-installation"),
  ...placed,
  space: Schema.Union([Id, Space])
})

export const SitePlacement = Schema.Struct({
  ...kind("integration-site-installation"),
  ...placed,
  site: Schema.Union([Id, Site])
})

export const IntegrationEvent = Schema.Struct({
  ...kind("integration-event"),
  id: Id,
  integrationId: Text,
  installationId: maybe(Id),
  createdAt: DateTime,
  payload: Schema.StructWithRest(Schema.Struct({ eventId: Id, type: Text }), [Free]),
  status: Schema.Literals(["success", "failed"])
})

export const TracedEvent = Schema.Struct({
  event: IntegrationEvent,
  trace: Schema.Struct({
    logs: Schema.Array(
      Schema.Struct({
        level: Schema.Literals(["debug", "info", "warn", "error"]),
        message: Text,
        timestamp: DateTime
      })
    )
  })
})
