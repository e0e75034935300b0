/**
 * An integration: a published program that organizations install. Its name is case-insensitive and belongs to the
 * organization that first published it. Each publication increments the version.
 *
 * Limits: name 1 to 100 of `[A-Za-z0-9._-]`; script 4 MiB; icon 512 KiB and three preview images of 2 MiB each, as PNG,
 * JPEG, GIF or WebP; 20 secrets of 4,096 characters each; 1,000 integrations of an organization.
 */
import { Schema, Struct } from "effect"
import { Organization, OrganizationId } from "../organization/Organization.ts"
import { Issues } from "../schema/Input.ts"
import { sealed } from "../schema/Sealed.ts"
import { Timestamp } from "../schema/Text.ts"
import * as Text from "../schema/Text.ts"
import { foldText } from "../search/Words.ts"
import { BlobHash } from "../storage/BlobStore.ts"
import * as Table from "../storage/Table.ts"
import { UserId } from "../user/User.ts"
import {
  IntegrationCategory,
  IntegrationManifest,
  IntegrationRuntimeVersion,
  IntegrationScope,
  IntegrationTarget,
  boundedRecord
} from "./IntegrationManifest.ts"

export const maxScriptBytes = 4 * 1024 * 1024
export const maxIconBytes = 512 * 1024
export const maxPreviewBytes = 2 * 1024 * 1024
export const maxPreviews = 3
export const maxSecrets = 20
export const maxIntegrations = 1_000

/** The name in lower case, as stored in rows. */
export const IntegrationKey = Schema.String.pipe(Schema.brand("IntegrationKey"))
export type IntegrationKey = typeof IntegrationKey.Type

export const IntegrationName = Text.between(1, 100).check(
  Schema.isPattern(/^[a-zA-Z0-9-_.]+$/, { message: "Expected letters, digits, and any of - _ ." })
)

/** Prefix of the names of integrations that come with Lectern. Only the operator publishes under it. */
export const reservedPrefix = "lectern-"

export const keyOf = (name: string): IntegrationKey => IntegrationKey.make(name.toLowerCase())

const Image = Schema.Struct({ blob: BlobHash, contentType: Schema.String })

/** Redirection of events to a developer's machine, for a limited time. */
export const DevelopmentMode = Schema.Struct({
  /** True if events of all organizations are redirected. If false, only events of the developer's own organization. */
  all: Schema.Boolean,
  developer: Schema.NullOr(UserId),
  endsAt: Timestamp
})
export type DevelopmentMode = typeof DevelopmentMode.Type

export const DevelopmentPut = Schema.Struct({
  /** URL to which events are sent. */
  tunnelUrl: Text.between(1, 256),
  /** True to redirect events of all organizations. Default: false, only events of the developer's own organization. */
  all: Schema.optionalKey(Schema.Boolean)
})
export type DevelopmentPut = typeof DevelopmentPut.Type

export const IntegrationRow = Schema.Struct({
  key: IntegrationKey,
  /** Name in the spelling of the latest publication. */
  name: IntegrationName,
  organization: OrganizationId,
  version: Schema.Int,
  runtime: IntegrationRuntimeVersion,
  manifest: IntegrationManifest,
  /** True if the operator of this instance published the integration. */
  verified: Schema.Boolean,
  icon: Schema.optionalKey(Image),
  previewImages: Schema.Array(Image),
  script: BlobHash,
  /** Secrets of the publisher, passed only to the program. Undefined without secrets. */
  secrets: Schema.optionalKey(sealed<Readonly<Record<string, string>>>()),
  development: Schema.optionalKey(DevelopmentMode),
  /**
   * URL of the developer's machine during development. Sealed, because the knowledge of the URL is enough to send
   * events to it.
   */
  tunnelUrl: Schema.optionalKey(sealed<string>()),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  /**
   * Set after the integration is unpublished. The integration no longer exists for users; its program still receives
   * the last events.
   */
  unpublishedAt: Schema.optionalKey(Timestamp)
})
export type IntegrationRow = typeof IntegrationRow.Type

/**
 * Returns true if an integration is published. An unpublished integration exists only until its installations are
 * removed, and receives only events that report their removal.
 */
export const isPublished = (integration: IntegrationRow | undefined): integration is IntegrationRow =>
  integration !== undefined && integration.unpublishedAt === undefined

/** Returns the hosts of URLs that the blocks of an integration unfurl. */
const blockDomains = ({ manifest }: IntegrationRow): ReadonlyArray<string> => [
  ...new Set(
    (manifest.blocks ?? []).flatMap(({ urlUnfurl = [] }) => urlUnfurl.flatMap((url) => URL.parse(url)?.hostname || []))
  )
]

export const IntegrationTable = Table.make("integration", IntegrationRow, {
  key: ["key"],
  derived: {
    folded: ({ manifest }: IntegrationRow) => foldText(manifest.title),
    /** Null after the integration is unpublished. */
    visibility: ({ manifest, unpublishedAt }: IntegrationRow) =>
      unpublishedAt === undefined ? manifest.visibility : null,
    target: ({ manifest }: IntegrationRow) => manifest.target,
    hasBlocks: ({ manifest }: IntegrationRow) => (manifest.blocks ?? []).length > 0,
    hasContentSources: ({ manifest }: IntegrationRow) => (manifest.contentSources ?? []).length > 0
  },
  lists: {
    scopes: ({ manifest }: IntegrationRow) => manifest.scopes,
    categories: ({ manifest }: IntegrationRow) => manifest.categories,
    blockDomains
  },
  indexes: [
    ["visibility", "folded"],
    ["organization", "folded"],
    ["visibility", "target", "hasBlocks", "hasContentSources"],
    ["unpublishedAt"]
  ],
  sealed: ["secrets", "tunnelUrl"]
})

