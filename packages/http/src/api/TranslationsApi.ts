/** Translations of spaces, and their glossaries. */
import { GlossaryEntry, GlossaryUpdate } from "@lectern/core/translation/GlossaryEntry"
import { Language } from "@lectern/core/schema/Language"
import { Translation, TranslationCreate, TranslationPut } from "@lectern/core/translation/Translation"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"
import * as Operation from "./Operation.ts"
import { organizationId } from "./Parameters.ts"

const organization = { organizationId }
const listPath = "/orgs/:organizationId/translations"
const itemPath = `${listPath}/:translationId` as const
const params = {
  ...organization,
  translationId: Schema.String.annotateKey({ description: "The id of the translation." })
}

export const TranslationsApi = HttpApiGroup.make("translations")
  .annotateMerge(
    OpenApi.annotations({
      title: "Translations",
      description: "Spaces that follow a source space in another language."
    })
  )
  .add(
    Operation.get("list", listPath, {
      description: "Lists the translations of an organization.",
      scopes: ["space:content:read"],
      params: organization,
      query: PageQuery,
      success: listOf(Translation)
    }),
    Operation.post("create", listPath, {
      description: "Starts the translation of a space into another language.",
      scopes: ["space:content:write"],
      params: organization,
      payload: TranslationCreate,
      success: Translation.pipe(HttpApiSchema.status(201))
    }),
    Operation.get("get", itemPath, {
      description: "Returns one translation.",
      scopes: ["space:content:read"],
      params,
      success: Translation
    }),
    Operation.put("put", itemPath, {
      description: "Changes a translation.",
      scopes: ["space:content:write"],
      params,
      payload: TranslationPut,
      success: Translation
    }),
    /** 205: deleted; 204: did not exist. */
    Operation.delete("remove", itemPath, {
      description: "Deletes a translation. The translated space remains.",
      scopes: ["space:content:write"],
      params,
      success: [HttpApiSchema.Empty(205), HttpApiSchema.NoContent]
    }),
    Operation.post("run", `${itemPath}/run`, {
      description: "Translates the changes of the source since the last run.",
      scopes: ["space:content:write"],
      params,
      success: HttpApiSchema.NoContent
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

const entries = "/orgs/:organizationId/translations-glossary"

export const GlossariesApi = HttpApiGroup.make("glossaries")
  .annotateMerge(OpenApi.annotations({ title: "Glossaries", description: "Terms and their translations." }))
  .add(
    Operation.get("list", entries, {
      description: "Lists the terms of an organization's glossary.",
      scopes: ["space:content:read"],
      params: organization,
      query: {
        ...PageQuery,
        orderBy: Schema.optionalKey(Language).annotateKey({ description: "The language whose terms to sort by." })
      },
      success: listOf(GlossaryEntry)
    }),
    Operation.put("update", entries, {
      description: "Adds, changes and deletes glossary terms, atomically.",
      scopes: ["space:content:write"],
      params: organization,
      payload: GlossaryUpdate,
      success: HttpApiSchema.NoContent
    }),
    Operation.get("get", `${entries}/:glossaryEntryId`, {
      description: "Returns one entry of a glossary.",
      scopes: ["space:content:read"],
      params: { ...organization, glossaryEntryId: Schema.String.annotateKey({ description: "The id of the entry." }) },
      success: GlossaryEntry
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
