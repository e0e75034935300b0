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
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { BadGateway } from "./ErrorBody.ts"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"
import * as Operation from "./Operation.ts"
import { organizationId, siteId, spaceId } from "./Parameters.ts"

const all = "/integrations"
const one = `${all}/:integrationName` as const
const params = { integrationName: Schema.String.annotateKey({ description: "The name of the integration." }) }
const installed = `${one}/installations/:installationId` as const
const installation = {
  ...params,
  installationId: InstallationId.annotateKey({ description: "The id of the installation." })
}
const space = { ...installation, spaceId }
const site = { ...installation, siteId }
const organization = { organizationId }

const externalId = {
  externalId: Schema.optionalKey(Schema.String).annotateKey({
    description: "An id that the integration gave: those with this one."
  })
}
const extended = {
  extended: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "`true`: shows the whole space or site in place of its id."
  })
}
const search = {
  search: Schema.optionalKey(Schema.String).annotateKey({ description: "Words: those that have them in their names." })
}
/** A drawing of an integration: JSON, in the integration's own words. */
const RenderOutput = Schema.Record(Schema.String, Schema.Json)

const Status = Schema.Struct({ status: InstallationStatus })

export const IntegrationsApi = HttpApiGroup.make("integrations")
  .annotateMerge(
    OpenApi.annotations({ title: "Integrations", description: "Programs that organizations publish and install." })
  )
  .add(
    Operation.get("list", all, {
      description: "Lists the integrations that the user may install.",
      scopes: ["integration:read"],
      query: { ...PageQuery, ...IntegrationFilter.fields },
      success: listOf(Integration)
    }),
    Operation.get("get", one, {
      description: "Shows one integration.",
      scopes: ["integration:read"],
      params,
      success: Integration
    }),
    Operation.post("publish", one, {
      description: "Publishes an integration, or a new version of it.",
      scopes: ["integration:write"],
      params,
      payload: IntegrationPublish,
      success: Integration
    }),
    Operation.delete("unpublish", one, {
      description: "Takes an integration back, wherever it is installed.",
      scopes: ["integration:write"],
      params,
      success: HttpApiSchema.NoContent
    }),
    Operation.get("render", `${one}/render`, {
      description: "Draws a block or a screen of an integration, asked by query parameters.",
      scopes: ["integration:read", "space:content:read"],
      params,
      query: {
        request: Schema.String.annotateKey({ description: "What is to be drawn: a JSON object, encoded as text." })
      },
      success: RenderOutput,
      error: BadGateway
    }),
    Operation.post("renderByPost", `${one}/render`, {
      description: "Draws a block or a screen of an integration.",
      scopes: ["integration:read", "space:content:read"],
      params,
      payload: RenderRequest,
      success: RenderOutput,
      error: BadGateway
    }),
    Operation.get("events", `${one}/events`, {
      description: "Lists the events that an integration was told of.",
      scopes: ["integration:read"],
      params,
      query: PageQuery,
      success: listOf(IntegrationEvent)
    }),
    Operation.get("event", `${one}/events/:eventId`, {
      description: "Shows one event that an integration was told of.",
      scopes: ["integration:read"],
      params: { ...params, eventId: Schema.String.annotateKey({ description: "The id of the event." }) },
      success: TracedIntegrationEvent
    }),
    Operation.put("beginDevelopment", `${one}/dev`, {
      description: "Sends the events of an integration to a program in development.",
      scopes: ["integration:write"],
      params,
      payload: DevelopmentPut,
      success: HttpApiSchema.NoContent
    }),
    Operation.delete("endDevelopment", `${one}/dev`, {
      description: "Sends the events of an integration to its published program again.",
      scopes: ["integration:write"],
      params,
      success: HttpApiSchema.NoContent
    }),
    Operation.post("queueTask", `${one}/tasks`, {
      description: "Queues a task that an integration gets later.",
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
    OpenApi.annotations({ title: "Installations", description: "Integrations in organizations, with their settings." })
  )
  .add(
    Operation.get("list", `${one}/installations`, {
      description: "Lists the installations of an integration.",
      scopes: ["integration:read"],
      params,
      query: { ...PageQuery, ...externalId },
      success: listOf(Installation)
    }),
    Operation.post("install", `${one}/installations`, {
      description: "Installs an integration in an organization.",
      scopes: ["integration:write"],
      params,
      payload: InstallationCreate,
      success: Installation.pipe(HttpApiSchema.status(201))
    }),
    Operation.get("get", installed, {
      description: "Shows one installation.",
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
      description: "Takes an installation away, with all that is set of it.",
      scopes: ["integration:write"],
      params: installation,
      success: HttpApiSchema.NoContent
    }),
    Operation.post("makeToken", `${installed}/tokens`, {
      description: "Makes a token that acts as an installation.",
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
      description: "Lists how each integration of an organization is installed.",
      scopes: ["integration:read"],
      params: organization,
      query: {
        ...PageQuery,
        target: Schema.optionalKey(Schema.Literals(["organization", "space", "site"])).annotateKey({
          description: "Integrations that can be placed on this."
        })
      },
      success: listOf(
        Schema.Struct({
          integration: Integration,
          status: InstallationStatus,
          /** The organization that it is installed in: places on spaces and sites belong to this installation. */
          target: Schema.Struct({ type: Schema.Literal("organization"), organizationId: OrganizationId })
        })
      )
    }),
    Operation.get("status", "/orgs/:organizationId/integrations/:integrationName/installation_status", {
      description: "Shows how an integration is installed in an organization.",
      scopes: ["integration:read"],
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
    Operation.get("list", `${one}/spaces`, {
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
      description: "Shows what is set of an installation for one space.",
      scopes: ["integration:read"],
      params: space,
      query: extended,
      success: SpacePlacement
    }),
    Operation.patch("update", `${installed}/spaces/:spaceId`, {
      description: "Changes what is set of an installation for one space.",
      scopes: ["integration:write"],
      params: space,
      query: extended,
      payload: PlacementPatch,
      success: SpacePlacement
    }),
    Operation.delete("remove", `${installed}/spaces/:spaceId`, {
      description: "Takes an installation off a space.",
      scopes: ["integration:write"],
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
    Operation.get("list", `${one}/sites`, {
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
      description: "Shows what is set of an installation for one site.",
      scopes: ["integration:read"],
      params: site,
      query: extended,
      success: SitePlacement
    }),
    Operation.patch("update", `${installed}/sites/:siteId`, {
      description: "Changes what is set of an installation for one site.",
      scopes: ["integration:write"],
      params: site,
      query: extended,
      payload: PlacementPatch,
      success: SitePlacement
    }),
    Operation.delete("remove", `${installed}/sites/:siteId`, {
      description: "Takes an installation off a site.",
      scopes: ["integration:write"],
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
    Operation.get("onSpace", "/spaces/:spaceId/integrations", {
      description: "Lists the integrations that are placed on a space.",
      scopes: ["integration:read"],
      params: { spaceId },
      query: { ...PageQuery, ...search },
      success: listOf(Integration)
    }),
    Operation.get("blocks", "/spaces/:spaceId/integration-blocks", {
      description: "Lists the blocks that integrations bring to a space.",
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

/** Pictures of integrations, for everyone who has their URL. */
export const IntegrationAssetsApi = HttpApiGroup.make("integrationAssets")
  .annotateMerge(OpenApi.annotations({ title: "Pictures of integrations", description: "Icons and previews." }))
  .add(
    Operation.get("get", `${one}/assets/:asset`, {
      description: "Sends a file that belongs to an integration.",
      scopes: [],
      params: {
        ...params,
        asset: Schema.String.annotateKey({ description: "The path of the file in the integration." })
      },
      success: Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array())
    })
  )
  .middleware(Failures)
