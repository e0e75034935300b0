/**
 * An integration: a program that somebody published for organizations to install. Its name is told
 * apart without regard to case and belongs to the organization that published it first; each time it
 * is published it gets the next version.
 *
 * Limits: name 1 to 100 of `[A-Za-z0-9._-]`; script 4 MiB; icon 512 KiB and three preview images of
 * 2 MiB each, as PNG, JPEG, GIF or WebP; 20 secrets of 4,096 characters each; 1,000 integrations of an
 * organization.
 */
import { Schema, Struct } from "effect"
import { Organization, OrganizationId } from "../organization/Organization.ts"
import { Issues } from "../schema/Input.ts"
import { sealed } from "../schema/Sealed.ts"
import { Timestamp } from "../schema/Text.ts"
import * as Text from "../schema/Text.ts"
import { fold } from "../search/Words.ts"
import { BlobHash } from "../storage/BlobStore.ts"
import * as Table from "../storage/Table.ts"
import { UserId } from "../user/User.ts"
import {
  IntegrationCategory,
  IntegrationManifest,
  IntegrationRuntimeVersion,
  IntegrationScope,
  IntegrationTarget,
  named
} from "./IntegrationManifest.ts"

export const maxScriptBytes = 4 * 1024 * 1024
export const maxIconBytes = 512 * 1024
export const maxPreviewBytes = 2 * 1024 * 1024
export const maxPreviews = 3
export const maxSecrets = 20
export const maxIntegrations = 1_000

/** The name in lower case, as rows keep it. */
export const IntegrationKey = Schema.String.pipe(Schema.brand("IntegrationKey"))
export type IntegrationKey = typeof IntegrationKey.Type

export const IntegrationName = Text.between(1, 100).check(
  Schema.isPattern(/^[a-zA-Z0-9-_.]+$/, { message: "Expected letters, digits, and any of - _ ." })
)

/** Prefix of the names of integrations that come with Lectern. Nobody but the operator publishes under it. */
export const keptPrefix = "lectern-"

export const keyOf = (name: string): IntegrationKey => IntegrationKey.make(name.toLowerCase())

const Image = Schema.Struct({ blob: BlobHash, contentType: Schema.String })

/** Redirection of the events to a developer, for as long as that lasts. */
export const DevelopmentMode = Schema.Struct({
  /** False: those of the developer's own organization alone. */
  all: Schema.Boolean,
  developer: Schema.NullOr(UserId),
  endsAt: Timestamp
})
export type DevelopmentMode = typeof DevelopmentMode.Type

export const DevelopmentPut = Schema.Struct({
  tunnelUrl: Text.between(1, 256),
  /** Default: the events of the developer's own organization alone. */
  all: Schema.optionalKey(Schema.Boolean)
})
export type DevelopmentPut = typeof DevelopmentPut.Type

export const IntegrationRow = Schema.Struct({
  key: IntegrationKey,
  /** As it was written when it was published last. */
  name: IntegrationName,
  organization: OrganizationId,
  version: Schema.Int,
  runtime: IntegrationRuntimeVersion,
  manifest: IntegrationManifest,
  /** Published by whoever runs this instance. */
  verified: Schema.Boolean,
  icon: Schema.optionalKey(Image),
  previewImages: Schema.Array(Image),
  script: BlobHash,
  /** Secrets that its publisher gave it to keep, told to its program alone; undefined where there are none. */
  secrets: Schema.optionalKey(sealed<Readonly<Record<string, string>>>()),
  development: Schema.optionalKey(DevelopmentMode),
  /** While it is developed: whoever knows it can send events there. */
  tunnelUrl: Schema.optionalKey(sealed<string>()),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  /** It is gone for everyone; its program only hears the last of what it has to be told. */
  unpublishedAt: Schema.optionalKey(Timestamp)
})
export type IntegrationRow = typeof IntegrationRow.Type

/**
 * Tells whether an integration is still there for anyone. One that was unpublished is only told that it is
 * gone, while its installations are removed.
 */
