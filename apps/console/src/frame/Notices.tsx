/**
 * Short notices at the lower edge, such as "Deleted" with a button to undo. Screen readers read them out. A notice goes
 * after 8 seconds unless a pointer or the focus is on it. A notice with a progress stays until its work ends.
 */
import { useEffect, useState, useSyncExternalStore } from "react"
import { Button } from "react-aria-components"
import { text } from "../language/Language.ts"
import { Icon } from "./Icon.tsx"

interface Notice {
  readonly id: number
  readonly message: string
  readonly isProblem: boolean
  readonly action?: { readonly label: string; readonly run: () => void }
  /** Part of the work that is done, between 0 and 1. */
  readonly progress?: number
}

const duration = 8_000

let notices: ReadonlyArray<Notice> = []
let nextId = 1
const listeners = new Set<() => void>()

const set = (next: ReadonlyArray<Notice>): void => {
  notices = next
  for (const listener of listeners) listener()
}

const remove = (id: number): void => set(notices.filter((notice) => notice.id !== id))

/** Adds a notice below the last two ones and those with a progress. Returns its id. */
const add = (notice: Omit<Notice, "id">): number => {
  const id = nextId++
  const last = new Set(notices.slice(-2))
  set([...notices.filter((each) => each.progress !== undefined || last.has(each)), { ...notice, id }])
  return id
}

/** Shows a notice. Returns a function that removes it. */
export const notify = (message: string, action?: Notice["action"]): (() => void) => {
  const id = add({ message, isProblem: false, ...(action && { action }) })
  return () => remove(id)
}

/** Shows the message of a failure. */
export const notifyProblem = (failure: unknown): void => {
  add({ message: failure instanceof Error ? failure.message : String(failure), isProblem: true })
}

interface ProgressNotice {
  /** Shows the part of the work that is done, between 0 and 1. */
  readonly update: (progress: number) => void
  readonly end: () => void
}

/** Shows the progress of work, with a button that cancels it. */
export const notifyProgress = (message: string, cancel: () => void): ProgressNotice => {
  const action = { label: text("action.cancel"), run: cancel }
  const id = add({ message, isProblem: false, action, progress: 0 })
  return {
    update: (progress) => set(notices.map((notice) => (notice.id === id ? { ...notice, progress } : notice))),
    end: () => remove(id)
  }
}

const NoticeRow = ({ notice: { id, message, isProblem, action, progress } }: { readonly notice: Notice }) => {
  const [isHeld, hold] = useState(false)
  const stays = isHeld || isProblem || progress !== undefined
  useEffect(() => {
    if (stays) return
    const timer = setTimeout(() => remove(id), duration)
    return () => clearTimeout(timer)
  }, [id, stays])
  return (
    <div
      className={isProblem ? "notice problem" : "notice"}
      onPointerEnter={() => hold(true)}
      onPointerLeave={() => hold(false)}
      onFocus={() => hold(true)}
      onBlur={() => hold(false)}
    >
      <p role={isProblem ? "alert" : undefined}>{message}</p>
      {progress !== undefined && <progress aria-label={message} value={progress} />}
      {action && (
        <Button
          className="plain"
          onPress={() => {
            remove(id)
            action.run()
          }}
        >
          {action.label}
        </Button>
      )}
      {progress === undefined && (
        <Button className="plain square" aria-label={text("action.close")} onPress={() => remove(id)}>
          <Icon name="close" />
        </Button>
      )}
    </div>
  )
}

export const Notices = () => {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => notices
  )
  return (
    <div className="notices" role="status" aria-live="polite" aria-atomic="false">
      {shown.map((notice) => (
        <NoticeRow key={notice.id} notice={notice} />
      ))}
    </div>
  )
}
