/**
 * Calls of an operation that a reader tries from its page. The browser calls the API itself, and the page's policy
 * names its servers; where the specification says `x-enable-proxy` the server of the site calls for it. That is never
 * done of itself: credentials would go through a third party, and a call that the browser only could not read would
 * be made twice.
 *
 * `x-hideTryItPanel` hides it. Both may stand at the root of a specification, and an operation may say otherwise.
 *
 * Limit: 30 origins of servers on a page. Operations beyond have no button.
 */
import type { Spec, SpecOperation } from "@lectern/core/computed/SpecReading"
import { type Html, html } from "../html/Html.ts"
import type { ApiMessages } from "../page/words/Messages.ts"
import type { Server } from "./CallUrl.ts"
import * as Servers from "./Servers.ts"

const maxOrigins = 30

/** Part of a path that stands for calls from pages of the space in front of it. */
export const tryPath = "~try"

const says = (name: string, { document }: Spec, { operation }: SpecOperation): boolean =>
  (operation[name] ?? document[name]) === true

const untried: ReadonlySet<string> = new Set(["hook"])
/** Browsers make no call with it. */
const unsent: ReadonlySet<string> = new Set(["trace"])

export interface Tried {
  readonly servers: ReadonlyArray<Server>
  readonly isProxied: boolean
}

/** Undefined where it is not to be tried, or there is no server to ask. */
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
  /** Path that the pages of the space stand behind; ends with a slash. */
  readonly base: string
  /** Id of the page. */
  readonly page: string
  readonly hasProxy: boolean
}

/** The buttons of one drawing of a page. */
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
