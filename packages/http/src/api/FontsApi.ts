/** Fonts of an organization's own. */
import { Font, FontCreate, FontPatch } from "@lectern/core/font/Font"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"
import * as Operation from "./Operation.ts"
import { organizationId } from "./Parameters.ts"

const ofOrganization = { organizationId }
const params = { ...ofOrganization, fontId: Schema.String.annotateKey({ description: "The id of the font." }) }
const all = "/orgs/:organizationId/fonts"
const one = `${all}/:fontId` as const
const made = Font.pipe(HttpApiSchema.status(201))

export const FontsApi = HttpApiGroup.make("fonts")
  .annotateMerge(
    OpenApi.annotations({ title: "Fonts", description: "Fonts that an organization has uploaded for its sites." })
  )
  .add(
    Operation.get("list", all, {
      description: "Lists the fonts of an organization's own.",
      scopes: ["organization:read", "site:metadata:read"],
      params: ofOrganization,
      query: PageQuery,
      success: listOf(Font)
    }),
    Operation.put("create", all, {
      description: "Makes a font of uploaded files, one for each weight.",
      scopes: ["organization:write"],
      params: ofOrganization,
      payload: FontCreate,
      success: made
    }),
    Operation.get("get", one, {
      description: "Shows one font.",
      scopes: ["organization:read", "site:metadata:read"],
      params,
      success: Font
    }),
    Operation.post("update", one, {
      description: "Changes a font, and the sites that are set in it.",
      scopes: ["organization:write"],
      params,
      payload: FontPatch,
      success: made
    }),
    /** 205: it was removed; 204: there was none. */
    Operation.delete("remove", one, {
      description: "Removes a font: 205 where there was one. Sites that are set in it keep it.",
      scopes: ["organization:write"],
      params,
      success: [HttpApiSchema.Empty(205), HttpApiSchema.NoContent]
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
