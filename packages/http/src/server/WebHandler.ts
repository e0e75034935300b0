/** The application as a function from `Request` to `Response`. A client that hangs up interrupts its request. */
import type { Context } from "effect"
import { HttpEffect } from "effect/http"
import type { HttpApp } from "./HttpApp.ts"

export type WebHandler = (request: Request, context?: Context.Context<never>) => Promise<Response>

export const make = ({ answer, kept }: HttpApp): WebHandler => {
  const handler = HttpEffect.toWebHandler(answer)
  if (kept === undefined) return handler
  return (request, context) => {
    const { host, pathname, search } = new URL(request.url)
    const { method } = request
    const headers = { host, ...Object.fromEntries(request.headers) }
    const found = kept({ method, url: pathname + search, headers }, request)
    if (found === undefined) return handler(request, context)
    return Promise.resolve(new Response(found.body as BodyInit | undefined, found))
  }
}
