/** Requests of strangers to integrations, at the origin of their own. */
import * as IntegrationsApp from "@lectern/http/server/IntegrationsApp"
import * as WebHandler from "@lectern/http/server/WebHandler"
import { Effect } from "effect"

export interface OutsideAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Asks at a URL as it stands, without following where it leads. */
export const outside = Effect.fnUntraced(function* (url: string, init: RequestInit = {}) {
  const fetch = yield* WebHandler.make({ respond: yield* IntegrationsApp.make })
  return yield* Effect.promise(async (): Promise<OutsideAnswer> => {
    const response = await fetch(new Request(url, init))
    return { status: response.status, headers: response.headers, text: await response.text() }
  })
})
