/**
 * A space holds the content of one documentation: pages and files, in revisions.
 *
 * Limits: title 50 characters on one line, emoji 50 characters. Defaults: title "Untitled", emoji 📄, visibility
 * `private` (`in-collection` in a collection), edit mode `live`.
 */
import { Schema, Struct } from "effect"
import { AccessKind, Ceiling, AccessReset } from "../access/AccessCeiling.ts"
import { DefaultLevel, Role } from "../access/Role.ts"
import { RevisionId } from "../content/revisions/Revision.ts"
import { CollectionId } from "../collection/Collection.ts"
import { OrganizationId } from "../organization/Organization.ts"
import { SpaceMergeRules } from "../merge-rules/MergeRules.ts"
import { Emoji } from "../schema/Emoji.ts"
import { Language } from "../schema/Language.ts"
import { Timestamp } from "../schema/Text.ts"
import * as Text from "../schema/Text.ts"
import * as Table from "../storage/Table.ts"
import { TemplateApplication } from "../template/Template.ts"
import { User, UserId } from "../user/User.ts"

/** Id of a space. */
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

/** Settings that are stored unchanged, copied to duplicates, and visible to all readers of the space. */
const settings = {
  /** Language of the content as a code such as `en`, for search and translations. Default: not set. */
  language: Schema.optionalKey(Language)
}

const Settings = Schema.Struct(settings)
type Settings = typeof Settings.Type

const settingNames = Struct.keys(settings)

export const settingsOf = (space: Settings): Settings => {
  const values: { -readonly [K in keyof Settings]: Settings[K] } = {}
  for (const name of settingNames) if (space[name] !== undefined) values[name] = space[name]
  return values
}

export const SpaceRow = Schema.Struct({
  id: SpaceId,
  organization: OrganizationId,
  /** Parent collection. Absent at the top level. */
  parent: Schema.optionalKey(Schema.String),
  /** Fractional index that orders siblings. */
  position: Schema.String,
  title: SpaceTitle,
  emoji: Emoji,
  visibility: Visibility,
  /** True if a user chose the visibility. Otherwise the sites that contain the space determine it. */
  visibilitySet: Schema.optionalKey(Schema.Literal(true)),
  editMode: EditMode,
  ...settings,
  defaultLevel: DefaultLevel,
  ceiling: Schema.optionalKey(Ceiling),
  /** Rules for merges. Default: those of the organization. */
  mergeRules: Schema.optionalKey(SpaceMergeRules),
  /**
   * Id of the source space, if the space is a translation. The access of a translation follows its source, regardless
   * of its parent.
   */
  follows: Schema.optionalKey(Schema.String),
  /** Set if the space is synchronized with a repository. */
  gitSync: Schema.optionalKey(SpaceGitSync),
  revision: RevisionId,
  /** Number of open comments on the space itself, without change requests. */
  comments: Schema.Int,
  changeRequests: Schema.Int,
  changeRequestsOpen: Schema.Int,
  changeRequestsDraft: Schema.Int,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  /** Time at which the space was moved to the trash. */
  deletedAt: Schema.optionalKey(Timestamp),
  /** User who moved the space to the trash. Null for the host application. */
  deletedBy: Schema.optionalKey(Schema.NullOr(UserId)),
  /** True once the permanent removal has started. The space is then inaccessible. */
  removing: Schema.optionalKey(Schema.Literal(true))
})
export type SpaceRow = typeof SpaceRow.Type

/** Returns true if the access of a space does not follow only from its parent collection. */
export const isBounded = ({ ceiling, follows }: Pick<SpaceRow, "ceiling" | "follows">): boolean =>
  ceiling !== undefined || follows !== undefined

export const SpaceTable = Table.make("space", SpaceRow, {
  key: ["id"],
  derived: {
    deleted: (row: SpaceRow) => row.deletedAt !== undefined,
    bounded: isBounded,
    /** Origin of the default level: `inherit` = the parent; `set` = the space itself; `closed` = no default level. */
    inheritance: (row: SpaceRow) =>
      row.defaultLevel === "inherit" ? "inherit" : row.defaultLevel === null ? "closed" : "set"
  },
  lists: {
    /**
     * The organization, if the space has a ceiling or follows another space. Lists of such spaces stay cached when
     * other spaces are written.
     */
    boundedIn: (row: SpaceRow) => (isBounded(row) ? [row.organization] : [])
  },
  indexes: [
    ["organization", "deleted", "position"],
    ["organization", "parent", "deleted", "position"],
    ["organization", "deleted", "deletedAt"],
    ["organization", "bounded"],
    ["inheritance", "defaultLevel"]
  ]
})

