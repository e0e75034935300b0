/**
 * Creates a program from handlers, one for each event type. Parses the form with `event`, `environment` and the body of a
 * request, and converts the result of the handler to a response. Events without a handler get status 406, which Lectern
 * ignores.
 */
import type { Element } from "./ContentKit.ts"
import type { Environment } from "./Environment.ts"
import type { Event, EventOf, Render, Values } from "./Event.ts"

export interface RequestContext {
  readonly environment: Environment
  /** Request of a `fetch` event. */
  readonly request: Request
  /** Continues work after the response, for at most a minute. */
  readonly waitUntil: (work: Promise<unknown>) => void
}

/** Result of a component: an element to show, or the end of the dialog that it was opened in. */
export type Rendered =
  | {
      readonly element: Element
      readonly state?: Values
      readonly props?: Values
      /** Cache lifetime of the element in seconds. */
      readonly maxAge?: number
    }
  | { readonly done: true }

export type Component = (event: Render, context: RequestContext) => Rendered | Promise<Rendered>

type Listeners = {
  readonly [Type in Exclude<Event["type"], "ui_render">]?: (
    event: EventOf<Type>,
    context: RequestContext
  ) => Response | void | Promise<Response | void>
}

/** Raised to refuse a request. The message is sent to the client. */
export class Refused extends Error {
  readonly status: number

  constructor(message: string, status = 400) {
    super(message)
    this.status = status
  }
}

const renderComponent = async (
  event: Render,
  context: RequestContext,
  components: { readonly [id: string]: Component }
) => {
  const component = Object.hasOwn(components, event.componentId) ? components[event.componentId] : undefined
  if (component === undefined) throw new Refused(`There is no component ${event.componentId}`, 404)
  const rendered = await component(event, context)
  if ("done" in rendered) return Response.json({ type: "complete" })
  const { element, state = {}, props = event.props, maxAge } = rendered
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
    /** Components by their ids in the manifest. */
    readonly components?: { readonly [id: string]: Component }
  }
) => ({
  fetch: async (delivered: Request, _: unknown, runtime: Pick<RequestContext, "waitUntil">): Promise<Response> => {
    const formData = await delivered.formData()
    const event = JSON.parse(String(formData.get("event"))) as Event
    const environment = JSON.parse(String(formData.get("environment"))) as Environment
    const context: RequestContext = {
      environment,
      request: requestOf(event, formData.get("fetch-body")),
      waitUntil: (work) => runtime.waitUntil(work)
    }
    try {
      if (event.type === "ui_render") return await renderComponent(event, context, listeners.components ?? {})
      const listener = listeners[event.type] as
        | ((event: Event, context: RequestContext) => Promise<Response | void>)
        | undefined
      if (listener === undefined) return Response.json({ error: `Nothing listens to ${event.type}` }, { status: 406 })
      return (await listener(event, context)) ?? new Response("OK")
    } catch (error) {
      if (error instanceof Refused) return Response.json({ error: error.message }, { status: error.status })
      throw error
    }
  }
})
