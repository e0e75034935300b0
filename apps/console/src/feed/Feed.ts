/**
 * The feed of events in the console: reads content again after others changed it, instead of looking for changes at times.
 *
 * The tabs of a browser share one connection for each organization. The tab that holds a lock has the connection, and
 * sends the events to the others. When that tab closes, another one continues at the last position. After a failure the
 * connection is opened again, with growing pauses up to 60 seconds. Without a connection, or while a proxy holds its
 * messages back, `useFeedIsLive` is false, and screens look for changes at times.
 *
 * Limits: an event takes effect after 0.3 seconds, together with those that follow until then. One response is read again
 * at most once a second, and the tree of pages every 5 seconds.
 */
import type { QueryKey } from "@tanstack/react-query"
import { useEffect, useSyncExternalStore } from "react"
import { client } from "../api/Queries.ts"
import type { ChangeRequest } from "../api/Resources.ts"
import { isOwnRevision } from "../api/OwnRevisions.ts"
import { type FeedEvent, type OutdatedQuery, outdatedQueries } from "./EventQueries.ts"
import { readStream, type StreamMessages } from "./EventStream.ts"

const effectPause = 300
const minInterval = 1_000
const minTreeInterval = 5_000
const firstPause = 1_000
const maxPause = 60_000
/** Time without a message after which the connection of another tab counts as lost (ms). */
const lifetime = 45_000

type TabMessage = Pick<StreamMessages, "events" | "position"> & { readonly isLive: boolean }

let isLive = false
let expiry: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

const setLive = (live: boolean): void => {
  clearTimeout(expiry)
  if (live) expiry = setTimeout(() => setLive(false), lifetime)
  if (live === isLive) return
  isLive = live
  for (const listener of listeners) listener()
}

/** True while events arrive, so that no screen needs to look for changes. */
export const useFeedIsLive = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isLive
  )

/** Last position in the feed of each organization. */
const positions = new Map<string, string>()

const numberOf = (space: string, changeRequest: string): number | undefined =>
  client
    .getQueriesData<ChangeRequest>({ queryKey: ["change-request", space] })
    .find(([key, data]) => key.length === 3 && data?.id === changeRequest)?.[1]?.number

const lastRead = new Map<string, number>()
const waiting = new Set<string>()

const readAgain = (query: OutdatedQuery): void => {
  const { queryKey } = query
  const name = JSON.stringify(query)
  if (waiting.has(name)) return
  waiting.add(name)
  const interval = isContent(queryKey) ? minTreeInterval : minInterval
  const wait = Math.max(0, (lastRead.get(name) ?? 0) + interval - Date.now())
  setTimeout(() => {
    waiting.delete(name)
    lastRead.set(name, Date.now())
    void client.invalidateQueries(query)
  }, wait)
}

const isContent = ([kind]: QueryKey): boolean => kind === "content"

/** A response to an own write may arrive after its event. */
const handle = (event: FeedEvent): void => {
  setTimeout(() => {
    if (event.revision !== undefined && isOwnRevision(event.revision)) return
    for (const query of outdatedQueries(event, numberOf)) readAgain(query)
  }, effectPause)
}

const pauseOf = (failures: number): number =>
  Math.min(maxPause, firstPause * 2 ** failures) * (0.75 + Math.random() / 2)

const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener("abort", () => {
      clearTimeout(timer)
      resolve()
    })
  })

/** Keeps a connection until the signal. `report` gets all messages, and the loss of the connection. */
const connect = async (
  organization: string,
  signal: AbortSignal,
  report: (message: TabMessage) => void
): Promise<void> => {
  let failures = 0
  while (!signal.aborted) {
    const end = await readStream({
      organization,
      after: positions.get(organization),
      signal,
      onMessages: ({ events, position }) => {
        failures = 0
        report({ events, position, isLive: true })
      }
    }).catch(() => "failed" as const)
    if (signal.aborted) return
    report({ events: [], position: undefined, isLive: false })
    if (end === "expired") {
      positions.delete(organization)
      void client.invalidateQueries()
    }
    // A refusal lasts longer than a failure.
    failures = end === "refused" ? Math.max(failures + 1, 4) : failures + 1
    await pause(pauseOf(failures - 1), signal)
  }
}

/** Follows the events of an organization. Returns a function that ends it. */
const follow = (organization: string): (() => void) => {
  const ending = new AbortController()
  const { signal } = ending
  const name = `lectern-feed-${organization}`
  const channel = new BroadcastChannel(name)
  const receive = ({ events, isLive: live, position }: TabMessage): void => {
    if (position !== undefined) positions.set(organization, position)
    setLive(live)
    for (const event of events) handle(event)
  }
  channel.addEventListener("message", ({ data }: MessageEvent<TabMessage>) => receive(data))
  const run = () =>
    connect(organization, signal, (message) => {
      receive(message)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel is of one origin.
      channel.postMessage(message)
    })
  // Without a secure context there are no locks, and each tab has a connection.
  const { locks } = navigator as { readonly locks?: LockManager }
  void (locks === undefined ? run() : locks.request(name, { signal }, run)).catch(() => undefined)
  return () => {
    ending.abort()
    channel.close()
    setLive(false)
  }
}

/** Follows the events of an organization while a screen is shown. */
export const useFeed = (organization: string | undefined): void =>
  useEffect(() => (organization === undefined ? undefined : follow(organization)), [organization])
