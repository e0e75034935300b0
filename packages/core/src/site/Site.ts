/**
 * A docs site publishes spaces: as a list, or in sections with variants (see `SiteStructure`).
 *
 * Limits: title 2 to 128 characters in one line; hostname 512, basename 1 to 100, proxy 512, each unique on the
 * instance regardless of case. Defaults: the title of the first space or "Untitled site", type `basic`, visibility
 * `public` (not published), a basename derived from the title.
 */
import { Schema } from "effect"
import { OrganizationId } from "../organization/Organization.ts"
import { Issues } from "../schema/Input.ts"
import { Timestamp } from "../schema/Text.ts"
import * as Text from "../schema/Text.ts"
import { SpaceId } from "../space/Space.ts"
import * as Table from "../storage/Table.ts"
import { AddressClaims, namesOf, PendingAddress } from "./AddressClaim.ts"
import { SiteAliases } from "./SitePaths.ts"
import { SiteSectionId, SiteSpaceId, SitePath, SiteStructure, spaces } from "./SiteStructure.ts"

/** Id of a site. */
export const SiteId = Schema.String.pipe(Schema.brand("SiteId"))
export type SiteId = typeof SiteId.Type

export const untitledSite = "Untitled site"

export const SiteTitle = Text.line(2, 128)

export const SiteType = Schema.Literals(["basic", "premium", "ultimate", "sponsored", "legacy-basic", "legacy-premium"])

/** Audience of a published site. */
export const SiteVisibility = Schema.Literals(["public", "unlisted", "share-link", "visitor-auth"])
export type SiteVisibility = typeof SiteVisibility.Type

export const AgentsContext = Schema.Literals(["excluded", "included"])

export const SiteHostname = Text.between(1, 512).check(
  Schema.isPattern(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?[.]){2,}[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/, {
    message: "Expected a hostname of at least three labels in lower case, such as docs.example.com"
  })
)

/** A domain name and at least one path segment. */
export const SiteProxy = Text.between(1, 512).check(
  Schema.isPattern(/^([\w-]+\.)*[\w-]+\.[a-zA-Z]{2,}(\/[\w-]+)+$/, {
    message: "Expected a domain name and a path below it, such as example.com/docs"
  })
)

const AdaptiveContent = Schema.Struct({ enabled: Schema.Boolean })

export const SiteRow = Schema.Struct({
  id: SiteId,
  organization: OrganizationId,
  type: SiteType,
  title: SiteTitle,
  hostname: Schema.optionalKey(SiteHostname),
  basename: SitePath,
  proxy: Schema.optionalKey(SiteProxy),
  visibility: SiteVisibility,
  published: Schema.Boolean,
  /** Adaptive content: parts that depend on the visitor. Default: enabled if the site has conditions. */
  adaptiveContent: Schema.optionalKey(AdaptiveContent),
  agentsContext: AgentsContext,
  /** Claimed addresses that are not proved. */
  claims: Schema.optionalKey(AddressClaims),
  structure: SiteStructure,
  aliases: SiteAliases,
  /** Time of the last change to the audience of the site or its spaces. Default: the creation time. */
  audienceSince: Schema.optionalKey(Timestamp),
  createdAt: Timestamp
})
export type SiteRow = typeof SiteRow.Type

export const SiteTable = Table.make("site", SiteRow, {
  key: ["id"],
  lists: { spaces: (row: SiteRow) => spaces(row.structure), claims: (row: SiteRow) => namesOf(row.claims) },
  indexes: [["organization"], ["organization", "published"]]
})

/** Creates a space for the site, with sample pages or empty. */
export const NewSpace = Schema.Literals(["sample", "empty"])

export const SiteCreate = Schema.Struct({
  /** Type. It has no effect, since Lectern has no plans. Default: `basic`. */
  type: Schema.optionalKey(SiteType),
  /** Title in one line. Default: the title of the first space, or `Untitled site`. */
  title: Schema.optionalKey(SiteTitle),
  /** Audience of the published site. Default: `public`. */
  visibility: Schema.optionalKey(SiteVisibility),
  /** Name in the address of the site. Unique on the instance. Default: derived from the title. */
  basename: Schema.optionalKey(SitePath),
  /** Hostname of the site, such as `docs.example.com`. Applies after the proof of the domain. Default: none. */
  hostname: Schema.optionalKey(SiteHostname),
  /** Domain and path at which another website serves the site, such as `example.com/docs`. Default: none. */
  proxy: Schema.optionalKey(SiteProxy),
  /** `enabled`: true if the content depends on the visitor. Default: true if the site has conditions. */
  adaptiveContent: Schema.optionalKey(AdaptiveContent),
  /** `excluded`: a hint to renderers that agents get no content. Default: `included`. */
  agentsContext: Schema.optionalKey(AgentsContext),
  /**
   * Ids of spaces to publish, in order. `sample` or `empty`: creates a space with sample pages or without pages.
   * Default: none.
   */
  spaces: Schema.optionalKey(Schema.Union([Schema.Array(SpaceId).check(Schema.isMaxLength(100)), NewSpace]))
})
export type SiteCreate = typeof SiteCreate.Type

