/**
 * Dialog for a session that has ended while a text is open. The user signs in in another window. This window
 * then sends the text, unless the session is one of another user.
 */
import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import { Button } from "react-aria-components"
import { request } from "../api/Api.ts"
import { queries } from "../api/Queries.ts"
import type { User } from "../api/Resources.ts"
import { text } from "../language/Language.ts"
import { onSignedIn, signedInAgain, signedInPath, signInUrl, useSessionEnded } from "./Session.ts"
import { Window } from "./Window.tsx"

export const SignedOutDialog = () => {
  const hasEnded = useSessionEnded()
  const client = useQueryClient()
  const [other, setOther] = useState<string>()
  const isChecking = useRef(false)

  useEffect(() => {
    if (!hasEnded) return
    const check = async () => {
      if (isChecking.current || document.visibilityState === "hidden") return
      isChecking.current = true
      const user = await request<User>("/user").catch(() => undefined)
      isChecking.current = false
      if (user === undefined) return
      const earlier = client.getQueryData(queries.me().queryKey)
      if (earlier !== undefined && earlier.id !== user.id) return setOther(user.displayName)
      setOther(undefined)
      signedInAgain()
      void client.invalidateQueries()
    }
    const end = onSignedIn(() => void check())
    const onVisible = () => void check()
    addEventListener("focus", onVisible)
    document.addEventListener("visibilitychange", onVisible)
    return () => {
      end()
      removeEventListener("focus", onVisible)
      document.removeEventListener("visibilitychange", onVisible)
    }
  }, [client, hasEnded])

  return (
    <Window title={text("session.ended")} isOpen={hasEnded} canClose={false} onClose={() => undefined}>
      <p>{text("session.endedText")}</p>
      {other !== undefined && (
        <p className="field-problem" role="alert">
          {text("session.other", { name: other })}
        </p>
      )}
      <div className="buttons">
        <Button className="control primary" autoFocus onPress={() => window.open(signInUrl(signedInPath), "_blank")}>
          {text("session.signIn")}
        </Button>
      </div>
    </Window>
  )
}
