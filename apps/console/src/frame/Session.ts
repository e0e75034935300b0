/**
 * The session of the browser. When it has ended, the console goes to the page for signing in and returns to the same
 * screen. While a text is open in the editor, it stays and shows a dialog instead (see `SignedOutDialog`), so that
 * nothing is lost.
 */
import { useSyncExternalStore } from "react"
import { onSignedOut } from "../api/Api.ts"

const signInPath = "/-/sign-in"

/** Page that reports a sign-in to the other windows of the console. */
export const signedInPath = "/signed-in"

const channelName = "lectern-session"

let holds = 0
let hasEnded = false
const listeners = new Set<() => void>()

const set = (ended: boolean): void => {
  hasEnded = ended
  for (const listener of listeners) listener()
}

export const signInUrl = (returnTo: string): string => `${signInPath}?to=${encodeURIComponent(returnTo)}`

const end = (): void => {
  if (holds > 0) return set(true)
  location.assign(signInUrl(location.pathname + location.search + location.hash))
}

/** Keeps the screen when the session ends. Returns a function that releases it. */
export const holdScreen = (): (() => void) => {
  holds++
  return () => void holds--
}

/** Reports that a request of the editor was refused without a session. */
export const sessionEnded = (): void => end()

/** True while the screen is kept without a session. */
export const useSessionEnded = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => hasEnded
  )

export const signedInAgain = (): void => set(false)

/** Calls the listener when another window has signed in. Returns a function that ends this. */
export const onSignedIn = (listener: () => void): (() => void) => {
  const channel = new BroadcastChannel(channelName)
  channel.addEventListener("message", listener)
  return () => channel.close()
}

export const announceSignIn = (): void => {
  const channel = new BroadcastChannel(channelName)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel is of one origin.
  channel.postMessage("signed-in")
  channel.close()
}

onSignedOut(end)
