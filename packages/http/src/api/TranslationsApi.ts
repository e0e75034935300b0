/** Spaces in other languages, and the terms that are used there. */
import { OrganizationId } from "@lectern/core/organization/Organization"
import { GlossaryEntry, GlossaryUpdate } from "@lectern/core/translation/GlossaryEntry"
import { Language } from "@lectern/core/schema/Language"
import { Translation, TranslationCreate, TranslationPut } from "@lectern/core/translation/Translation"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"

const organization = { organizationId: OrganizationId }
const all = "/orgs/:organizationId/translations"
const one = `${all}/:translationId` as const
const params = { ...organization, translationId: Schema.String }

export const TranslationsApi = HttpApiGroup.make("translations")
  .annotateMerge(OpenApi.annotations({ title: "Translations", description: "Spaces kept in other languages." }))
  .add(
    HttpApiEndpoint.get("list", all, { params: organization, query: PageQuery, success: listOf(Translation) }),
    HttpApiEndpoint.post("create", all, {
      params: organization,
      payload: TranslationCreate,
      success: Translation.pipe(HttpApiSchema.status(201))
    }),
    HttpApiEndpoint.get("get", one, { params, success: Translation }),
    HttpApiEndpoint.put("put", one, { params, payload: TranslationPut, success: Translation }),
    /** 205: it was deleted; 204: there was none. */
    HttpApiEndpoint.delete("remove", one, { params, success: [HttpApiSchema.Empty(205), HttpApiSchema.NoContent] }),
    HttpApiEndpoint.post("run", `${one}/run`, { params, success: HttpApiSchema.NoContent })
  )
  .middleware(Authentication)
  .middleware(Failures)

const entries = "/orgs/:organizationId/translations-glossary"

export const GlossariesApi = HttpApiGroup.make("glossaries")
  .annotateMerge(
    OpenApi.annotations({ title: "Glossaries", description: "What terms are called in the languages of translations." })
  )
  .add(
    HttpApiEndpoint.get("list", entries, {
      params: organization,
      query: { ...PageQuery, orderBy: Schema.optionalKey(Language) },
      success: listOf(GlossaryEntry)
    }),
    HttpApiEndpoint.put("update", entries, {
      params: organization,
      payload: GlossaryUpdate,
      success: HttpApiSchema.NoContent
    }),
    HttpApiEndpoint.get("get", `${entries}/:glossaryEntryId`, {
      params: { ...organization, glossaryEntryId: Schema.String },
      success: GlossaryEntry
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
