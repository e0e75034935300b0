/** Integrations, their installations, and where those are placed. */
import {
  Installation,
  InstallationCreate,
  InstallationId,
  InstallationPatch,
  InstallationStatus,
  PlacementPatch,
  SitePlacement,
  SitePlacementCreate,
  SpacePlacement,
  SpacePlacementCreate
} from "@lectern/core/integration/Installation"
import { IntegrationEvent, TracedIntegrationEvent } from "@lectern/core/integration/IntegrationEvent"
import { RenderRequest } from "@lectern/core/integration/IntegrationRender"
import { TaskRequest } from "@lectern/core/integration/IntegrationTask"
import {
  DevelopmentPut,
  Integration,
  IntegrationFilter,
  IntegrationPublish
} from "@lectern/core/integration/Integration"
import { IntegrationBlock } from "@lectern/core/integration/IntegrationManifest"
import { OrganizationId } from "@lectern/core/organization/Organization"
import { SiteScript } from "@lectern/core/integration/SiteScript"
import { SiteId } from "@lectern/core/site/Site"
import { SpaceId } from "@lectern/core/space/Space"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { BadGateway } from "./ErrorBody.ts"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"

const all = "/integrations"
const one = `${all}/:integrationName` as const
const params = { integrationName: Schema.String }
const installed = `${one}/installations/:installationId` as const
const installation = { ...params, installationId: InstallationId }
const space = { ...installation, spaceId: Schema.String }
const site = { ...installation, siteId: Schema.String }
const organization = { organizationId: OrganizationId }

const externalId = { externalId: Schema.optionalKey(Schema.String) }
const extended = { extended: Schema.optionalKey(Schema.Boolean) }
const search = { search: Schema.optionalKey(Schema.String) }
/** A drawing of an integration: JSON, in the integration's own words. */
const Drawn = Schema.Record(Schema.String, Schema.Json)

const Status = Schema.Struct({ status: InstallationStatus })

