/** Docs sites, and what they are made of. */
import { OrganizationId } from "@lectern/core/organization/Organization"
import { Site, SiteCreate, SiteId, SitePatch } from "@lectern/core/site/Site"
import {
  GroupCreate,
  GroupMove,
  GroupPatch,
  GroupSection,
  SectionCreate,
  SectionMove,
  SectionPatch,
  SiteSpaceCreate,
  SiteSpaceMove,
  SiteSpacePatch,
  Sort
} from "@lectern/core/site/SiteInput"
import { SiteSection, SiteSectionGroup, SiteSpace, Structure } from "@lectern/core/site/SiteResources"
import { SiteSectionGroupId, SiteSectionId, SiteSpaceId } from "@lectern/core/site/SiteStructure"
import { SpaceId } from "@lectern/core/space/Space"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"

export const siteParams = { organizationId: OrganizationId, siteId: SiteId }
export const sitePath = "/orgs/:organizationId/sites/:siteId"
export const ShareKeyQuery = { shareKey: Schema.optionalKey(Schema.String) }

const deprecated = OpenApi.annotations({ deprecated: true })

export const SitesApi = HttpApiGroup.make("sites")
  .annotateMerge(OpenApi.annotations({ title: "Sites", description: "Docs sites that publish spaces." }))
  .add(
    HttpApiEndpoint.get("list", "/orgs/:organizationId/sites", {
      params: { organizationId: OrganizationId },
      query: {
        ...PageQuery,
        space: Schema.optionalKey(SpaceId),
        title: Schema.optionalKey(Schema.String),
        published: Schema.optionalKey(Schema.Boolean)
      },
      success: listOf(Site)
    }),
    HttpApiEndpoint.post("create", "/orgs/:organizationId/sites", {
      params: { organizationId: OrganizationId },
      payload: SiteCreate,
      success: Site.pipe(HttpApiSchema.status(201))
    }),
    HttpApiEndpoint.get("get", sitePath, { params: siteParams, success: Site }),
    HttpApiEndpoint.patch("update", sitePath, { params: siteParams, payload: SitePatch, success: Site }),
    HttpApiEndpoint.delete("remove", sitePath, { params: siteParams, success: HttpApiSchema.NoContent }),
    HttpApiEndpoint.post("publish", `${sitePath}/publish`, { params: siteParams, success: Site }),
    HttpApiEndpoint.post("unpublish", `${sitePath}/unpublish`, { params: siteParams, success: Site }),
    HttpApiEndpoint.get("structure", `${sitePath}/structure`, {
      params: siteParams,
      query: ShareKeyQuery,
      success: Structure
    }),
    HttpApiEndpoint.patch("sort", `${sitePath}/structure/sort`, {
      params: siteParams,
      payload: Sort,
      success: Schema.Union([SiteSpace, SiteSection, SiteSectionGroup])
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

const sections = `${sitePath}/sections` as const
const section = `${sections}/:siteSectionId` as const
const sectionParams = { ...siteParams, siteSectionId: SiteSectionId }

export const SiteSectionsApi = HttpApiGroup.make("siteSections")
  .annotateMerge(
    OpenApi.annotations({ title: "Site sections", description: "Sections of a site, with their variants." })
  )
  .add(
    HttpApiEndpoint.get("list", sections, {
      params: siteParams,
      query: { ...PageQuery, ...ShareKeyQuery },
      success: listOf(SiteSection)
    }),
    HttpApiEndpoint.post("create", sections, {
      params: siteParams,
      payload: SectionCreate,
      success: SiteSection.pipe(HttpApiSchema.status(201))
    }),
    HttpApiEndpoint.patch("update", section, { params: sectionParams, payload: SectionPatch, success: SiteSection }),
    HttpApiEndpoint.delete("remove", section, { params: sectionParams, success: HttpApiSchema.NoContent }),
    HttpApiEndpoint.post("move", `${section}/move`, {
      params: sectionParams,
      payload: SectionMove,
      success: SiteSection
    }).annotateMerge(deprecated)
  )
  .middleware(Authentication)
  .middleware(Failures)

const groups = `${sitePath}/section-groups` as const
const group = `${groups}/:siteSectionGroupId` as const
const groupParams = { ...siteParams, siteSectionGroupId: SiteSectionGroupId }

export const SiteSectionGroupsApi = HttpApiGroup.make("siteSectionGroups")
  .annotateMerge(OpenApi.annotations({ title: "Site section groups", description: "Sections under one heading." }))
  .add(
    HttpApiEndpoint.get("list", groups, { params: siteParams, query: PageQuery, success: listOf(SiteSectionGroup) }),
    HttpApiEndpoint.post("create", groups, {
      params: siteParams,
      payload: GroupCreate,
      success: SiteSectionGroup.pipe(HttpApiSchema.status(201))
    }),
    HttpApiEndpoint.patch("update", group, { params: groupParams, payload: GroupPatch, success: SiteSectionGroup }),
    HttpApiEndpoint.delete("remove", group, { params: groupParams, success: HttpApiSchema.NoContent }),
    HttpApiEndpoint.post("addSection", `${group}/sections`, {
      params: groupParams,
      payload: GroupSection,
      success: SiteSectionGroup.pipe(HttpApiSchema.status(201))
    }),
    HttpApiEndpoint.delete("removeSection", `${group}/sections/:siteSectionId`, {
      params: { ...groupParams, siteSectionId: SiteSectionId },
      success: HttpApiSchema.NoContent
    }),
    HttpApiEndpoint.post("move", `${group}/move`, {
      params: groupParams,
      payload: GroupMove,
      success: SiteSectionGroup
    }).annotateMerge(deprecated)
  )
  .middleware(Authentication)
  .middleware(Failures)

const siteSpaces = `${sitePath}/site-spaces` as const
const siteSpace = `${siteSpaces}/:siteSpaceId` as const
export const siteSpaceParams = { ...siteParams, siteSpaceId: SiteSpaceId }

export const SiteSpacesApi = HttpApiGroup.make("siteSpaces")
  .annotateMerge(OpenApi.annotations({ title: "Site spaces", description: "The spaces that a site publishes." }))
  .add(
    HttpApiEndpoint.get("list", siteSpaces, {
      params: siteParams,
      query: { ...PageQuery, ...ShareKeyQuery, default: Schema.optionalKey(Schema.Boolean) },
      success: listOf(SiteSpace)
    }),
    HttpApiEndpoint.post("add", siteSpaces, {
      params: siteParams,
      payload: SiteSpaceCreate,
      success: SiteSpace.pipe(HttpApiSchema.status(201))
    }),
    HttpApiEndpoint.patch("update", siteSpace, {
      params: siteSpaceParams,
      payload: SiteSpacePatch,
      success: SiteSpace
    }),
    HttpApiEndpoint.delete("remove", siteSpace, { params: siteSpaceParams, success: HttpApiSchema.NoContent }),
    HttpApiEndpoint.post("move", `${siteSpace}/move`, {
      params: siteSpaceParams,
      payload: SiteSpaceMove,
      success: SiteSpace
    }).annotateMerge(deprecated)
  )
  .middleware(Authentication)
  .middleware(Failures)
