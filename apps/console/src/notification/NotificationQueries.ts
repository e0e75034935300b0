/** Reads of the user's notifications. The number of unread ones is read again every minute while the window is visible. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query"
import { request } from "../api/Api.ts"
import { client } from "../api/Queries.ts"
import type { List, Notification, NotificationSettings } from "../api/Resources.ts"

const path = "/user/notifications"

/** Number of notifications in a step of their list. */
const listStep = 30

/** Time between two reads of the number of unread notifications (ms). */
const interval = 60_000

interface NotificationList extends List<Notification> {
  readonly unread: number
}

export const notificationQueries = {
  unread: () =>
    queryOptions({
      queryKey: ["notifications", "unread"],
      queryFn: async () => (await request<NotificationList>(path, { query: { unread: true, limit: 1 } })).unread,
      refetchInterval: interval
    }),

  list: (onlyUnread: boolean) =>
    infiniteQueryOptions({
      queryKey: ["notifications", "list", onlyUnread],
      queryFn: ({ pageParam }: { pageParam: string | undefined }) =>
        request<NotificationList>(path, {
          query: { ...(onlyUnread && { unread: true }), limit: listStep, page: pageParam }
        }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next }) => next?.page
    }),

  settings: () =>
    queryOptions({
      queryKey: ["notification-settings"],
      queryFn: () => request<NotificationSettings>(`${path}/settings`)
    })
}

const refresh = () => client.invalidateQueries({ queryKey: ["notifications"] })

export const markRead = async (id: string, read: boolean): Promise<void> => {
  // The request is completed although a link leaves the screen.
  await request(`${path}/${id}`, { method: "PATCH", body: { read }, keepalive: true })
  await refresh()
}

/** Marks all notifications up to the newest displayed one as read. */
export const markAllRead = async (newest: string): Promise<void> => {
  await request(`${path}/read`, { body: { until: newest } })
  await refresh()
}

interface SettingsPatch {
  readonly kinds?: Partial<NotificationSettings["kinds"]>
  readonly digestHour?: number
  readonly timeZone?: string
}

/** Changes the settings. They are displayed at once, and as before if the server refuses them. */
export const updateSettings = async (patch: SettingsPatch): Promise<void> => {
  const { queryKey } = notificationQueries.settings()
  const earlier = client.getQueryData(queryKey)
  if (earlier !== undefined)
    client.setQueryData(queryKey, { ...earlier, ...patch, kinds: { ...earlier.kinds, ...patch.kinds } })
  const settings = await request<NotificationSettings>(`${path}/settings`, { method: "PATCH", body: patch }).catch(
    (failure: unknown) => {
      client.setQueryData(queryKey, earlier)
      throw failure
    }
  )
  client.setQueryData(queryKey, settings)
}
