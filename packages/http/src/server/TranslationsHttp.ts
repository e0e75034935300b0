import { Glossaries } from "@lectern/core/translation/Glossaries"
import { Translations } from "@lectern/core/translation/Translations"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { group } from "./Group.ts"

export const TranslationsHttp = group(
  "translations",
  Effect.fnUntraced(function* (handlers) {
    const translations = yield* Translations
    return handlers({
      list: ({ params, query }) => translations.list(params.organizationId, query),
      create: ({ params, payload }) => translations.create(params.organizationId, payload),
      get: ({ params }) => translations.get(params.organizationId, params.translationId),
      put: ({ params, payload }) => translations.put(params.organizationId, params.translationId, payload),
      remove: ({ params }) =>
        Effect.map(translations.remove(params.organizationId, params.translationId), (removed) =>
          HttpServerResponse.empty({ status: removed ? 205 : 204 })
        ),
      run: ({ params }) => translations.run(params.organizationId, params.translationId)
    })
  })
)

export const GlossariesHttp = group(
  "glossaries",
  Effect.fnUntraced(function* (handlers) {
    const glossaries = yield* Glossaries
    return handlers({
      list: ({ params, query }) => glossaries.list(params.organizationId, query),
      update: ({ params, payload }) => glossaries.update(params.organizationId, payload),
      get: ({ params }) => glossaries.get(params.organizationId, params.glossaryEntryId)
    })
  })
)
