/**
 * A link of a space in the interface: one target, with the locations of the links to it.
 *
 * Limits: an item lists the first 100 locations, a response 2,000 in total (at least one for each item);
 * `locationCount` is the number of all locations. Resources in a location are shortened: a revision has no pages and
 * files, a page no subpages.
 */
import { Schema } from "effect"
import { ChangeRequest } from "../change-request/ChangeRequest.ts"
import { Collection } from "../collection/Collection.ts"
import { File, Page, Revision } from "../content/ContentResources.ts"
import { ContentRef } from "@lectern/document/ContentRef"
import { OpenApiSpec } from "../openapi/OpenApiSpec.ts"
import { Organization } from "../organization/Organization.ts"
import { Space } from "../space/Space.ts"
import { User } from "../user/User.ts"

export const maxLocations = 100
export const maxLocationsInAll = 2000

/**
 * `broken`: the target does not exist or is not visible to the actor; `in-app`: the URL leads to the app instead of
 * content; `ok`: any other link, including URLs of other websites.
 */
export const LinkStatus = Schema.Literals(["ok", "broken", "in-app"])
export type LinkStatus = typeof LinkStatus.Type

/**
 * `dependsOn`: the page shows the target, such as an image or an include; `reference`: the page links to the target.
 */
export const LinkRelation = Schema.Literals(["reference", "dependsOn"])

/** A revision for links in main content, a change request for links in a change request. */
export type VersionContext =
  | { readonly type: "revision"; readonly revision: Revision }
  | { readonly type: "changeRequest"; readonly changeRequest: ChangeRequest }

const VersionContext = Schema.Union([
  Schema.Struct({ type: Schema.Literal("revision"), revision: Revision }),
  Schema.Struct({ type: Schema.Literal("changeRequest"), changeRequest: ChangeRequest })
])

const organizationFields = { organization: Organization }
const spaceFields = { ...organizationFields, space: Space, versionContext: VersionContext }

interface OrganizationContext {
  readonly organization: Organization
}
interface SpaceContext extends OrganizationContext {
  readonly space: Space
  readonly versionContext: VersionContext
}

export interface PageLocation extends SpaceContext {
  readonly kind: "page"
  readonly page: Page
  /** Part of the page: a heading or a block. */
  readonly internalLocation?:
    | { readonly type: "anchor"; readonly anchor: string }
    | { readonly type: "node"; readonly node: string }
}
export interface FileLocation extends SpaceContext {
  readonly kind: "file"
  readonly file: File
}
export interface ReusableContentLocation extends SpaceContext {
  readonly kind: "reusable-content"
  readonly reusableContent: Revision["reusableContents"][number]
}
export interface UrlLocation {
  readonly kind: "url"
  readonly url: string
}
export interface SpaceLocation extends OrganizationContext {
  readonly kind: "space"
  readonly space: Space
}
export interface CollectionLocation extends OrganizationContext {
  readonly kind: "collection"
  readonly collection: Collection
}
export interface UserLocation {
  readonly kind: "user"
  readonly user: User
}
export interface SpecLocation extends OrganizationContext {
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

/** The type is declared by hand, because the derived type is too long for the compiler to emit. */
export const ContentLocation: Schema.Codec<ContentLocation, unknown> = Schema.Union([
  Schema.Struct({
    kind: Schema.Literal("page"),
    ...spaceFields,
    page: Page,
    internalLocation: Schema.optionalKey(
      Schema.Union([
        Schema.Struct({ type: Schema.Literal("anchor"), anchor: Schema.String }),
        Schema.Struct({ type: Schema.Literal("node"), node: Schema.String })
      ])
    )
  }),
  Schema.Struct({ kind: Schema.Literal("file"), ...spaceFields, file: File }),
  Schema.Struct({
    kind: Schema.Literal("reusable-content"),
    ...spaceFields,
    reusableContent: Revision.fields.reusableContents.value
  }),
  Schema.Struct({ kind: Schema.Literal("url"), url: Schema.String }),
  Schema.Struct({ kind: Schema.Literal("space"), ...organizationFields, space: Space }),
  Schema.Struct({ kind: Schema.Literal("collection"), ...organizationFields, collection: Collection }),
  Schema.Struct({ kind: Schema.Literal("user"), user: User }),
  Schema.Struct({ kind: Schema.Literal("openapi"), ...organizationFields, openAPISpec: OpenApiSpec })
]).annotate({ identifier: "ContentLocation" })

export const Link = Schema.Struct({
  object: Schema.Literal("link"),
  status: LinkStatus,
  relation: LinkRelation,
  /** The reference stored in the links. */
  ref: ContentRef,
  /** The target; absent if it does not exist. */
  targetReference: Schema.optionalKey(ContentLocation),
  locationReferences: Schema.Array(ContentLocation),
  /** Number of pages and reusable contents that link to the target. */
  locationCount: Schema.Int
})
export type Link = typeof Link.Type

/** Numbers of all targets, regardless of the filter of a list. */
export const LinkStats = Schema.Struct({
  total: Schema.Int,
  broken: Schema.Struct({
    total: Schema.Int,
    /** Number of targets that the change request breaks by its changes. */
    changeRequest: Schema.optionalKey(Schema.Int)
  })
})
export type LinkStats = typeof LinkStats.Type

/** Location of a link to a file, or of a block that shows the file. */
export interface FileBacklink extends FileLocation {
  readonly object: "file-backlink"
  readonly relation: typeof LinkRelation.Type
  readonly location: ContentLocation
}

export const FileBacklink: Schema.Codec<FileBacklink, unknown> = Schema.Struct({
  object: Schema.Literal("file-backlink"),
  kind: Schema.Literal("file"),
  ...spaceFields,
  file: File,
  relation: LinkRelation,
  location: ContentLocation
})