export const isPublished = (integration: IntegrationRow | undefined): integration is IntegrationRow =>
  integration !== undefined && integration.unpublishedAt === undefined

/** The hosts that the blocks of an integration take URLs of. */
const blockDomains = ({ manifest }: IntegrationRow): ReadonlyArray<string> => [
  ...new Set(
    (manifest.blocks ?? []).flatMap(({ urlUnfurl = [] }) => urlUnfurl.flatMap((url) => URL.parse(url)?.hostname || []))
  )
]

export const IntegrationTable = Table.make("integration", IntegrationRow, {
  key: ["key"],
  derived: {
    folded: ({ manifest }: IntegrationRow) => fold(manifest.title),
    /** Null once it is unpublished. */
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
  // Every three bytes are four characters, and line breaks may stand between them.
  Text.between(1, Math.ceil((bytes * 4) / 3) + 4)

/** Input of a publication; a field that is left out is as if it had never been set. */
export const IntegrationPublish = Schema.Struct({
  ...manifest,
  scopes,
  visibility: Schema.optionalKey(visibility),
  target: Schema.optionalKey(target),
  categories: Schema.optionalKey(categories),
  externalLinks: Schema.optionalKey(externalLinks),
  runtime: Schema.optionalKey(IntegrationRuntimeVersion),
  /** Base64. */
  icon: Schema.optionalKey(Base64(maxIconBytes)),
  previewImages: Schema.optionalKey(Schema.Array(Base64(maxPreviewBytes)).check(Schema.isMaxLength(maxPreviews))),
  /** A classic script for `v1`, a module for `v2`. */
  script: Text.between(1, maxScriptBytes),
  /** The organization's id or its subdomain. */
  organization: Text.between(1, 256),
  secrets: Schema.optionalKey(named(Text.between(1, 100), Text.atMost(4096), maxSecrets, "secrets"))
})
export type IntegrationPublish = typeof IntegrationPublish.Type

/** Filter of a list of integrations. */
export const IntegrationFilter = Schema.Struct({
  search: Schema.optionalKey(Text.atMost(512)).annotateKey({
    description: "Words: those that have them in their names."
  }),
  category: Schema.optionalKey(IntegrationCategory).annotateKey({ description: "Integrations of this category." }),
  scope: Schema.optionalKey(IntegrationScope).annotateKey({ description: "Integrations that ask for this scope." }),
  blockDomain: Schema.optionalKey(
    Text.between(1, 100).check(Schema.isPattern(/^[a-zA-Z0-9-_.]+$/, { message: "Expected a domain" }))
  ).annotateKey({ description: "A domain, such as `github.com`: integrations that draw links to it." }),
  blocks: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "`true`: integrations that bring blocks, `false`: those that bring none."
  }),
  contentSources: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "`true`: integrations that bring content, `false`: those that bring none."
  }),
  target: Schema.optionalKey(IntegrationTarget).annotateKey({
    description: "Integrations that can be placed on this."
  }),
  owner: Schema.optionalKey(Text.between(1, 256)).annotateKey({ description: "Those that belong to this owner." })
})
export type IntegrationFilter = typeof IntegrationFilter.Type

/** The resource. */
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
export type Integration = typeof Integration.Type

export class IntegrationNotFound extends Schema.TaggedError<IntegrationNotFound>()(
  "IntegrationNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

/** Another organization publishes an integration of this name, or it is kept for those that come with Lectern. */
export class IntegrationNameTaken extends Schema.TaggedError<IntegrationNameTaken>()(
  "IntegrationNameTaken",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}

export class TooManyIntegrations extends Schema.TaggedError<TooManyIntegrations>()(
  "TooManyIntegrations",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}

/** The integration published under this name before is still being removed. */
export class IntegrationLeaving extends Schema.TaggedError<IntegrationLeaving>()(
  "IntegrationLeaving",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}

/** A publication that can't be used: a script that is none, an image that is none. */
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
