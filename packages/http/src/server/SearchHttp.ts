import { Searches } from "@lectern/core/search/Searches"
import { Effect } from "effect"
import { LecternApi } from "../api/LecternApi.ts"
import { answering } from "./Answers.ts"
import { group } from "./Group.ts"

export const SearchHttp = group(
  LecternApi,
  "search",
  Effect.fnUntraced(function* (handlers) {
    const searches = yield* Searches
    return answering(handlers, {
      space: ({ params, query: { query, ...page } }) => searches.search(params.spaceId, query, page)
    })
  })
)
