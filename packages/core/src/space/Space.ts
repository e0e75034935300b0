/**
 * A space holds the content of one documentation: pages and files, in revisions.
 *
 * Limits: title 50 characters in one line, emoji 50. What callers leave out is filled in: the title "Untitled",
 * the emoji 📄, visibility `private`, edit mode `live`.
 */
import { Schema, Struct } from "effect"
import { AccessKind, Ceiling, Opening } from "../access/Ceiling.ts"
import { DefaultLevel, Role } from "../access/Role.ts"
import { RevisionId } from "../content/revisions/Revision.ts"
import { CollectionId } from "../collection/Collection.ts"
import { OrganizationId } from "../organization/Organization.ts"
import { Emoji } from "../schema/Emoji.ts"
import { Language } from "../schema/Language.ts"
import { Timestamp } from "../schema/Text.ts"
import * as Text from "../schema/Text.ts"
import * as Table from "../storage/Table.ts"
import { TemplateApplication } from "../template/Template.ts"

export const SpaceId = Schema.String.pipe(Schema.brand("SpaceId"))
export type SpaceId = typeof SpaceId.Type

export const untitled = "Untitled"
export const defaultEmoji = "📄"

export const maxTitle = 50

export const SpaceTitle = Text.line(0, maxTitle)

export const Visibility = Schema.Literals([
  "public",
  "unlisted",
  "share-link",
  "visitor-auth",
  "in-collection",
  "private"
])
export const EditMode = Schema.Literals(["live", "locked"])

export const SpaceGitSync = Schema.Struct({
  repoName: Schema.String,
  installationStatus: Schema.Literal("active"),
  installationProvider: Schema.String,
  installationId: Schema.String,
  url: Schema.String,
  updatedAt: Timestamp
})

/** Settings that are kept as they are given, go along with a copy, and are shown to whoever sees the space. */
const settings = {
  language: Schema.optionalKey(Language)
}

const Settings = Schema.Struct(settings)
type Settings = typeof Settings.Type

const settingNames = Struct.keys(settings)

export const settingsOf = (space: Settings): Settings => {
  const kept: { -readonly [K in keyof Settings]: Settings[K] } = {}
  for (const name of settingNames) if (space[name] !== undefined) kept[name] = space[name]
  return kept
}

export const SpaceRow = Schema.Struct({
  id: SpaceId,
  organization: OrganizationId,
  /** The collection it lies in; absent at the top. */
  parent: Schema.optionalKey(Schema.String),
  /** Its place among its siblings: a fractional index. */
  position: Schema.String,
  title: SpaceTitle,
  emoji: Emoji,
  visibility: Visibility,
  /** Someone has chosen the visibility: until then, the sites that it stands on decide. */
  visibilitySet: Schema.optionalKey(Schema.Literal(true)),
  editMode: EditMode,
  ...settings,
  defaultLevel: DefaultLevel,
  ceiling: Schema.optionalKey(Ceiling),
  /** A translation is as open as its source, wherever it lies. */
  follows: Schema.optionalKey(Schema.String),
  /** Of a space that is kept in step with a repository. */
  gitSync: Schema.optionalKey(SpaceGitSync),
  revision: RevisionId,
  /** Open comments of the space itself. */
  comments: Schema.Int,
  changeRequests: Schema.Int,
  changeRequestsOpen: Schema.Int,
  changeRequestsDraft: Schema.Int,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  /** When it was put in the trash. */
  deletedAt: Schema.optionalKey(Timestamp),
  /** Its removal for good has begun: it is gone for everyone. */
  removing: Schema.optionalKey(Schema.Literal(true))
})
export type SpaceRow = typeof SpaceRow.Type

/** Its access doesn't follow from the collection alone that it lies in. */
export const isBounded = ({ ceiling, follows }: Pick<SpaceRow, "ceiling" | "follows">): boolean =>
  ceiling !== undefined || follows !== undefined

