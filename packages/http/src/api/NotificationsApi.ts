/** Notifications of the authenticated user, and the content that the user watches. */
import { Notification, NotificationFilter, NotificationPatch, ReadMark } from "@lectern/core/notification/Notification"
import { NotificationSettings, NotificationSettingsPatch } from "@lectern/core/notification/NotificationSettings"
import { Watch, WatchFilter, WatchInput } from "@lectern/core/notification/Watch"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"
import * as Operation from "./Operation.ts"
import { changeRequestId, pageId, spaceId } from "./Parameters.ts"

const path = "/user/notifications"
const params = { notificationId: Schema.String.annotateKey({ description: "The id of the notification." }) }
const itemPath = `${path}/:notificationId` as const

export const NotificationsApi = HttpApiGroup.make("notifications")
  .annotateMerge(
    OpenApi.annotations({
      title: "Notifications",
      description: "Notifications of the authenticated user. What the user may no longer see is left out."
    })
  )
  .add(
    Operation.get("list", path, {
      description: "Lists the notifications of the user, newest first, and counts the unread ones.",
      scopes: ["notification:read"],
      query: { ...PageQuery, ...NotificationFilter.fields },
      success: Schema.Struct({ ...listOf(Notification).fields, unread: Schema.Int })
    }),
    Operation.post("markAllRead", `${path}/read`, {
      description: "Marks all notifications as read, or those up to a given one.",
      scopes: ["notification:write"],
      payload: ReadMark,
      success: HttpApiSchema.NoContent
    }),
    Operation.get("settings", `${path}/settings`, {
      description: "Returns the channel of each kind of notifications, and the time of the daily digest.",
      scopes: ["notification:read"],
      success: NotificationSettings
    }),
    Operation.patch("updateSettings", `${path}/settings`, {
      description: "Changes channels of notifications, or the time of the daily digest.",
      scopes: ["notification:write"],
      payload: NotificationSettingsPatch,
      success: NotificationSettings
    }),
    Operation.get("get", itemPath, {
      description: "Returns a notification of the user.",
      scopes: ["notification:read"],
      params,
      success: Notification
    }),
    Operation.patch("update", itemPath, {
      description: "Marks a notification as read or unread.",
      scopes: ["notification:write"],
      params,
      payload: NotificationPatch,
      success: Notification
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

const spacePath = "/spaces/:spaceId"
const watched = { payload: WatchInput, scopes: ["notification:write"], success: Watch } as const
const unwatched = { scopes: ["notification:write"], success: HttpApiSchema.NoContent } as const

export const WatchesApi = HttpApiGroup.make("watches")
  .annotateMerge(
    OpenApi.annotations({
      title: "Watches",
      description: "Spaces, pages and change requests that the authenticated user watches or mutes."
    })
  )
  .add(
    Operation.get("list", "/user/watches", {
      description: "Lists what the user watches and mutes.",
      scopes: ["notification:read"],
      query: { ...PageQuery, ...WatchFilter.fields },
      success: listOf(Watch)
    }),
    Operation.put("watchSpace", `${spacePath}/watch`, {
      ...watched,
      description: "Watches or mutes a space.",
      params: { spaceId }
    }),
    Operation.delete("unwatchSpace", `${spacePath}/watch`, {
      ...unwatched,
      description: "Ends watching or muting a space.",
      params: { spaceId }
    }),
    Operation.put("watchPage", `${spacePath}/content/page/:pageId/watch`, {
      ...watched,
      description: "Watches or mutes a page.",
      params: { spaceId, pageId }
    }),
    Operation.delete("unwatchPage", `${spacePath}/content/page/:pageId/watch`, {
      ...unwatched,
      description: "Ends watching or muting a page.",
      params: { spaceId, pageId }
    }),
    Operation.put("watchChangeRequest", `${spacePath}/change-requests/:changeRequestId/watch`, {
      ...watched,
      description: "Watches or mutes a change request.",
      params: { spaceId, changeRequestId }
    }),
    Operation.delete("unwatchChangeRequest", `${spacePath}/change-requests/:changeRequestId/watch`, {
      ...unwatched,
      description: "Ends watching or muting a change request.",
      params: { spaceId, changeRequestId }
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