/** `null` removes an optional value; omitted fields stay unchanged. */
export const SitePatch = Schema.Struct({
  /** Title in one line. */
  title: Schema.optionalKey(SiteTitle),
  /** Audience of the published site. */
  visibility: Schema.optionalKey(SiteVisibility),
  /** Name in the address of the site. Unique on the instance. */
  basename: Schema.optionalKey(SitePath),
  /** Hostname of the site, such as `docs.example.com`. Applies after the proof of the domain. */
  hostname: Schema.optionalKey(Schema.NullOr(SiteHostname)),
  /** Domain and path at which another website serves the site, such as `example.com/docs`. */
  proxy: Schema.optionalKey(Schema.NullOr(SiteProxy)),
  /** `enabled`: true if the content depends on the visitor. */
  adaptiveContent: Schema.optionalKey(AdaptiveContent),
  /** `excluded`: a hint to renderers that agents get no content. */
  agentsContext: Schema.optionalKey(AgentsContext),
  /** The site space shown first: at the root, or in the default section. */
  defaultSiteSpace: Schema.optionalKey(SiteSpaceId),
  /** Id of the default section, whose path segment is optional. */
  defaultSiteSection: Schema.optionalKey(SiteSectionId)
})
export type SitePatch = typeof SitePatch.Type

/** Site as returned by the interface. */
export const Site = Schema.Struct({
  object: Schema.Literal("site"),
  id: SiteId,
  /** Type. It has no effect, since Lectern has no plans. */
  type: SiteType,
  /** Type of the site in effect. Same as `type`, since Lectern has no plans. */
  appliedType: SiteType,
  /** Title. */
  title: Schema.String,
  /** Hostname of the site. */
  hostname: Schema.optionalKey(Schema.String),
  /** Name in the address of the site. */
  basename: Schema.String,
  /**
   * `origin`: the address at another website; `target`: the direct address, to which that website forwards requests.
   */
  proxy: Schema.optionalKey(Schema.Struct({ origin: Schema.String, target: Schema.String })),
  /** Audience of the published site. */
  visibility: SiteVisibility,
  /** A site has no default level: roles come from the organization and from grants. */
  defaultLevel: Schema.Literal("inherit"),
  /** True if the site is published to its audience. */
  published: Schema.Boolean,
  /** Claimed addresses that are not proved, for members who may change the site. */
  pendingAddresses: Schema.optionalKey(Schema.Array(PendingAddress)),
  /** Number of site spaces. */
  siteSpaces: Schema.Int,
  createdAt: Timestamp,
  /** `enabled`: true if the content depends on the visitor. */
  adaptiveContent: AdaptiveContent,
  /** `excluded`: a hint to renderers that agents get no content. */
  agentsContext: AgentsContext,
  /** Always empty, since Lectern has no plans. */
  features: Schema.Array(Schema.Struct({ id: Schema.String })),
  urls: Schema.Struct({
    location: Schema.String,
    app: Schema.String,
    published: Schema.optionalKey(Schema.String),
    /** Base URL of the site's previews. */
    preview: Schema.String,
    /** URLs at which visitors sign in and out, in published sites. */
    login: Schema.optionalKey(Schema.String),
    logout: Schema.optionalKey(Schema.String)
  }),
  permissions: Schema.Struct({
    view: Schema.Boolean,
    access: Schema.Boolean,
    edit: Schema.Boolean,
    create: Schema.Boolean,
    admin: Schema.Boolean,
    installIntegration: Schema.Boolean,
    viewAdaptiveSchema: Schema.Boolean,
    editAdaptiveSchema: Schema.Boolean
  })
})
export interface Site extends Schema.Schema.Type<typeof Site> {}

/** Returns a site in the form of a content for access checks. A site has no parent and no level of its own. */
export const accessTargetOf = ({ id, organization }: { readonly id: string; readonly organization: OrganizationId }) =>
  ({ id, organization, defaultLevel: "inherit" }) as const

/** Raised if the organization has no such site or the actor may not see it. */
export class SiteNotFound extends Schema.TaggedError<SiteNotFound>()(
  "SiteNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

/** Raised if another site has this hostname, basename or proxy. */
export class AddressTaken extends Schema.TaggedError<AddressTaken>()(
  "AddressTaken",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}

/** Raised if a space is not in the site's organization, or not visible to the actor. */
export class InvalidSpace extends Schema.TaggedError<InvalidSpace>()(
  "InvalidSpace",
  { issues: Issues },
  { httpApiStatus: 400 }
) {
  override get message() {
    return "The space can't be put on this site"
  }
}
