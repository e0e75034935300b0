/**
 * Calls that readers try from the page of an operation. The browser calls the API directly, and the page's policy
 * allows its servers. If the specification sets `x-enable-proxy`, the site's server makes the call instead. The server
 * is never an automatic fallback, since credentials would pass through a third party. Also, a call whose response the
 * browser cannot read would be made twice.
 *
 * `x-hideTryItPanel` disables calls. Both extensions may be set for the whole specification or for an operation, which
 * takes precedence.
 *
 * Limit: 30 server origins per page. Operations beyond the limit have no button.
 */
import type { Spec, SpecOperation } from "@lectern/core/computed/SpecReading"
import { type Html, html } from "../html/Html.ts"
import type { ApiMessages } from "../page/messages/Messages.ts"
import type { Server } from "./CallUrl.ts"
import * as Servers from "./Servers.ts"

const maxOrigins = 30

/** Path of forms and calls, below the path of the space. */
export const tryPath = "~try"

const says = (name: string, { document }: Spec, { operation }: SpecOperation): boolean =>
  (operation[name] ?? document[name]) === true

const untried: ReadonlySet<string> = new Set(["hook"])
/** Methods that browsers do not send. */
const unsent: ReadonlySet<string> = new Set(["trace"])

export interface Tried {
  readonly servers: ReadonlyArray<Server>
  readonly isProxied: boolean
}

/** Returns how an operation can be tried. Undefined if calls are disabled or no server can be called. */
export const of = (
  spec: Spec,
  found: SpecOperation,
  { source, hasProxy }: { readonly source?: string | undefined; readonly hasProxy: boolean }
): Tried | undefined => {
  if (untried.has(found.method) || unsent.has(found.verb) || says("x-hideTryItPanel", spec, found)) return undefined
  const servers = Servers.of(spec, found, source).filter((server) => Servers.originsOf(server, 1).length > 0)
  return servers.length === 0 ? undefined : { servers, isProxied: hasProxy && says("x-enable-proxy", spec, found) }
}

interface Place {
  /** Base path of the space's pages, with a trailing slash. */
  readonly base: string
  /** Id of the page. */
  readonly page: string
  readonly hasProxy: boolean
}

/** Buttons of one rendering of a page. */
export class Buttons {
  /** Origins that the page calls. */
  readonly origins = new Set<string>()
  readonly #place: Place

  constructor(place: Place) {
    this.#place = place
  }

  of(
    spec: Spec,
    found: SpecOperation,
    {
      name,
      source,
      words
    }: { readonly name: string; readonly source?: string | undefined; readonly words: ApiMessages }
  ): Html | undefined {
    const { base, page, hasProxy } = this.#place
    const tried = of(spec, found, { source, hasProxy })
    if (tried === undefined) return undefined
    if (!tried.isProxied) {
      const origins = new Set(this.origins)
      for (const server of tried.servers)
        for (const origin of Servers.originsOf(server, maxOrigins)) origins.add(origin)
      if (origins.size > maxOrigins) return undefined
      for (const origin of origins) this.origins.add(origin)
    }
    const asked = new URLSearchParams({ page, spec: name, method: found.method, path: found.path })
    return html`<lectern-try data-from="${`${base}${tryPath}?${asked}`}"><button type="button">${words.try.tryIt}</button></lectern-try>`
  }
}
