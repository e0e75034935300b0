/**
 * Addresses at which people open content: `urls.app` of resources, and the links of mails. Default: those of the API. A
 * server with a console has the console's.
 */
import { Context, Effect } from "effect"
import { PublicUrl } from "./PublicUrl.ts"

/** Paths on this server. */
export interface AppPaths {
  readonly space: (space: string) => string
  readonly page: (space: string, page: string) => string
  /** `changeRequest`: id. */
  readonly changeRequest: (space: string, changeRequest: string) => string
  /**
   * Matches the paths of spaces, change requests and pages, with the groups `space`, `changeRequest` (id or number) and
   * `page`. Default: the app has no paths of its own.
   */
  readonly content?: RegExp
}

export const AppPaths = Context.Reference<AppPaths>("@lectern/core/identity/AppPaths", {
  defaultValue: () => ({
    space: (space) => `/v1/spaces/${space}`,
    page: (space, page) => `/v1/spaces/${space}/content/page/${page}`,
    changeRequest: (space, changeRequest) => `/v1/spaces/${space}/change-requests/${changeRequest}`
  })
})

/** Fragment of the URL of a page that opens the page for editing. */
export const editFragment = "edit"

/** URLs in the app, and the public URL of this instance. */
export interface AppUrls extends Omit<AppPaths, "content"> {
  readonly publicUrl: string
}

export const appUrls: Effect.Effect<AppUrls> = Effect.gen(function* () {
  const publicUrl = yield* PublicUrl
  const paths = yield* AppPaths
  return {
    publicUrl,
    space: (space) => publicUrl + paths.space(space),
    page: (space, page) => publicUrl + paths.page(space, page),
    changeRequest: (space, changeRequest) => publicUrl + paths.changeRequest(space, changeRequest)
  }
})