export const SpaceCreate = Schema.Struct({
  /** Id of the parent collection. Default: the top level of the organization. */
  parent: Schema.optionalKey(CollectionId),
  /** Title in one line. Default: `Untitled`. */
  title: Schema.optionalKey(SpaceTitle),
  /** Emoji. Default: 📄. */
  emoji: Schema.optionalKey(Emoji),
  ...settings,
  /** `live`: members edit directly. `locked`: only change requests change the content. Default: `live`. */
  editMode: Schema.optionalKey(EditMode),
  /** `true` for a space without pages, which is also the default. Not allowed with `template`. */
  empty: Schema.optionalKey(Schema.Boolean),
  /** Template for the initial content. Default: no pages. */
  template: Schema.optionalKey(TemplateApplication)
})
export type SpaceCreate = typeof SpaceCreate.Type

export const SpacePatch = Schema.Struct({
  /** Title in one line. An empty title becomes `Untitled`. */
  title: Schema.optionalKey(SpaceTitle),
  /** Emoji. An empty text stands for 📄. */
  emoji: Schema.optionalKey(Emoji),
  ...settings,
  /** `live`: members edit directly. `locked`: only change requests change the content. */
  editMode: Schema.optionalKey(EditMode),
  /** Audience of the published space. `in-collection` requires a parent collection. */
  visibility: Schema.optionalKey(Visibility),
  /**
   * Role of all members of the organization on the space. `inherit`: that of the parent. `null`: no access without a
   * grant.
   */
  defaultLevel: Schema.optionalKey(DefaultLevel),
  /** Rules that change requests must meet before they are merged. `inherit`: those of the organization. */
  mergeRules: Schema.optionalKey(SpaceMergeRules),
  ...AccessReset.fields
})
export type SpacePatch = typeof SpacePatch.Type

/** A space as an API resource. */
export const Space = Schema.Struct({
  object: Schema.Literal("space"),
  id: SpaceId,
  /** Title. */
  title: Schema.String,
  /** Emoji. */
  emoji: Schema.String,
  /** Audience of the published space. */
  visibility: Visibility,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  /** Time at which the space was moved to the trash. Absent for an active space. */
  deletedAt: Schema.optionalKey(Timestamp),
  /** `live`: members edit directly. `locked`: only change requests change the content. */
  editMode: EditMode,
  urls: Schema.Struct({
    location: Schema.String,
    app: Schema.String,
    published: Schema.optionalKey(Schema.String)
  }),
  /** Set if visitors must sign in. The organization's own code signs their tokens. */
  visitorAuth: Schema.optionalKey(Schema.Struct({ backend: Schema.Literal("custom") })),
  /** Id of the organization. */
  organization: OrganizationId,
  /** Id of the parent collection. Absent at the top level. */
  parent: Schema.optionalKey(Schema.String),
  /**
   * Key that orders collections and spaces of one parent together, by code units. A move changes it. Absent for visitors.
   */
  position: Schema.optionalKey(Schema.String),
  ...settings,
  /** Id of the main revision. */
  revision: RevisionId,
  /** Repository with which the space is synchronized. */
  gitSync: Schema.optionalKey(SpaceGitSync),
  /** Role of all members of the organization on the space. `null`: no access without a grant. */
  defaultLevel: Schema.NullOr(Role),
  /** `kept`: a ceiling restricts the access to less than the parent grants. Absent for visitors. */
  access: Schema.optionalKey(AccessKind),
  /** Rules for merges. `inherit` for visitors. */
  mergeRules: SpaceMergeRules,
  /** Number of open comments on the space itself. */
  comments: Schema.Int,
  /** Number of change requests. */
  changeRequests: Schema.Int,
  /** Number of open change requests. */
  changeRequestsOpen: Schema.Int,
  /** Number of drafts of change requests. */
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
export interface Space extends Schema.Schema.Type<typeof Space> {}

/** A space that a member may see, and the member's level of access. */
export const MemberSpace = Schema.Struct({
  /** Role of the member on the space. */
  permission: Role,
  /** The space. */
  space: Space
})
export interface MemberSpace extends Schema.Schema.Type<typeof MemberSpace> {}

/** A space in the trash that may be restored. */
export const DeletedSpace = Schema.Struct({
  /** The space. `deletedAt` is the time at which it was moved to the trash. */
  space: Space,
  /** User who moved the space to the trash. */
  deletedBy: User,
  /** Time at which the space is permanently removed. */
  restorableUntil: Timestamp
})
export interface DeletedSpace extends Schema.Schema.Type<typeof DeletedSpace> {}

/** Raised if the space does not exist, was removed, or the actor may not see it. */
export class SpaceNotFound extends Schema.TaggedError<SpaceNotFound>()(
  "SpaceNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

/** Raised if a locked space is edited directly. Such a space can only be changed by change requests. */
export class SpaceLocked extends Schema.TaggedError<SpaceLocked>()(
  "SpaceLocked",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}

/** Raised if the visibility is not possible for the space's parent. */
export class InvalidVisibility extends Schema.TaggedError<InvalidVisibility>()(
  "InvalidVisibility",
  { message: Schema.String },
  { httpApiStatus: 400 }
) {}
