/** Docs sites, and what they are made of. */
import { Site, SiteCreate, SitePatch } from "@lectern/core/site/Site"
import {
  GroupCreate,
  GroupMove,
  GroupPatch,
  GroupSection,
  SectionCreate,
  SectionMove,
  SectionPatch,
  SiteSpaceCreate,
  SiteSpaceDuplicate,
  SiteSpaceMove,
  SiteSpacePatch,
  Sort
} from "@lectern/core/site/SiteInput"
import { SiteSection, SiteSectionGroup, SiteSpace, Structure } from "@lectern/core/site/SiteResources"
import { SiteSectionGroupId, SiteSectionId, SiteSpaceId } from "@lectern/core/site/SiteStructure"
import { SpaceId } from "@lectern/core/space/Space"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"
import * as Operation from "./Operation.ts"
import { organizationId, ShareKeyQuery, siteId } from "./Parameters.ts"

export const siteParams = { organizationId, siteId }
export const sitePath = "/orgs/:organizationId/sites/:siteId"

export const SitesApi = HttpApiGroup.make("sites")
  .annotateMerge(OpenApi.annotations({ title: "Sites", description: "Docs sites that publish spaces." }))
  .add(
    Operation.get("list", "/orgs/:organizationId/sites", {
      description: "Lists the sites of an organization.",
      scopes: ["site:metadata:read"],
      params: { organizationId },
      query: {
        ...PageQuery,
        space: Schema.optionalKey(SpaceId).annotateKey({ description: "The id of a space: sites that show it." }),
        title: Schema.optionalKey(Schema.String).annotateKey({
          description: "Words: those that have them in their titles."
        }),
        published: Schema.optionalKey(Schema.Boolean).annotateKey({
          description: "`true`: sites that are published alone, `false`: those that are not."
        })
      },
      success: listOf(Site)
    }),
    Operation.post("create", "/orgs/:organizationId/sites", {
      description: "Makes a site, which is not published yet.",
      scopes: ["site:metadata:write"],
      params: { organizationId },
      payload: SiteCreate,
      success: Site.pipe(HttpApiSchema.status(201))
    }),
    Operation.get("get", sitePath, {
      description: "Shows one site.",
      scopes: ["site:metadata:read"],
      params: siteParams,
      success: Site
    }),
    Operation.patch("update", sitePath, {
      description: "Changes the settings of a site.",
      scopes: ["site:metadata:write"],
      params: siteParams,
      payload: SitePatch,
      success: Site
    }),
    Operation.delete("remove", sitePath, {
      description: "Deletes a site; its spaces stay.",
      scopes: ["site:metadata:write"],
      params: siteParams,
      success: HttpApiSchema.NoContent
    }),
    Operation.post("publish", `${sitePath}/publish`, {
      description: "Publishes a site.",
      scopes: ["site:publish"],
      params: siteParams,
      success: Site
    }),
    Operation.post("unpublish", `${sitePath}/unpublish`, {
      description: "Takes a site off the web.",
      scopes: ["site:publish"],
      params: siteParams,
      success: Site
    }),
    Operation.get("structure", `${sitePath}/structure`, {
      description: "Shows how a site is put together, of sections and spaces.",
      scopes: ["site:metadata:read"],
      params: siteParams,
      query: ShareKeyQuery,
      success: Structure
    }),
    Operation.patch("sort", `${sitePath}/structure/sort`, {
      description: "Puts the parts of a site into another order.",
      scopes: ["site:metadata:write"],
      params: siteParams,
      payload: Sort,
      success: Schema.Union([SiteSpace, SiteSection, SiteSectionGroup])
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

const sections = `${sitePath}/sections` as const
const section = `${sections}/:siteSectionId` as const
const siteSectionId = SiteSectionId.annotateKey({ description: "The id of the section." })
const sectionParams = { ...siteParams, siteSectionId }

export const SiteSectionsApi = HttpApiGroup.make("siteSections")
  .annotateMerge(
    OpenApi.annotations({ title: "Site sections", description: "Sections of a site, with their variants." })
  )
  .add(
    Operation.get("list", sections, {
      description: "Lists the sections of a site.",
      scopes: ["site:metadata:read"],
      params: siteParams,
      query: { ...PageQuery, ...ShareKeyQuery },
      success: listOf(SiteSection)
    }),
    Operation.post("create", sections, {
      description: "Adds a section to a site, with its first space.",
      scopes: ["site:metadata:write"],
      params: siteParams,
      payload: SectionCreate,
      success: SiteSection.pipe(HttpApiSchema.status(201))
    }),
    Operation.patch("update", section, {
      description: "Changes a section.",
      scopes: ["site:metadata:write"],
      params: sectionParams,
      payload: SectionPatch,
      success: SiteSection
    }),
    Operation.delete("remove", section, {
      description: "Takes a section off a site.",
      scopes: ["site:metadata:write"],
      params: sectionParams,
      success: HttpApiSchema.NoContent
    }),
    Operation.post("move", `${section}/move`, {
      description: "Moves a section to another place of the site.",
      scopes: ["site:metadata:write"],
      deprecated: true,
      params: sectionParams,
      payload: SectionMove,
      success: SiteSection
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

const groups = `${sitePath}/section-groups` as const
const group = `${groups}/:siteSectionGroupId` as const
const groupParams = {
  ...siteParams,
  siteSectionGroupId: SiteSectionGroupId.annotateKey({ description: "The id of the group of sections." })
}

export const SiteSectionGroupsApi = HttpApiGroup.make("siteSectionGroups")
  .annotateMerge(OpenApi.annotations({ title: "Site section groups", description: "Sections under one heading." }))
  .add(
    Operation.get("list", groups, {
      description: "Lists the groups of sections of a site.",
      scopes: ["site:metadata:read"],
      params: siteParams,
      query: PageQuery,
      success: listOf(SiteSectionGroup)
    }),
    Operation.post("create", groups, {
      description: "Adds a group of sections to a site.",
      scopes: ["site:metadata:write"],
      params: siteParams,
      payload: GroupCreate,
      success: SiteSectionGroup.pipe(HttpApiSchema.status(201))
    }),
    Operation.patch("update", group, {
      description: "Changes a group of sections.",
      scopes: ["site:metadata:write"],
      params: groupParams,
      payload: GroupPatch,
      success: SiteSectionGroup
    }),
    Operation.delete("remove", group, {
      description: "Takes a group off a site; its sections stay in its place.",
      scopes: ["site:metadata:write"],
      params: groupParams,
      success: HttpApiSchema.NoContent
    }),
    Operation.post("addSection", `${group}/sections`, {
      description: "Moves a section into a group.",
      scopes: ["site:metadata:write"],
      params: groupParams,
      payload: GroupSection,
      success: SiteSectionGroup.pipe(HttpApiSchema.status(201))
    }),
    Operation.delete("removeSection", `${group}/sections/:siteSectionId`, {
      description: "Moves a section out of a group.",
      scopes: ["site:metadata:write"],
      params: { ...groupParams, siteSectionId },
      success: HttpApiSchema.NoContent
    }),
    Operation.post("move", `${group}/move`, {
      description: "Moves a group of sections to another place of the site.",
      scopes: ["site:metadata:write"],
      deprecated: true,
      params: groupParams,
      payload: GroupMove,
      success: SiteSectionGroup
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

const siteSpaces = `${sitePath}/site-spaces` as const
const siteSpace = `${siteSpaces}/:siteSpaceId` as const
export const siteSpaceParams = {
  ...siteParams,
  siteSpaceId: SiteSpaceId.annotateKey({ description: "The id of the space on the site." })
}

export const SiteSpacesApi = HttpApiGroup.make("siteSpaces")
  .annotateMerge(OpenApi.annotations({ title: "Site spaces", description: "The spaces that a site publishes." }))
  .add(
    Operation.get("list", siteSpaces, {
      description: "Lists the spaces of a site, each with its path and section.",
      scopes: ["site:metadata:read"],
      params: siteParams,
      query: {
        ...PageQuery,
        ...ShareKeyQuery,
        default: Schema.optionalKey(Schema.Boolean).annotateKey({
          description: "`true`: the default of each section alone."
        })
      },
      success: listOf(SiteSpace)
    }),
    Operation.post("add", siteSpaces, {
      description: "Adds a space to a site.",
      scopes: ["site:metadata:write"],
      params: siteParams,
      payload: SiteSpaceCreate,
      success: SiteSpace.pipe(HttpApiSchema.status(201))
    }),
    Operation.patch("update", siteSpace, {
      description: "Changes the path, the title or the section of a space on a site.",
      scopes: ["site:metadata:write"],
      params: siteSpaceParams,
      payload: SiteSpacePatch,
      success: SiteSpace
    }),
    Operation.post("duplicate", `${siteSpace}/duplicate`, {
      description: "Copies the space of a site space, and shows the copy on the site beside it.",
      scopes: ["site:metadata:write"],
      params: siteSpaceParams,
      payload: SiteSpaceDuplicate,
      success: SiteSpace.pipe(HttpApiSchema.status(201))
    }),
    Operation.delete("remove", siteSpace, {
      description: "Takes a space off a site.",
      scopes: ["site:metadata:write"],
      params: siteSpaceParams,
      success: HttpApiSchema.NoContent
    }),
    Operation.post("move", `${siteSpace}/move`, {
      description: "Moves a space of a site to another place.",
      scopes: ["site:metadata:write"],
      deprecated: true,
      params: siteSpaceParams,
      payload: SiteSpaceMove,
      success: SiteSpace
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
