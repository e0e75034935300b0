/**
 * Path of a host at which a handler is mounted: `/help`, or a URL with this path (`https://acme.com/help`) if readers
 * see another origin than the server.
 */
import { Effect } from "effect"
import { InvalidInput } from "./schema/Input.ts"

export interface MountPath {
  /** Path with slashes at both ends. */
  readonly pathname: string
  /** Origin that readers see. Default: the origin of each request. */
  readonly origin?: string
}

/** Without `;`, which ends the path of a cookie, and `\`, which a URL reads as a slash. */
const pattern = /^(?:\/|https?:\/\/)(?!\/)[^?#;\\]*$/

/** Parses the option `at` of a handler. Fails with `InvalidInput` if it is neither a path nor a URL. */
export const parse = (at: string): Effect.Effect<MountPath, InvalidInput> => {
  const url = pattern.test(at) ? URL.parse(at.replace(/\/*$/, "/"), "http://localhost") : null
  if (url === null) {
    const message = "Expected a path such as /help, or a URL such as https://acme.com/help"
    return Effect.fail(new InvalidInput({ issues: [{ path: "at", message }] }))
  }
  return Effect.succeed({ pathname: url.pathname, ...(!at.startsWith("/") && { origin: url.origin }) })
}

/** Returns true for the path itself, with and without its trailing slash, and for paths below it. */
export const contains = ({ pathname }: MountPath, requestedPath: string): boolean =>
  `${requestedPath}/`.startsWith(pathname)
