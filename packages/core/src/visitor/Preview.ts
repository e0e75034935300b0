/**
 * Preview of a site as visitors see it, for users who may see the unpublished site. A preview of a change request shows
 * its content instead of the published content of its space. Its path is below the address of the site, at `~/preview/`
 * or `~/changes/{change request}/`, and so are all links in it.
 *
 * Default: a preview ends after one hour.
 */
import { Duration, Schema } from "effect"
import type { UserId } from "../user/User.ts"

export const previewDuration = Duration.hours(1)

export const Preview = Schema.Struct({
  /** The user who sees the preview, with their current permissions; absent for the host. */
  user: Schema.optionalKey(Schema.String),
  changeRequest: Schema.optionalKey(
    Schema.Struct({
      id: Schema.String,
      space: Schema.String,
      /** Name in URLs: the number, or the id if the site has several spaces. */
      name: Schema.String
    })
  ),
  /** Seconds since the epoch. */
  expiresAt: Schema.Int
})
export type Preview = typeof Preview.Type

/** Returns the actor whose permissions apply to a preview. */
export const viewer = ({ user }: Preview, organization: string) =>
  user === undefined ? ({ type: "host" } as const) : ({ type: "user", user: user as UserId, organization } as const)

/** Path below a site, split into the prefix of a preview and the rest. */
export interface PreviewPath {
  /** The change request; absent for a preview of the published content. */
  readonly changeRequest?: string
  /** Prefix with a trailing slash. */
  readonly path: string
  readonly rest: ReadonlyArray<string>
}

/** Returns the preview that a path below a site names. Undefined for a path without a preview. */
export const previewPathIn = ([marker, kind, name, ...rest]: ReadonlyArray<string>): PreviewPath | undefined => {
  if (marker !== "~") return undefined
  if (kind === "preview") return { path: "~/preview/", rest: name === undefined ? [] : [name, ...rest] }
  if (kind !== "changes" || name === undefined) return undefined
  return { changeRequest: name, path: pathTo(name), rest }
}

const pathTo = (changeRequest: string) => `~/changes/${encodeURIComponent(changeRequest)}/`

/** Returns the path of a preview below its site, with a trailing slash. */
export const pathOf = ({ changeRequest }: Pick<Preview, "changeRequest">): string =>
  changeRequest === undefined ? "~/preview/" : pathTo(changeRequest.name)
