/** Page after a sign-in in a window of its own (see `SignedOutDialog`). It closes itself. */
import { useEffect } from "react"
import { text } from "../language/Language.ts"
import { announceSignIn } from "./Session.ts"

export const SignedIn = () => {
  useEffect(() => {
    announceSignIn()
    window.close()
  }, [])
  return (
    <main className="empty">
      <h1>{text("session.done")}</h1>
      <p>{text("session.doneText")}</p>
    </main>
  )
}
