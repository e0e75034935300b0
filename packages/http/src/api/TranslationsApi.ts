/** Spaces in other languages, and the terms that are used there. */
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
const all = "/orgs/:organizationId/translations"
const one = `${all}/:translationId` as const
const params = {
  ...organization,
  translationId: Schema.String.annotateKey({ description: "The id of the translation." })
}

export const TranslationsApi = HttpApiGroup.make("translations")
  .annotateMerge(OpenApi.annotations({ title: "Translations", description: "Spaces kept in other languages." }))
  .add(
    Operation.get("list", all, {
      description: "Lists the translations of an organization.",
      scopes: ["space:content:read"],
      params: organization,
      query: PageQuery,
      success: listOf(Translation)
    }),
    Operation.post("create", all, {
      description: "Begins to translate a space into another language.",
      scopes: ["space:content:write"],
      params: organization,
      payload: TranslationCreate,
      success: Translation.pipe(HttpApiSchema.status(201))
    }),
    Operation.get("get", one, {
      description: "Shows one translation.",
      scopes: ["space:content:read"],
      params,
      success: Translation
    }),
    Operation.put("put", one, {
      description: "Changes a translation.",
      scopes: ["space:content:write"],
      params,
      payload: TranslationPut,
      success: Translation
    }),
    /** 205: it was deleted; 204: there was none. */
    Operation.delete("remove", one, {
      description: "Deletes a translation; the translated space stays.",
      scopes: ["space:content:write"],
      params,
      success: [HttpApiSchema.Empty(205), HttpApiSchema.NoContent]
    }),
    Operation.post("run", `${one}/run`, {
      description: "Translates what has changed in the source since.",
      scopes: ["space:content:write"],
      params,
      success: HttpApiSchema.NoContent
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

const entries = "/orgs/:organizationId/translations-glossary"

export const GlossariesApi = HttpApiGroup.make("glossaries")
  .annotateMerge(
    OpenApi.annotations({ title: "Glossaries", description: "What terms are called in the languages of translations." })
  )
  .add(
    Operation.get("list", entries, {
      description: "Lists the terms of an organization's glossary.",
      scopes: ["space:content:read"],
      params: organization,
      query: {
        ...PageQuery,
        orderBy: Schema.optionalKey(Language).annotateKey({ description: "A language: entries by their terms in it." })
      },
      success: listOf(GlossaryEntry)
    }),
    Operation.put("update", entries, {
      description: "Adds, changes and deletes terms of a glossary, all or none.",
      scopes: ["space:content:write"],
      params: organization,
      payload: GlossaryUpdate,
      success: HttpApiSchema.NoContent
    }),
    Operation.get("get", `${entries}/:glossaryEntryId`, {
      description: "Shows one entry of a glossary.",
      scopes: ["space:content:read"],
      params: { ...organization, glossaryEntryId: Schema.String.annotateKey({ description: "The id of the entry." }) },
      success: GlossaryEntry
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
