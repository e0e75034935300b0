/**
 * Makes a program of functions, one for each event that it listens to: reads what comes as a form with
 * `event`, `environment` and the body of a request, and answers as the caller of programs expects it.
 * What nothing listens to is answered 406, which says that it does not matter.
 */
import type { Element } from "./ContentKit.ts"
import type { Environment } from "./Environment.ts"
import type { Event, EventOf, Render, Values } from "./Event.ts"

export interface Asked {
  readonly environment: Environment
  /** The request that a `fetch` is about. */
  readonly request: Request
  /** Goes on behind the answer, for a minute at most. */
  readonly waitUntil: (work: Promise<unknown>) => void
}

/** Result of a component: an element to show, or the end of the dialog that it was opened in. */
export type Drawn =
  | {
      readonly element: Element
      readonly state?: Values
      readonly props?: Values
      /** For how many seconds it stays as it is. */
      readonly maxAge?: number
    }
  | { readonly done: true }

export type Component = (event: Render, asked: Asked) => Drawn | Promise<Drawn>

type Listeners = {
  readonly [Type in Exclude<Event["type"], "ui_render">]?: (
    event: EventOf<Type>,
    asked: Asked
  ) => Response | void | Promise<Response | void>
}

/** The request can't be served; the sentence is for whoever made it. */
export class Refused extends Error {
  readonly status: number

  constructor(message: string, status = 400) {
    super(message)
    this.status = status
  }
}

const drawing = async (event: Render, asked: Asked, components: { readonly [id: string]: Component }) => {
  const component = Object.hasOwn(components, event.componentId) ? components[event.componentId] : undefined
  if (component === undefined) throw new Refused(`There is no component ${event.componentId}`, 404)
  const drawn = await component(event, asked)
  if ("done" in drawn) return Response.json({ type: "complete" })
  const { element, state = {}, props = event.props, maxAge } = drawn
  return Response.json(
    { type: "element", element, state, props },
    maxAge === undefined ? {} : { headers: { "cache-control": `max-age=${maxAge}` } }
  )
}

const requestOf = (event: Event, body: unknown): Request => {
  if (event.type !== "fetch") return new Request("http://none/")
  const { method, url, headers } = event.request
  return new Request(url, { method: method.toUpperCase(), headers, body: body instanceof Blob ? body : null })
}

export const integration = (
  listeners: Listeners & {
    /** Components by the ids of its manifest. */
    readonly components?: { readonly [id: string]: Component }
  }
) => ({
  fetch: async (delivered: Request, _: unknown, context: Pick<Asked, "waitUntil">): Promise<Response> => {
    const form = await delivered.formData()
    const event = JSON.parse(String(form.get("event"))) as Event
    const environment = JSON.parse(String(form.get("environment"))) as Environment
    const asked: Asked = {
      environment,
      request: requestOf(event, form.get("fetch-body")),
      waitUntil: (work) => context.waitUntil(work)
    }
    try {
      if (event.type === "ui_render") return await drawing(event, asked, listeners.components ?? {})
      const listener = listeners[event.type] as ((event: Event, asked: Asked) => Promise<Response | void>) | undefined
      if (listener === undefined) return Response.json({ error: `Nothing listens to ${event.type}` }, { status: 406 })
      return (await listener(event, asked)) ?? new Response("OK")
    } catch (error) {
      if (error instanceof Refused) return Response.json({ error: error.message }, { status: error.status })
      throw error
    }
  }
})
