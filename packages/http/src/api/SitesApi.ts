/** Sites and their parts. */
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
  .annotateMerge(OpenApi.annotations({ title: "Sites", description: "Documentation sites that publish spaces." }))
  .add(
    Operation.get("list", "/orgs/:organizationId/sites", {
      description: "Lists the sites of an organization.",
      scopes: ["site:metadata:read"],
      params: { organizationId },
      query: {
        ...PageQuery,
        space: Schema.optionalKey(SpaceId).annotateKey({ description: "Only sites that include this space, by id." }),
        title: Schema.optionalKey(Schema.String).annotateKey({
          description: "Only sites whose titles contain these words."
        }),
        published: Schema.optionalKey(Schema.Boolean).annotateKey({
          description: "`true`: only published sites. `false`: only unpublished sites."
        })
      },
      success: listOf(Site)
    }),
    Operation.post("create", "/orgs/:organizationId/sites", {
      description: "Creates an unpublished site.",
      scopes: ["site:metadata:write"],
      params: { organizationId },
      payload: SiteCreate,
      success: Site.pipe(HttpApiSchema.status(201))
    }),
    Operation.get("get", sitePath, {
      description: "Returns one site.",
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
      description: "Deletes a site. Its spaces remain.",
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
      description: "Unpublishes a site.",
      scopes: ["site:publish"],
      params: siteParams,
      success: Site
    }),
    Operation.get("structure", `${sitePath}/structure`, {
      description: "Returns the structure of a site: section groups, sections and spaces.",
      scopes: ["site:metadata:read"],
      params: siteParams,
      query: ShareKeyQuery,
      success: Structure
    }),
    Operation.patch("sort", `${sitePath}/structure/sort`, {
      description: "Changes the order of the parts of a site.",
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
    OpenApi.annotations({ title: "Site sections", description: "Sections of a site, with their site spaces." })
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
      description: "Removes a section from a site.",
      scopes: ["site:metadata:write"],
      params: sectionParams,
      success: HttpApiSchema.NoContent
    }),
    Operation.post("move", `${section}/move`, {
      description: "Moves a section to another position on the site.",
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
  .annotateMerge(OpenApi.annotations({ title: "Site section groups", description: "Groups of site sections." }))
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
      description: "Removes a group from a site. Its sections take its position.",
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
      description: "Moves a group of sections to another position on the site.",
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
  siteSpaceId: SiteSpaceId.annotateKey({ description: "The id of the site space." })
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
          description: "`true`: only the default site space of each section."
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
      description: "Changes the path, the title or the section of a site space.",
      scopes: ["site:metadata:write"],
      params: siteSpaceParams,
      payload: SiteSpacePatch,
      success: SiteSpace
    }),
    Operation.post("duplicate", `${siteSpace}/duplicate`, {
      description: "Duplicates the space of a site space, and adds the copy to the site.",
      scopes: ["site:metadata:write"],
      params: siteSpaceParams,
      payload: SiteSpaceDuplicate,
      success: SiteSpace.pipe(HttpApiSchema.status(201))
    }),
    Operation.delete("remove", siteSpace, {
      description: "Removes a space from a site.",
      scopes: ["site:metadata:write"],
      params: siteSpaceParams,
      success: HttpApiSchema.NoContent
    }),
    Operation.post("move", `${siteSpace}/move`, {
      description: "Moves a site space to another position.",
      scopes: ["site:metadata:write"],
      deprecated: true,
      params: siteSpaceParams,
      payload: SiteSpaceMove,
      success: SiteSpace
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