export const IntegrationsApi = HttpApiGroup.make("integrations")
  .annotateMerge(
    OpenApi.annotations({ title: "Integrations", description: "Programs that organizations publish and install." })
  )
  .add(
    HttpApiEndpoint.get("list", all, {
      query: { ...PageQuery, ...IntegrationFilter.fields },
      success: listOf(Integration)
    }),
    HttpApiEndpoint.get("get", one, { params, success: Integration }),
    HttpApiEndpoint.post("publish", one, { params, payload: IntegrationPublish, success: Integration }),
    HttpApiEndpoint.delete("unpublish", one, { params, success: HttpApiSchema.NoContent }),
    HttpApiEndpoint.get("render", `${one}/render`, {
      params,
      query: { request: Schema.String },
      success: Drawn,
      error: BadGateway
    }),
    HttpApiEndpoint.post("renderByPost", `${one}/render`, {
      params,
      payload: RenderRequest,
      success: Drawn,
      error: BadGateway
    }),
    HttpApiEndpoint.get("events", `${one}/events`, { params, query: PageQuery, success: listOf(IntegrationEvent) }),
    HttpApiEndpoint.get("event", `${one}/events/:eventId`, {
      params: { ...params, eventId: Schema.String },
      success: TracedIntegrationEvent
    }),
    HttpApiEndpoint.put("beginDevelopment", `${one}/dev`, {
      params,
      payload: DevelopmentPut,
      success: HttpApiSchema.NoContent
    }),
    HttpApiEndpoint.delete("endDevelopment", `${one}/dev`, { params, success: HttpApiSchema.NoContent }),
    HttpApiEndpoint.post("queueTask", `${one}/tasks`, {
      params,
      payload: TaskRequest,
      success: HttpApiSchema.NoContent
    }),
    HttpApiEndpoint.get("listFor", "/orgs/:organizationId/integrations", {
      params: organization,
      query: { ...PageQuery, ...IntegrationFilter.fields },
      success: listOf(Integration)
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

export const InstallationsApi = HttpApiGroup.make("installations")
  .annotateMerge(
    OpenApi.annotations({ title: "Installations", description: "Integrations in organizations, with their settings." })
  )
  .add(
    HttpApiEndpoint.get("list", `${one}/installations`, {
      params,
      query: { ...PageQuery, ...externalId },
      success: listOf(Installation)
    }),
    HttpApiEndpoint.post("install", `${one}/installations`, {
      params,
      payload: InstallationCreate,
      success: Installation.pipe(HttpApiSchema.status(201))
    }),
    HttpApiEndpoint.get("get", installed, { params: installation, success: Installation }),
    HttpApiEndpoint.patch("update", installed, {
      params: installation,
      payload: InstallationPatch,
      success: Installation
    }),
    HttpApiEndpoint.delete("uninstall", installed, { params: installation, success: HttpApiSchema.NoContent }),
    HttpApiEndpoint.post("makeToken", `${installed}/tokens`, {
      params: installation,
      success: Schema.Struct({ token: Schema.String })
    }),
    HttpApiEndpoint.get("listIn", "/orgs/:organizationId/installations", {
      params: organization,
      query: { ...PageQuery, ...search },
      success: listOf(Schema.Struct({ integration: Integration, installation: Installation }))
    }),
    HttpApiEndpoint.get("statuses", "/orgs/:organizationId/integrations/installations-status", {
      params: organization,
      query: { ...PageQuery, target: Schema.optionalKey(Schema.Literals(["organization", "space", "site"])) },
      success: listOf(
        Schema.Struct({
          integration: Integration,
          status: InstallationStatus,
          /** The organization that it is installed in: places on spaces and sites belong to this installation. */
          target: Schema.Struct({ type: Schema.Literal("organization"), organizationId: OrganizationId })
        })
      )
    }),
    HttpApiEndpoint.get("status", "/orgs/:organizationId/integrations/:integrationName/installation_status", {
      params: { ...organization, ...params },
      success: Status
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

export const SpacePlacementsApi = HttpApiGroup.make("spacePlacements")
  .annotateMerge(
    OpenApi.annotations({ title: "Integrations on spaces", description: "What is installed on a space, and how." })
  )
  .add(
    HttpApiEndpoint.get("list", `${one}/spaces`, {
      params,
      query: { ...PageQuery, ...externalId, ...extended },
      success: listOf(SpacePlacement)
    }),
    HttpApiEndpoint.get("listOf", `${installed}/spaces`, {
      params: installation,
      query: { ...PageQuery, ...extended },
      success: listOf(SpacePlacement)
    }),
    HttpApiEndpoint.post("place", `${installed}/spaces`, {
      params: installation,
      query: extended,
      payload: SpacePlacementCreate,
      success: SpacePlacement.pipe(HttpApiSchema.status(201))
    }),
    HttpApiEndpoint.get("get", `${installed}/spaces/:spaceId`, {
      params: space,
      query: extended,
      success: SpacePlacement
    }),
    HttpApiEndpoint.patch("update", `${installed}/spaces/:spaceId`, {
      params: space,
      query: extended,
      payload: PlacementPatch,
      success: SpacePlacement
    }),
    HttpApiEndpoint.delete("remove", `${installed}/spaces/:spaceId`, {
      params: space,
      success: HttpApiSchema.NoContent
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

export const SitePlacementsApi = HttpApiGroup.make("sitePlacements")
  .annotateMerge(
    OpenApi.annotations({ title: "Integrations on sites", description: "What is installed on a site, and how." })
  )
  .add(
    HttpApiEndpoint.get("list", `${one}/sites`, {
      params,
      query: { ...PageQuery, ...externalId, ...extended },
      success: listOf(SitePlacement)
    }),
    HttpApiEndpoint.get("listOf", `${installed}/sites`, {
      params: installation,
      query: { ...PageQuery, ...extended },
      success: listOf(SitePlacement)
    }),
    HttpApiEndpoint.post("place", `${installed}/sites`, {
      params: installation,
      query: extended,
      payload: SitePlacementCreate,
      success: SitePlacement.pipe(HttpApiSchema.status(201))
    }),
    HttpApiEndpoint.get("get", `${installed}/sites/:siteId`, { params: site, query: extended, success: SitePlacement }),
    HttpApiEndpoint.patch("update", `${installed}/sites/:siteId`, {
      params: site,
      query: extended,
      payload: PlacementPatch,
      success: SitePlacement
    }),
    HttpApiEndpoint.delete("remove", `${installed}/sites/:siteId`, {
      params: site,
      success: HttpApiSchema.NoContent
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

/** Integrations that are at work on a space or a site. */
export const PlacedIntegrationsApi = HttpApiGroup.make("placedIntegrations")
  .annotateMerge(
    OpenApi.annotations({ title: "Integrations at work", description: "What works on a space or a site by now." })
  )
  .add(
    HttpApiEndpoint.get("onSpace", "/spaces/:spaceId/integrations", {
      params: { spaceId: SpaceId },
      query: { ...PageQuery, ...search },
      success: listOf(Integration)
    }),
    HttpApiEndpoint.get("blocks", "/spaces/:spaceId/integration-blocks", {
      params: { spaceId: SpaceId },
      success: Schema.Array(Schema.Struct({ name: Schema.String, blocks: Schema.Array(IntegrationBlock) }))
    }),
    HttpApiEndpoint.get("onSite", "/orgs/:organizationId/sites/:siteId/integrations", {
      params: { ...organization, siteId: SiteId },
      query: { ...PageQuery, ...search },
      success: listOf(Integration)
    }),
    HttpApiEndpoint.get("scripts", "/orgs/:organizationId/sites/:siteId/integration-scripts", {
      params: { ...organization, siteId: SiteId },
      success: Schema.Array(SiteScript)
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

/** Pictures of integrations, for everyone who has their URL. */
export const IntegrationAssetsApi = HttpApiGroup.make("integrationAssets")
  .annotateMerge(OpenApi.annotations({ title: "Pictures of integrations", description: "Icons and previews." }))
  .add(
    HttpApiEndpoint.get("get", `${one}/assets/:asset`, {
      params: { ...params, asset: Schema.String },
      success: Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array())
    })
  )
  .middleware(Failures)
