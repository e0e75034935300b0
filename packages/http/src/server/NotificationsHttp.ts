import { Notifications } from "@lectern/core/notification/Notifications"
import { type WatchedContent, Watches } from "@lectern/core/notification/Watches"
import type { SpaceId } from "@lectern/core/space/Space"
import { Effect } from "effect"
import { group } from "./Group.ts"

export const NotificationsHttp = group(
  "notifications",
  Effect.fnUntraced(function* (handlers) {
    const notifications = yield* Notifications
    return handlers({
      list: ({ query }) => notifications.list(query),
      markAllRead: ({ payload }) => notifications.markAllRead(payload),
      settings: () => notifications.settings,
      updateSettings: ({ payload }) => notifications.updateSettings(payload),
      get: ({ params }) => notifications.get(params.notificationId),
      update: ({ params, payload }) => notifications.update(params.notificationId, payload)
    })
  })
)

/** Returns the content that the parameters of a path name. */
const contentOf = ({
  spaceId,
  pageId,
  changeRequestId
}: {
  readonly spaceId: SpaceId
  readonly pageId?: string
  readonly changeRequestId?: string
}): WatchedContent => ({
  space: spaceId,
  ...(pageId !== undefined && { page: pageId }),
  ...(changeRequestId !== undefined && { changeRequest: changeRequestId })
})

export const WatchesHttp = group(
  "watches",
  Effect.fnUntraced(function* (handlers) {
    const watches = yield* Watches
    return handlers({
      list: ({ query }) => watches.list(query),
      watchSpace: ({ params, payload }) => watches.put(contentOf(params), payload),
      unwatchSpace: ({ params }) => watches.remove(contentOf(params)),
      watchPage: ({ params, payload }) => watches.put(contentOf(params), payload),
      unwatchPage: ({ params }) => watches.remove(contentOf(params)),
      watchChangeRequest: ({ params, payload }) => watches.put(contentOf(params), payload),
      unwatchChangeRequest: ({ params }) => watches.remove(contentOf(params))
    })
  })
)
