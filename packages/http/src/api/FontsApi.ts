/** Fonts of an organization's own. */
import { Font, FontCreate, FontPatch } from "@lectern/core/font/Font"
import { OrganizationId } from "@lectern/core/organization/Organization"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"

const ofOrganization = { organizationId: OrganizationId }
const params = { ...ofOrganization, fontId: Schema.String }
const all = "/orgs/:organizationId/fonts"
const one = `${all}/:fontId` as const
const made = Font.pipe(HttpApiSchema.status(201))

export const FontsApi = HttpApiGroup.make("fonts")
  .annotateMerge(
    OpenApi.annotations({ title: "Fonts", description: "Fonts that an organization has uploaded for its sites." })
  )
  .add(
    HttpApiEndpoint.get("list", all, { params: ofOrganization, query: PageQuery, success: listOf(Font) }),
    HttpApiEndpoint.put("create", all, { params: ofOrganization, payload: FontCreate, success: made }),
    HttpApiEndpoint.get("get", one, { params, success: Font }),
    HttpApiEndpoint.post("update", one, { params, payload: FontPatch, success: made }),
    /** 205: it was removed; 204: there was none. */
    HttpApiEndpoint.delete("remove", one, { params, success: [HttpApiSchema.Empty(205), HttpApiSchema.NoContent] })
  )
  .middleware(Authentication)
  .middleware(Failures)
