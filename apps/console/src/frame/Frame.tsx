/** The frame of all screens: the bar at the top with the menu of the account, and the screen below it. */
import { useQuery } from "@tanstack/react-query"
import { Link, Outlet, useRouter, useRouterState } from "@tanstack/react-router"
import { lazy, Suspense, useEffect, useRef } from "react"
import { RouterProvider } from "react-aria-components"
import { queries } from "../api/Queries.ts"
import { text } from "../language/Language.ts"
import { Bell } from "../notification/Bell.tsx"
import { PaletteButton } from "../palette/PaletteButton.tsx"
import { Avatar } from "./Avatar.tsx"
import { signedInPath, useSessionEnded } from "./Session.ts"

const AccountMenu = lazy(async () => ({ default: (await import("./AccountMenu.tsx")).AccountMenu }))
const SignedOutDialog = lazy(async () => ({ default: (await import("./SignedOutDialog.tsx")).SignedOutDialog }))

export const Frame = () => {
  const hasSessionEnded = useSessionEnded()
  const router = useRouter()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const { data: user } = useQuery({ ...queries.me(), enabled: path !== signedInPath })
  const main = useRef<HTMLElement>(null)
  const lastPath = useRef(path)
  // A reader of the screen hears where it is after a change of the screen, unless the new screen took the focus.
  useEffect(() => {
    if (lastPath.current === path) return
    lastPath.current = path
    if (document.activeElement === document.body) main.current?.focus()
  }, [path])
  if (path === signedInPath) return <Outlet />
  return (
    <RouterProvider navigate={(to) => void router.navigate({ href: to })}>
      <a className="skip" href="#main">
        {text("frame.skip")}
      </a>
      <header className="bar">
        <Link to="/" className="brand">
          Lectern
        </Link>
        <div id="bar-place" className="bar-place" />
        <div id="bar-actions" className="bar-actions" />
        {user && (
          <>
            <PaletteButton />
            <Bell />
            {/* The menu comes after the first screen. */}
            <Suspense
              fallback={
                <span className="avatar">
                  <Avatar name={user.displayName} />
                </span>
              }
            >
              <AccountMenu user={user} />
            </Suspense>
          </>
        )}
      </header>
      <main id="main" tabIndex={-1} ref={main}>
        <Outlet />
      </main>
      {hasSessionEnded && (
        <Suspense>
          <SignedOutDialog />
        </Suspense>
      )}
    </RouterProvider>
  )
}
