/** Imports that run in the background. */
import { ImportRun, ImportRunFilter, ImportRunStart } from "@lectern/exchange/import-run/ImportRun"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"
import * as Operation from "./Operation.ts"
import { organizationId } from "./Parameters.ts"

const ofOrganization = { organizationId }
const params = { ...ofOrganization, importRunId: Schema.String.annotateKey({ description: "The id of the import." }) }
/** Spelled as in the hosted service: `org`, not `orgs`. */
const listPath = "/org/:organizationId/imports"
const itemPath = `${listPath}/:importRunId` as const
const started = ImportRun.pipe(HttpApiSchema.status(201))

export const ImportRunsApi = HttpApiGroup.make("importRuns")
  .annotateMerge(
    OpenApi.annotations({
      title: "Imports in the background",
      description: "Imports of web sites and files that run in the background."
    })
  )
  .add(
    Operation.get("list", listPath, {
      description: "Lists the background imports of an organization, newest first.",
      scopes: ["space:content:read"],
      params: ofOrganization,
      query: { ...PageQuery, ...ImportRunFilter.fields },
      success: listOf(ImportRun)
    }),
    Operation.post("start", listPath, {
      description: "Starts a background import of a web site or of uploaded files.",
      scopes: ["space:content:write"],
      params: ofOrganization,
      payload: ImportRunStart,
      success: started
    }),
    Operation.get("get", itemPath, {
      description: "Returns one background import.",
      scopes: ["space:content:read"],
      params,
      success: ImportRun
    }),
    Operation.post("cancel", `${itemPath}/cancel`, {
      description: "Cancels a background import.",
      scopes: ["space:content:write"],
      params,
      success: started
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
