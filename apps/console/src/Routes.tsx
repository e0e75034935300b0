/**
 * URLs of the console. A screen that needs the editor or the tree of pages is a file of its own, which is loaded when it
 * is needed.
 */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router"
import { Frame } from "./frame/Frame.tsx"
import { NotFound, ScreenProblem } from "./frame/Problem.tsx"
import { SignedIn } from "./frame/SignedIn.tsx"
import { signedInPath } from "./frame/Session.ts"
import { Home } from "./home/Home.tsx"

const root = createRootRoute({ component: Frame, notFoundComponent: NotFound, errorComponent: ScreenProblem })

const home = createRoute({ getParentRoute: () => root, path: "/", component: Home })

const signedIn = createRoute({ getParentRoute: () => root, path: signedInPath, component: SignedIn })

const notifications = createRoute({
  getParentRoute: () => root,
  path: "/notifications",
  component: lazyRouteComponent(() => import("./notification/Notifications.tsx"), "Notifications")
})

const account = createRoute({
  getParentRoute: () => root,
  path: "/account",
  component: lazyRouteComponent(() => import("./account/AccountScreen.tsx"), "AccountScreen")
})

const members = createRoute({
  getParentRoute: () => root,
  path: "/organizations/$organization/members",
  /** `search`: words in the names of the members to list first. */
  validateSearch: ({ search }): { readonly search?: string } => (typeof search === "string" ? { search } : {}),
  component: lazyRouteComponent(() => import("./organization/MembersScreen.tsx"), "MembersScreen")
})

const space = createRoute({
  getParentRoute: () => root,
  path: "/spaces/$space",
  component: lazyRouteComponent(() => import("./space/SpaceScreen.tsx"), "SpaceScreen")
})

const front = createRoute({
  getParentRoute: () => space,
  path: "/",
  component: lazyRouteComponent(() => import("./space/FrontPage.tsx"), "FrontPage")
})

const page = createRoute({
  getParentRoute: () => space,
  path: "/pages/$page",
  component: lazyRouteComponent(() => import("./space/ReadPage.tsx"), "ReadPage")
})

const changeRequests = createRoute({
  getParentRoute: () => space,
  path: "/changes",
  component: lazyRouteComponent(() => import("./change-request/ChangeRequests.tsx"), "ChangeRequests")
})

const changeRequest = createRoute({
  getParentRoute: () => space,
  path: "/changes/$number",
  component: lazyRouteComponent(() => import("./change-request/ChangeRequestScreen.tsx"), "ChangeRequestScreen")
})

const editedPage = createRoute({
  getParentRoute: () => space,
  path: "/changes/$number/pages/$page",
  component: lazyRouteComponent(() => import("./space/EditPage.tsx"), "EditPage")
})

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    signedIn,
    notifications,
    account,
    members,
    space.addChildren([front, page, changeRequests, changeRequest, editedPage])
  ]),
  defaultPreload: "intent",
  scrollRestoration: true
})

declare module "@tanstack/react-router" {
  interface Register {
    readonly router: typeof router
  }
}
