/** Imports that run in the background. */
import { ImportRun, ImportRunFilter, ImportRunStart } from "@lectern/core/import-run/ImportRun"
import { OrganizationId } from "@lectern/core/organization/Organization"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"

const ofOrganization = { organizationId: OrganizationId }
const params = { ...ofOrganization, importRunId: Schema.String }
/** As the hosted service spells it. */
const all = "/org/:organizationId/imports"
const one = `${all}/:importRunId` as const
const made = ImportRun.pipe(HttpApiSchema.status(201))

export const ImportRunsApi = HttpApiGroup.make("importRuns")
  .annotateMerge(
    OpenApi.annotations({ title: "Imports in the background", description: "Web sites that become pages meanwhile." })
  )
  .add(
    HttpApiEndpoint.get("list", all, {
      params: ofOrganization,
      query: { ...PageQuery, ...ImportRunFilter.fields },
      success: listOf(ImportRun)
    }),
    HttpApiEndpoint.post("start", all, { params: ofOrganization, payload: ImportRunStart, success: made }),
    HttpApiEndpoint.get("get", one, { params, success: ImportRun }),
    HttpApiEndpoint.post("cancel", `${one}/cancel`, { params, success: made })
  )
  .middleware(Authentication)
  .middleware(Failures)
