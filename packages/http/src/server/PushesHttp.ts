import { FolderArchives } from "@lectern/exchange/export/FolderArchives"
import { Pushes } from "@lectern/exchange/push/Pushes"
import { Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { group } from "./Group.ts"

export const PushesHttp = group(
  "pushes",
  Effect.fnUntraced(function* (handlers) {
    const pushes = yield* Pushes
    const archives = yield* FolderArchives
    return handlers({
      push: ({ params, payload }) => pushes.push(params.spaceId, payload),
      upload: ({ params, payload }) => pushes.upload(params.spaceId, payload),
      export: ({ params, query }) =>
        Effect.map(archives.stream(params.spaceId, query.revision), (archive) =>
          HttpServerResponse.stream(Stream.orDie(archive), { contentType: "application/x-tar" })
        )
    })
  })
)
