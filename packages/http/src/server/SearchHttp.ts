import { Searches } from "@lectern/core/search/Searches"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { LecternApi } from "../api/LecternApi.ts"
import { answering } from "./Answers.ts"

export const SearchHttp = HttpApiBuilder.group(
  LecternApi,
  "search",
  Effect.fnUntraced(function* (handlers) {
    const searches = yield* Searches
    return answering(handlers, {
      space: ({ params, query: { query, ...page } }) => searches.search(params.spaceId, query, page)
    })
  })
)