export const SpaceTable = Table.make("space", SpaceRow, {
  key: ["id"],
  derived: {
    deleted: (row: SpaceRow) => row.deletedAt !== undefined,
    bounded: isBounded,
    /** Origin of the default level: its parent, the space itself, or `closed` for none. */
    inheritance: (row: SpaceRow) =>
      row.defaultLevel === "inherit" ? "inherit" : row.defaultLevel === null ? "closed" : "set"
  },
  indexes: [
    ["organization", "deleted", "position"],
    ["organization", "parent", "deleted", "position"],
    ["organization", "bounded"],
    ["inheritance"]
  ]
})

export const SpaceCreate = Schema.Struct({
  /** The collection to lie in. */
  parent: Schema.optionalKey(CollectionId),
  title: Schema.optionalKey(SpaceTitle),
  emoji: Schema.optionalKey(Emoji),
  ...settings,
  editMode: Schema.optionalKey(EditMode),
  empty: Schema.optionalKey(Schema.Boolean),
  /** Template that the space begins with. */
  template: Schema.optionalKey(TemplateApplication)
})
export type SpaceCreate = typeof SpaceCreate.Type

export const SpacePatch = Schema.Struct({
  title: Schema.optionalKey(SpaceTitle),
  emoji: Schema.optionalKey(Emoji),
  ...settings,
  editMode: Schema.optionalKey(EditMode),
  visibility: Schema.optionalKey(Visibility),
  defaultLevel: Schema.optionalKey(DefaultLevel),
  ...Opening.fields
})
export type SpacePatch = typeof SpacePatch.Type

/** The resource. */
export const Space = Schema.Struct({
  object: Schema.Literal("space"),
  id: SpaceId,
  title: Schema.String,
  emoji: Schema.String,
  visibility: Visibility,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  deletedAt: Schema.optionalKey(Timestamp),
  editMode: EditMode,
  urls: Schema.Struct({
    location: Schema.String,
    app: Schema.String,
    published: Schema.optionalKey(Schema.String)
  }),
  /** Of a space for visitors that have signed on: the organization's own code signs their tokens. */
  visitorAuth: Schema.optionalKey(Schema.Struct({ backend: Schema.Literal("custom") })),
  organization: OrganizationId,
  parent: Schema.optionalKey(Schema.String),
  ...settings,
  revision: RevisionId,
  gitSync: Schema.optionalKey(SpaceGitSync),
  defaultLevel: Schema.NullOr(Role),
  /** `kept`: it is not as open as what it lies in. Not told to visitors. */
  access: Schema.optionalKey(AccessKind),
  mergeRules: Schema.Struct({ type: Schema.Literal("inherit") }),
  comments: Schema.Int,
  changeRequests: Schema.Int,
  changeRequestsOpen: Schema.Int,
  changeRequestsDraft: Schema.Int,
  permissions: Schema.Struct({
    view: Schema.Boolean,
    access: Schema.Boolean,
    admin: Schema.Boolean,
    viewInviteLinks: Schema.Boolean,
    edit: Schema.Boolean,
    triggerGitSync: Schema.Boolean,
    comment: Schema.Boolean,
    merge: Schema.Boolean,
    review: Schema.Boolean,
    installIntegration: Schema.Boolean
  })
})
export type Space = typeof Space.Type

/** A space that a member of the organization may see, and its level there. */
export const SpaceOfMember = Schema.Struct({ permission: Role, space: Space })
export type SpaceOfMember = typeof SpaceOfMember.Type

export class SpaceNotFound extends Schema.TaggedError<SpaceNotFound>()(
  "SpaceNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

/** The space is locked: it can't be edited directly, only through change requests. */
export class SpaceLocked extends Schema.TaggedError<SpaceLocked>()(
  "SpaceLocked",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}

/** A visibility that is not possible where the space is. */
export class InvalidVisibility extends Schema.TaggedError<InvalidVisibility>()(
  "InvalidVisibility",
  { message: Schema.String },
  { httpApiStatus: 400 }
) {}
