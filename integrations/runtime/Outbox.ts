/**
 * Sends messages to the configured receiver of an installation, with retries: the first retry in this process, further ones
 * as scheduled tasks, which survive the process.
 *
 * Limits: 10 seconds for a response; retries after 1 and 15 seconds, 1, 5 and 30 minutes, 2, 8 and 24 hours. A `Retry-After`
 * of up to a day extends a delay.
 */
import type { EventOf, Values } from "./Event.ts"
import { type RequestContext, Refused } from "./Integration.ts"
import { InterfaceFailed, interfaceOf } from "./Interface.ts"

const timeout = 10_000
const atOnce = 1_000
/** Delays of the retries in seconds. */
const pauses = [15, 60, 5 * 60, 30 * 60, 2 * 3600, 8 * 3600, 24 * 3600]

/** Creates the request that delivers a message, or returns undefined if no receiver is configured. */
export type Address<Message> = (
  message: Message,
  configuration: Values
) => Request | undefined | Promise<Request | undefined>

/** Outcome of a delivery. `after`: `Retry-After` of the receiver in seconds, or 0. */
type Outcome =
  | { readonly type: "arrived" | "refused" | "timed-out" }
  | { readonly type: "failed"; readonly after: number }

const maxPause = 24 * 3600

/** Parses `Retry-After`, a number of seconds or a date, to seconds. */
const secondsIn = (retryAfter: string | null): number => {
  if (retryAfter === null) return 0
  const seconds = /^\d+$/.test(retryAfter)
    ? Number(retryAfter)
    : /^[A-Z][a-z]{2}/.test(retryAfter)
      ? Math.ceil((Date.parse(retryAfter) - Date.now()) / 1000)
      : 0
  return seconds > 0 ? Math.min(seconds, maxPause) : 0
}

const post = async (request: Request): Promise<Outcome> => {
  try {
    const response = await fetch(request, { redirect: "manual", signal: AbortSignal.timeout(timeout) })
    const { status, headers } = response
    await response.body?.cancel()
    if (status >= 200 && status < 300) return { type: "arrived" }
    console.warn(`It answered ${status}`)
    return status === 408 || status === 425 || status === 429 || status >= 500
      ? { type: "failed", after: secondsIn(headers.get("retry-after")) }
      : { type: "refused" }
  } catch (error) {
    console.warn(`It did not answer: ${String(error)}`)
    return error instanceof Error && error.name === "TimeoutError"
      ? { type: "timed-out" }
      : { type: "failed", after: 0 }
  }
}

const isTask = (
  task: Values
): task is { readonly message: Values; readonly installation: string; readonly tried: number } =>
  typeof task["message"] === "object" && typeof task["installation"] === "string" && typeof task["tried"] === "number"

export const outbox = <Message extends object>(address: Address<Message>) => {
  /** Schedules a task for the next retry, if one is left. `attemptCount`: number of earlier retries by tasks. */
  const putOff = async (
    outcome: Outcome,
    { environment }: RequestContext,
    message: Message,
    installation: string,
    attemptCount: number
  ) => {
    if (outcome.type === "arrived" || outcome.type === "refused") return
    const pause = pauses[attemptCount]
    if (pause === undefined) return console.error("Given up")
    const schedule = outcome.type === "failed" ? Math.max(pause, outcome.after) : pause
    const { name } = environment.integration
    const task = { message, installation, tried: attemptCount + 1 }
    await interfaceOf(environment, "integration")("POST", `/integrations/${name}/tasks`, { task, schedule })
  }

  const send = async (context: RequestContext, message: Message, configuration: Values) => {
    const first = await address(message, configuration)
    if (first === undefined) return
    let outcome = await post(first)
    if (outcome.type === "failed" && outcome.after * 1000 <= atOnce) {
      await new Promise((done) => setTimeout(done, atOnce))
      outcome = await post((await address(message, configuration))!)
    }
    const { installation } = context.environment
    if (installation !== undefined) await putOff(outcome, context, message, installation.id, 0)
  }

  return {
    /** Sends a message after the response to the event. */
    send: (
      context: RequestContext,
      message: Message,
      configuration = context.environment.installation?.configuration ?? {}
    ) =>
      context.waitUntil(
        send(context, message, configuration).catch((error: unknown) =>
          console.error("It could not be put off:", error)
        )
      ),

    /** Handles the task of a retry, with the current configuration. */
    task: async ({ task }: EventOf<"task">, context: RequestContext) => {
      if (!isTask(task)) throw new Refused("This task is none of its own")
      const { installation: id, tried } = task
      const message = task.message as Message
      const { name } = context.environment.integration
      const installation = await interfaceOf(context.environment, "integration")<{
        readonly status: string
        readonly configuration: Values
      }>("GET", `/integrations/${name}/installations/${id}`).catch((error: unknown) => {
        if (error instanceof InterfaceFailed && error.status === 404) return undefined
        throw error
      })
      if (installation === undefined || installation.status !== "active") return
      const request = await address(message, installation.configuration)
      if (request === undefined) return
      await putOff(await post(request), context, message, id, tried)
    }
  }
}
