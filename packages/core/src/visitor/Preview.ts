/**
 * A preview of a site: as visitors would see it, for someone who may see the site at work, published or not. One of a
 * change request shows its content in place of what is published of its space. It stands below the address of the
 * site, at `~/preview/` or `~/changes/{change request}/`, and so do all links within it.
 *
 * Default: a preview ends after one hour.
 */
import { Duration, Schema } from "effect"
import type { UserId } from "../user/User.ts"

export const lasts = Duration.hours(1)

export const Preview = Schema.Struct({
  /** The user who sees it, with what that one may see now; absent for the host. */
  user: Schema.optionalKey(Schema.String),
  changeRequest: Schema.optionalKey(
    Schema.Struct({
      id: Schema.String,
      space: Schema.String,
      /** As it stands in URLs: its number, or its id where the site has several spaces. */
      name: Schema.String
    })
  ),
  /** Epoch seconds. */
  expiresAt: Schema.Int
})
export type Preview = typeof Preview.Type

/** Actor that a preview is shown to, as far as its rights go. */
export const viewer = ({ user }: Preview, organization: string) =>
  user === undefined ? ({ type: "host" } as const) : ({ type: "user", user: user as UserId, organization } as const)

/** Segments of a path below a site, apart: those that name a preview, and the rest. */
export interface Asked {
  /** The change request; absent where none is named. */
  readonly changeRequest?: string
  /** With a slash at its end. */
  readonly path: string
  readonly rest: ReadonlyArray<string>
}

/** Undefined for a path that names no preview. */
export const askedIn = ([mark, kind, name, ...rest]: ReadonlyArray<string>): Asked | undefined => {
  if (mark !== "~") return undefined
  if (kind === "preview") return { path: "~/preview/", rest: name === undefined ? [] : [name, ...rest] }
  if (kind !== "changes" || name === undefined) return undefined
  return { changeRequest: name, path: pathTo(name), rest }
}

const pathTo = (changeRequest: string) => `~/changes/${encodeURIComponent(changeRequest)}/`

/** Path of a preview below its site, with a slash at its end. */
export const pathOf = ({ changeRequest }: Pick<Preview, "changeRequest">): string =>
  changeRequest === undefined ? "~/preview/" : pathTo(changeRequest.name)