const { scopes, visibility, target, categories, externalLinks, ...manifest } = IntegrationManifest.fields

const Base64 = (bytes: number) =>
  // Base64 encodes three bytes as four characters. Four more characters are allowed for padding and line breaks.
  Text.between(1, Math.ceil((bytes * 4) / 3) + 4)

/** Input of a publication. An omitted field is reset to its default. */
export const IntegrationPublish = Schema.Struct({
  ...manifest,
  scopes,
  visibility: Schema.optionalKey(visibility),
  target: Schema.optionalKey(target),
  categories: Schema.optionalKey(categories),
  externalLinks: Schema.optionalKey(externalLinks),
  runtime: Schema.optionalKey(IntegrationRuntimeVersion),
  /** Image in Base64. */
  icon: Schema.optionalKey(Base64(maxIconBytes)),
  previewImages: Schema.optionalKey(Schema.Array(Base64(maxPreviewBytes)).check(Schema.isMaxLength(maxPreviews))),
  /** A classic script for `v1`, a module for `v2`. */
  script: Text.between(1, maxScriptBytes),
  /** The organization's id or its subdomain. */
  organization: Text.between(1, 256),
  secrets: Schema.optionalKey(boundedRecord(Text.between(1, 100), Text.atMost(4096), maxSecrets, "secrets"))
})
export type IntegrationPublish = typeof IntegrationPublish.Type

/** Filter of a list of integrations. */
export const IntegrationFilter = Schema.Struct({
  search: Schema.optionalKey(Text.atMost(512)).annotateKey({
    description: "Words in the title or the name. Returns integrations that contain them."
  }),
  category: Schema.optionalKey(IntegrationCategory).annotateKey({
    description: "Returns integrations of this category."
  }),
  scope: Schema.optionalKey(IntegrationScope).annotateKey({
    description: "Returns integrations that request this scope."
  }),
  blockDomain: Schema.optionalKey(
    Text.between(1, 100).check(Schema.isPattern(/^[a-zA-Z0-9-_.]+$/, { message: "Expected a domain" }))
  ).annotateKey({
    description: "A domain, such as `github.com`. Returns integrations that render links to this domain."
  }),
  blocks: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "`true`: returns integrations with blocks. `false`: returns integrations without blocks."
  }),
  contentSources: Schema.optionalKey(Schema.Boolean).annotateKey({
    description:
      "`true`: returns integrations with content sources. `false`: returns integrations without content sources."
  }),
  target: Schema.optionalKey(IntegrationTarget).annotateKey({
    description: "Returns integrations that can be installed on this kind of target."
  }),
  owner: Schema.optionalKey(Text.between(1, 256)).annotateKey({ description: "Returns integrations of this owner." })
})
export type IntegrationFilter = typeof IntegrationFilter.Type

/** Integration as returned by the interface. */
export const Integration = Schema.Struct({
  object: Schema.Literal("integration"),
  name: Schema.String,
  version: Schema.Int,
  ...Struct.omit(IntegrationManifest.fields, ["contentSecurityPolicy"]),
  previewImages: Schema.Array(Schema.String),
  verified: Schema.Boolean,
  owner: Organization,
  urls: Schema.Struct({
    location: Schema.String,
    icon: Schema.optionalKey(Schema.String),
    app: Schema.String,
    assets: Schema.String,
    publicEndpoint: Schema.String,
    publicContentEndpoint: Schema.String
  }),
  permissions: Schema.Struct({ admin: Schema.Boolean }),
  /** The policy as one string, also if the integration published it by directive. */
  contentSecurityPolicy: Schema.optionalKey(Schema.String)
})
export interface Integration extends Schema.Schema.Type<typeof Integration> {}

/** Raised if no integration with the name is published, or the actor may not see it. */
export class IntegrationNotFound extends Schema.TaggedError<IntegrationNotFound>()(
  "IntegrationNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

/** Raised if another organization has published an integration of this name, or if the name has the reserved prefix. */
export class IntegrationNameTaken extends Schema.TaggedError<IntegrationNameTaken>()(
  "IntegrationNameTaken",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}

/** Raised if the organization has published 1,000 integrations. */
export class TooManyIntegrations extends Schema.TaggedError<TooManyIntegrations>()(
  "TooManyIntegrations",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}

/** Raised if an integration of this name was unpublished and its installations are still being removed. Retry later. */
export class IntegrationLeaving extends Schema.TaggedError<IntegrationLeaving>()(
  "IntegrationLeaving",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}

/** Raised if the script cannot be parsed or an image cannot be decoded. */
export class InvalidIntegration extends Schema.TaggedError<InvalidIntegration>()(
  "InvalidIntegration",
  { issues: Issues },
  { httpApiStatus: 400 }
) {
  override get message() {
    const [issue] = this.issues
    return issue === undefined ? "The integration can't be published" : `${issue.path}: ${issue.message}`
  }
}
