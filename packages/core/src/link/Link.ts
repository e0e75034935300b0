/**
 * A link of a space as callers see it: one target, with the locations from which it is linked to.
 *
 * Limits: an item shows its first 100 locations, an answer 2,000 of them in all (each item at least
 * one); `locationCount` says how many there are. What stands in a location is shown without what is
 * in it: its revision without pages and files, a page without those below it.
 */
import { Schema } from "effect"
import { ChangeRequest } from "../change-request/ChangeRequest.ts"
import { Collection } from "../collection/Collection.ts"
import { File, Page, Revision } from "../content/ContentResources.ts"
import { ContentRef } from "@lectern/document/Document"
import { OpenApiSpec } from "../openapi/OpenApiSpec.ts"
import { Organization } from "../organization/Organization.ts"
import { Space } from "../space/Space.ts"
import { User } from "../user/User.ts"

export const maxLocations = 100
export const maxLocationsInAll = 2000

/**
 * `broken`: the target is not there, or not for who asks; `in-app`: a URL leads to this app instead
 * of to content; `ok`: all else, URLs of others among them.
 */
export const LinkStatus = Schema.Literals(["ok", "broken", "in-app"])
export type LinkStatus = typeof LinkStatus.Type

/** `dependsOn`: the target is shown in its place, an image or an include; `reference`: one is led there. */
export const LinkRelation = Schema.Literals(["reference", "dependsOn"])

/** Of main a revision, of a change request the change request. */
export type VersionContext =
  | { readonly type: "revision"; readonly revision: Revision }
  | { readonly type: "changeRequest"; readonly changeRequest: ChangeRequest }

const VersionContext = Schema.Union([
  Schema.Struct({ type: Schema.Literal("revision"), revision: Revision }),
  Schema.Struct({ type: Schema.Literal("changeRequest"), changeRequest: ChangeRequest })
])

const ofOrganization = { organization: Organization }
const inSpace = { ...ofOrganization, space: Space, versionContext: VersionContext }

interface OfOrganization {
  readonly organization: Organization
}
interface InSpace extends OfOrganization {
  readonly space: Space
  readonly versionContext: VersionContext
}

export interface PageLocation extends InSpace {
  readonly kind: "page"
  readonly page: Page
  /** Part of the page: a heading, or a block. */
  readonly internalLocation?:
    | { readonly type: "anchor"; readonly anchor: string }
    | { readonly type: "node"; readonly node: string }
}
export interface FileLocation extends InSpace {
  readonly kind: "file"
  readonly file: File
}
export interface ReusableContentLocation extends InSpace {
  readonly kind: "reusable-content"
  readonly reusableContent: Revision["reusableContents"][number]
}
export interface UrlLocation {
  readonly kind: "url"
  readonly url: string
}
export interface SpaceLocation extends OfOrganization {
  readonly kind: "space"
  readonly space: Space
}
export interface CollectionLocation extends OfOrganization {
  readonly kind: "collection"
  readonly collection: Collection
}
export interface UserLocation {
  readonly kind: "user"
  readonly user: User
}
export interface SpecLocation extends OfOrganization {
  readonly kind: "openapi"
  readonly openAPISpec: OpenApiSpec
}

export type ContentLocation =
  | PageLocation
  | FileLocation
  | ReusableContentLocation
  | UrlLocation
  | SpaceLocation
  | CollectionLocation
  | UserLocation
  | SpecLocation

/** Typed by hand: the type that is derived is too long for the compiler to write down. */
export const ContentLocation: Schema.Codec<ContentLocation, unknown> = Schema.Union([
  Schema.Struct({
    kind: Schema.Literal("page"),
    ...inSpace,
    page: Page,
    internalLocation: Schema.optionalKey(
      Schema.Union([
        Schema.Struct({ type: Schema.Literal("anchor"), anchor: Schema.String }),
        Schema.Struct({ type: Schema.Literal("node"), node: Schema.String })
      ])
    )
  }),
  Schema.Struct({ kind: Schema.Literal("file"), ...inSpace, file: File }),
  Schema.Struct({
    kind: Schema.Literal("reusable-content"),
    ...inSpace,
    reusableContent: Revision.fields.reusableContents.value
  }),
  Schema.Struct({ kind: Schema.Literal("url"), url: Schema.String }),
  Schema.Struct({ kind: Schema.Literal("space"), ...ofOrganization, space: Space }),
  Schema.Struct({ kind: Schema.Literal("collection"), ...ofOrganization, collection: Collection }),
  Schema.Struct({ kind: Schema.Literal("user"), user: User }),
  Schema.Struct({ kind: Schema.Literal("openapi"), ...ofOrganization, openAPISpec: OpenApiSpec })
]).annotate({ identifier: "ContentLocation" })

export const Link = Schema.Struct({
  object: Schema.Literal("link"),
  status: LinkStatus,
  relation: LinkRelation,
  /** The reference that the links hold. */
  ref: ContentRef,
  /** The target as it is now; absent where it does not exist. */
  targetReference: Schema.optionalKey(ContentLocation),
  locationReferences: Schema.Array(ContentLocation),
  /** How many pages and reusable contents link to it. */
  locationCount: Schema.Int
})
export type Link = typeof Link.Type

/** Of all targets, whatever a list is filtered by. */
export const LinkStats = Schema.Struct({
  total: Schema.Int,
  broken: Schema.Struct({
    total: Schema.Int,
    /** Of a change request: those that it breaks itself, by what it adds or takes away. */
    changeRequest: Schema.optionalKey(Schema.Int)
  })
})
export type LinkStats = typeof LinkStats.Type

/** A location that shows a file, or leads to it. */
export interface FileBacklink extends FileLocation {
  readonly object: "file-backlink"
  readonly relation: typeof LinkRelation.Type
  readonly location: ContentLocation
}

export const FileBacklink: Schema.Codec<FileBacklink, unknown> = Schema.Struct({
  object: Schema.Literal("file-backlink"),
  kind: Schema.Literal("file"),
  ...inSpace,
  file: File,
  relation: LinkRelation,
  location: ContentLocation
})
