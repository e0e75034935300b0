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
import type { Spec, SpecOperation } from "@lectern/core/computed/SpecParser"
import { type Html, html } from "../html/Html.ts"
import type { ApiMessages } from "../page/messages/Messages.ts"
import type { Server } from "./CallUrl.ts"
import * as Servers from "./Servers.ts"

const maxOrigins = 30

/** Path of forms and calls, below the path of the space. */
export const tryItPath = "~try"

const hasExtension = (name: string, { document }: Spec, { operation }: SpecOperation): boolean =>
  (operation[name] ?? document[name]) === true

const excludedMethods: ReadonlySet<string> = new Set(["hook"])
/** Methods that browsers do not send. */
const excludedVerbs: ReadonlySet<string> = new Set(["trace"])

export interface CallOptions {
  readonly servers: ReadonlyArray<Server>
  readonly isProxied: boolean
}

/** Returns how an operation can be tried. Undefined if calls are disabled or no server can be called. */
export const callOptionsOf = (
  spec: Spec,
  specOperation: SpecOperation,
  { source, hasProxy }: { readonly source?: string | undefined; readonly hasProxy: boolean }
): CallOptions | undefined => {
  if (
    excludedMethods.has(specOperation.method) ||
    excludedVerbs.has(specOperation.verb) ||
    hasExtension("x-hideTryItPanel", spec, specOperation)
  )
    return undefined
  const servers = Servers.serversOf(spec, specOperation, source).filter(
    (server) => Servers.originsOf(server, 1).length > 0
  )
  return servers.length === 0
    ? undefined
    : { servers, isProxied: hasProxy && hasExtension("x-enable-proxy", spec, specOperation) }
}

interface ButtonLocation {
  /** Base path of the space's pages, with a trailing slash. */
  readonly base: string
  /** Id of the page. */
  readonly page: string
  readonly hasProxy: boolean
}

/** Buttons of one rendering of a page. */
export class TryItButtons {
  /** Origins that the page calls. */
  readonly origins = new Set<string>()
  readonly location: ButtonLocation

  constructor(location: ButtonLocation) {
    this.location = location
  }

  render(
    spec: Spec,
    specOperation: SpecOperation,
    {
      name,
      source,
      messages
    }: { readonly name: string; readonly source?: string | undefined; readonly messages: ApiMessages }
  ): Html | undefined {
    const { base, page, hasProxy } = this.location
    const callOptions = callOptionsOf(spec, specOperation, { source, hasProxy })
    if (callOptions === undefined) return undefined
    if (!callOptions.isProxied) {
      const origins = new Set(this.origins)
      for (const server of callOptions.servers)
        for (const origin of Servers.originsOf(server, maxOrigins)) origins.add(origin)
      if (origins.size > maxOrigins) return undefined
      for (const origin of origins) this.origins.add(origin)
    }
    const params = new URLSearchParams({ page, spec: name, method: specOperation.method, path: specOperation.path })
    return html`<lectern-try data-from="${`${base}${tryItPath}?${params}`}"><button type="button">${messages.try.tryIt}</button></lectern-try>`
  }
}
