/** Integrations, their installations, and the spaces and sites that these are placed on. */
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
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { BadGateway } from "./ErrorBody.ts"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"
import * as Operation from "./Operation.ts"
import { organizationId, siteId, spaceId } from "./Parameters.ts"

const listPath = "/integrations"
const itemPath = `${listPath}/:integrationName` as const
const params = { integrationName: Schema.String.annotateKey({ description: "The name of the integration." }) }
const installed = `${itemPath}/installations/:installationId` as const
const installation = {
  ...params,
  installationId: InstallationId.annotateKey({ description: "The id of the installation." })
}
const space = { ...installation, spaceId }
const site = { ...installation, siteId }
const organization = { organizationId }

const externalId = {
  externalId: Schema.optionalKey(Schema.String).annotateKey({
    description: "Only items with this id, which the integration assigned."
  })
}
const extended = {
  extended: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "`true`: returns the whole space or site instead of its id."
  })
}
const search = {
  search: Schema.optionalKey(Schema.String).annotateKey({ description: "Only items whose names contain these words." })
}
/** Output of a rendering: JSON in the format of the integration. */
const RenderOutput = Schema.Record(Schema.String, Schema.Json)

const Status = Schema.Struct({ status: InstallationStatus })

export const IntegrationsApi = HttpApiGroup.make("integrations")
  .annotateMerge(
    OpenApi.annotations({ title: "Integrations", description: "Programs that organizations publish and install." })
  )
  .add(
    Operation.get("list", listPath, {
      description: "Lists the integrations that the user may install.",
      scopes: ["integration:read"],
      query: { ...PageQuery, ...IntegrationFilter.fields },
      success: listOf(Integration)
    }),
    Operation.get("get", itemPath, {
      description: "Returns one integration.",
      scopes: ["integration:read"],
      params,
      success: Integration
    }),
    Operation.post("publish", itemPath, {
      description: "Publishes an integration, or a new version of it.",
      scopes: ["integration:write"],
      params,
      payload: IntegrationPublish,
      success: Integration
    }),
    Operation.delete("unpublish", itemPath, {
      description: "Unpublishes an integration and removes its installations.",
      scopes: ["integration:write"],
      params,
      success: HttpApiSchema.NoContent
    }),
    Operation.get("render", `${itemPath}/render`, {
      description: "Renders a block or a screen of an integration, requested by query parameters.",
      scopes: ["integration:read", "space:content:read"],
      params,
      query: {
        request: Schema.String.annotateKey({
          description: "The render request: a JSON object, compressed by LZ-string."
        })
      },
      success: RenderOutput,
      error: BadGateway
    }),
    Operation.post("renderByPost", `${itemPath}/render`, {
      description: "Renders a block or a screen of an integration.",
      scopes: ["integration:read", "space:content:read"],
      lowLatency: true,
      params,
      payload: RenderRequest,
      success: RenderOutput,
      error: BadGateway
    }),
    Operation.get("events", `${itemPath}/events`, {
      description: "Lists the events that were delivered to an integration.",
      scopes: ["integration:read"],
      params,
      query: PageQuery,
      success: listOf(IntegrationEvent)
    }),
    Operation.get("event", `${itemPath}/events/:eventId`, {
      description: "Returns one event that was delivered to an integration.",
      scopes: ["integration:read"],
      params: { ...params, eventId: Schema.String.annotateKey({ description: "The id of the event." }) },
      success: TracedIntegrationEvent
    }),
    Operation.put("beginDevelopment", `${itemPath}/dev`, {
      description: "Redirects the events of an integration to a development server.",
      scopes: ["integration:write"],
      params,
      payload: DevelopmentPut,
      success: HttpApiSchema.NoContent
    }),
    Operation.delete("endDevelopment", `${itemPath}/dev`, {
      description: "Stops the redirection of events to a development server.",
      scopes: ["integration:write"],
      params,
      success: HttpApiSchema.NoContent
    }),
    Operation.post("queueTask", `${itemPath}/tasks`, {
      description: "Queues a task for an integration.",
      scopes: ["integration:write"],
      params,
      payload: TaskRequest,
      success: HttpApiSchema.NoContent
    }),
    Operation.get("listFor", "/orgs/:organizationId/integrations", {
      description: "Lists the integrations that an organization may install.",
      scopes: ["integration:read"],
      params: organization,
      query: { ...PageQuery, ...IntegrationFilter.fields },
      success: listOf(Integration)
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

export const InstallationsApi = HttpApiGroup.make("installations")
  .annotateMerge(
    OpenApi.annotations({
      title: "Installations",
      description: "Installations of integrations in organizations, with their configurations."
    })
  )
  .add(
    Operation.get("list", `${itemPath}/installations`, {
      description: "Lists the installations of an integration.",
      scopes: ["integration:read"],
      params,
      query: { ...PageQuery, ...externalId },
      success: listOf(Installation)
    }),
    Operation.post("install", `${itemPath}/installations`, {
      description: "Installs an integration in an organization.",
      scopes: ["integration:write"],
      params,
      payload: InstallationCreate,
      success: Installation.pipe(HttpApiSchema.status(201))
    }),
    Operation.get("get", installed, {
      description: "Returns one installation.",
      scopes: ["integration:read"],
      params: installation,
      success: Installation
    }),
    Operation.patch("update", installed, {
      description: "Changes the configuration of an installation.",
      scopes: ["integration:write"],
      params: installation,
      payload: InstallationPatch,
      success: Installation
    }),
    Operation.delete("uninstall", installed, {
      description: "Deletes an installation with its configuration.",
      scopes: ["integration:write"],
      params: installation,
      success: HttpApiSchema.NoContent
    }),
    Operation.post("makeToken", `${installed}/tokens`, {
      description: "Creates a token that acts as an installation.",
      scopes: ["integration:write"],
      params: installation,
      success: Schema.Struct({ token: Schema.String })
    }),
    Operation.get("listIn", "/orgs/:organizationId/installations", {
      description: "Lists the installations in an organization.",
      scopes: ["integration:read"],
      params: organization,
      query: { ...PageQuery, ...search },
      success: listOf(Schema.Struct({ integration: Integration, installation: Installation }))
    }),
    Operation.get("statuses", "/orgs/:organizationId/integrations/installations-status", {
      description: "Lists the installation status of each integration in an organization.",
      scopes: ["integration:read"],
      params: organization,
      query: {
        ...PageQuery,
        target: Schema.optionalKey(Schema.Literals(["organization", "space", "site"])).annotateKey({
          description: "Only integrations that can be placed on this kind of resource."
        })
      },
      success: listOf(
        Schema.Struct({
          integration: Integration,
          status: InstallationStatus,
          /** Organization of the installation. Spaces and sites belong to the same installation. */
          target: Schema.Struct({ type: Schema.Literal("organization"), organizationId: OrganizationId })
        })
      )
    }),
    Operation.get("status", "/orgs/:organizationId/integrations/:integrationName/installation_status", {
      description: "Returns the installation status of an integration in an organization.",
      scopes: ["integration:read"],
      params: { ...organization, ...params },
      success: Status
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

export const SpacePlacementsApi = HttpApiGroup.make("spacePlacements")
  .annotateMerge(
    OpenApi.annotations({
      title: "Integrations on spaces",
      description: "Installations that are placed on spaces, with their configurations."
    })
  )
  .add(
    Operation.get("list", `${itemPath}/spaces`, {
      description: "Lists the spaces that an integration is placed on, over all its installations.",
      scopes: ["integration:read"],
      params,
      query: { ...PageQuery, ...externalId, ...extended },
      success: listOf(SpacePlacement)
    }),
    Operation.get("listOf", `${installed}/spaces`, {
      description: "Lists the spaces that one installation is placed on.",
      scopes: ["integration:read"],
      params: installation,
      query: { ...PageQuery, ...extended },
      success: listOf(SpacePlacement)
    }),
    Operation.post("place", `${installed}/spaces`, {
      description: "Places an installation on a space.",
      scopes: ["integration:write"],
      params: installation,
      query: extended,
      payload: SpacePlacementCreate,
      success: SpacePlacement.pipe(HttpApiSchema.status(201))
    }),
    Operation.get("get", `${installed}/spaces/:spaceId`, {
      description: "Returns the configuration of an installation for one space.",
      scopes: ["integration:read"],
      params: space,
      query: extended,
      success: SpacePlacement
    }),
    Operation.patch("update", `${installed}/spaces/:spaceId`, {
      description: "Changes the configuration of an installation for one space.",
      scopes: ["integration:write"],
      params: space,
      query: extended,
      payload: PlacementPatch,
      success: SpacePlacement
    }),
    Operation.delete("remove", `${installed}/spaces/:spaceId`, {
      description: "Removes an installation from a space.",
      scopes: ["integration:write"],
      params: space,
      success: HttpApiSchema.NoContent
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

export const SitePlacementsApi = HttpApiGroup.make("sitePlacements")
  .annotateMerge(
    OpenApi.annotations({
      title: "Integrations on sites",
      description: "Installations that are placed on sites, with their configurations."
    })
  )
  .add(
    Operation.get("list", `${itemPath}/sites`, {
      description: "Lists the sites that an integration is placed on, over all its installations.",
      scopes: ["integration:read"],
      params,
      query: { ...PageQuery, ...externalId, ...extended },
      success: listOf(SitePlacement)
    }),
    Operation.get("listOf", `${installed}/sites`, {
      description: "Lists the sites that one installation is placed on.",
      scopes: ["integration:read"],
      params: installation,
      query: { ...PageQuery, ...extended },
      success: listOf(SitePlacement)
    }),
    Operation.post("place", `${installed}/sites`, {
      description: "Places an installation on a site.",
      scopes: ["integration:write"],
      params: installation,
      query: extended,
      payload: SitePlacementCreate,
      success: SitePlacement.pipe(HttpApiSchema.status(201))
    }),
    Operation.get("get", `${installed}/sites/:siteId`, {
      description: "Returns the configuration of an installation for one site.",
      scopes: ["integration:read"],
      params: site,
      query: extended,
      success: SitePlacement
    }),
    Operation.patch("update", `${installed}/sites/:siteId`, {
      description: "Changes the configuration of an installation for one site.",
      scopes: ["integration:write"],
      params: site,
      query: extended,
      payload: PlacementPatch,
      success: SitePlacement
    }),
    Operation.delete("remove", `${installed}/sites/:siteId`, {
      description: "Removes an installation from a site.",
      scopes: ["integration:write"],
      params: site,
      success: HttpApiSchema.NoContent
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

/** Integrations that are placed on a space or a site. */
export const PlacedIntegrationsApi = HttpApiGroup.make("placedIntegrations")
  .annotateMerge(
    OpenApi.annotations({
      title: "Integrations at work",
      description: "Integrations that are placed on a space or a site."
    })
  )
  .add(
    Operation.get("onSpace", "/spaces/:spaceId/integrations", {
      description: "Lists the integrations that are placed on a space.",
      scopes: ["integration:read"],
      params: { spaceId },
      query: { ...PageQuery, ...search },
      success: listOf(Integration)
    }),
    Operation.get("blocks", "/spaces/:spaceId/integration-blocks", {
      description: "Lists the blocks that integrations provide in a space.",
      scopes: ["integration:read", "space:content:read"],
      params: { spaceId },
      success: Schema.Array(Schema.Struct({ name: Schema.String, blocks: Schema.Array(IntegrationBlock) }))
    }),
    Operation.get("onSite", "/orgs/:organizationId/sites/:siteId/integrations", {
      description: "Lists the integrations that are placed on a site.",
      scopes: ["integration:read"],
      params: { ...organization, siteId },
      query: { ...PageQuery, ...search },
      success: listOf(Integration)
    }),
    Operation.get("scripts", "/orgs/:organizationId/sites/:siteId/integration-scripts", {
      description: "Lists the scripts that integrations add to the pages of a site.",
      scopes: ["integration:read", "site:metadata:read"],
      params: { ...organization, siteId },
      success: Schema.Array(SiteScript)
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

/** Images of integrations, readable without a token. */
export const IntegrationAssetsApi = HttpApiGroup.make("integrationAssets")
  .annotateMerge(
    OpenApi.annotations({ title: "Pictures of integrations", description: "Icons and preview images of integrations." })
  )
  .add(
    Operation.get("get", `${itemPath}/assets/:asset`, {
      description: "Returns an image of an integration.",
      scopes: [],
      params: {
        ...params,
        asset: Schema.String.annotateKey({ description: "The path of the file in the integration." })
      },
      success: Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array())
    })
  )
  .middleware(Failures)
