import { ChangeRequestContents } from "@lectern/core/change-request/contents/ChangeRequestContents"
import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import { PageChanges } from "@lectern/core/content/changes/PageChanges"
import { Effect } from "effect"
import { group } from "./Group.ts"
import { ifMatch } from "./Conditional.ts"

export const ChangeRequestsHttp = group(
  "changeRequests",
  Effect.fnUntraced(function* (handlers) {
    const changeRequests = yield* ChangeRequests
    const contents = yield* ChangeRequestContents
    const pageChanges = yield* PageChanges
    return handlers({
      list: ({ params, query }) => changeRequests.list(params.spaceId, query),
      listInOrganization: ({ params, query }) => changeRequests.listInOrganization(params.organizationId, query),
      create: ({ params, payload }) => changeRequests.create(params.spaceId, payload),
      revert: ({ params, payload }) => changeRequests.revert(params.spaceId, params.revisionId, payload),
      get: ({ params }) => changeRequests.get(params.spaceId, params.changeRequestId),
      update: ({ params, payload }) => changeRequests.update(params.spaceId, params.changeRequestId, payload),
      merge: ({ params, payload }) =>
        Effect.flatMap(ifMatch, (expectedRevision) =>
          contents.merge(params.spaceId, params.changeRequestId, { ...expectedRevision, ...payload })
        ),
      pull: ({ params }) =>
        Effect.flatMap(ifMatch, (expectedRevision) =>
          contents.update(params.spaceId, params.changeRequestId, expectedRevision)
        ),
      write: ({ params, payload, query }) =>
        Effect.flatMap(ifMatch, (expectedRevision) =>
          contents.write(params.spaceId, params.changeRequestId, payload.changes, expectedRevision)
        ).pipe(Effect.map((update) => (query.compat === false ? update : update.changeRequest))),
      contributors: ({ params, query }) => changeRequests.contributors(params.spaceId, params.changeRequestId, query),
      changes: ({ params, query }) => contents.changes(params.spaceId, params.changeRequestId, query.limit),
      pageChanges: ({ params, query }) =>
        pageChanges.inChangeRequest(params.spaceId, params.changeRequestId, params.pageId, query.limit),
      resolve: ({ params, payload }) =>
        Effect.flatMap(ifMatch, (expectedRevision) =>
          contents.resolve(params.spaceId, params.changeRequestId, params.conflictId, payload.keep, expectedRevision)
        )
    })
  })
)
