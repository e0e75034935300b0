/**
 * Short notices at the lower edge, such as "Deleted" with a button to undo. Screen readers read them out. A notice goes
 * after 8 seconds unless a pointer or the focus is on it.
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

/** Shows a notice. Returns a function that removes it. */
export const notify = (message: string, action?: Notice["action"]): (() => void) => {
  const id = nextId++
  set([...notices.slice(-2), { id, message, isProblem: false, ...(action && { action }) }])
  return () => remove(id)
}

/** Shows the message of a failure. */
export const notifyProblem = (failure: unknown): void =>
  set([
    ...notices.slice(-2),
    { id: nextId++, message: failure instanceof Error ? failure.message : String(failure), isProblem: true }
  ])

const NoticeRow = ({ notice: { id, message, isProblem, action } }: { readonly notice: Notice }) => {
  const [isHeld, hold] = useState(false)
  useEffect(() => {
    if (isHeld || isProblem) return
    const timer = setTimeout(() => remove(id), duration)
    return () => clearTimeout(timer)
  }, [id, isHeld, isProblem])
  return (
    <div
      className={isProblem ? "notice problem" : "notice"}
      onPointerEnter={() => hold(true)}
      onPointerLeave={() => hold(false)}
      onFocus={() => hold(true)}
      onBlur={() => hold(false)}
    >
      <p role={isProblem ? "alert" : undefined}>{message}</p>
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
      <Button className="plain square" aria-label={text("action.close")} onPress={() => remove(id)}>
        <Icon name="close" />
      </Button>
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
