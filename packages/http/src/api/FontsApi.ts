/** Custom fonts of an organization. */
import { Font, FontCreate, FontPatch } from "@lectern/core/font/Font"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"
import * as Operation from "./Operation.ts"
import { organizationId } from "./Parameters.ts"

const ofOrganization = { organizationId }
const params = { ...ofOrganization, fontId: Schema.String.annotateKey({ description: "The id of the font." }) }
const listPath = "/orgs/:organizationId/fonts"
const itemPath = `${listPath}/:fontId` as const
const created = Font.pipe(HttpApiSchema.status(201))

export const FontsApi = HttpApiGroup.make("fonts")
  .annotateMerge(
    OpenApi.annotations({ title: "Fonts", description: "Custom fonts that an organization uploaded for its sites." })
  )
  .add(
    Operation.get("list", listPath, {
      description: "Lists the custom fonts of an organization.",
      scopes: ["organization:read", "site:metadata:read"],
      params: ofOrganization,
      query: PageQuery,
      success: listOf(Font)
    }),
    Operation.put("create", listPath, {
      description: "Creates a font from uploaded files, one for each weight.",
      scopes: ["organization:write"],
      params: ofOrganization,
      payload: FontCreate,
      success: created
    }),
    Operation.get("get", itemPath, {
      description: "Returns one font.",
      scopes: ["organization:read", "site:metadata:read"],
      params,
      success: Font
    }),
    Operation.post("update", itemPath, {
      description: "Changes a font, including sites that use it.",
      scopes: ["organization:write"],
      params,
      payload: FontPatch,
      success: created
    }),
    /** 205: removed; 204: did not exist. */
    Operation.delete("remove", itemPath, {
      description: "Deletes a font. 205 if it existed, else 204. Sites that use the font keep it.",
      scopes: ["organization:write"],
      params,
      success: [HttpApiSchema.Empty(205), HttpApiSchema.NoContent]
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
