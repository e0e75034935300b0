/** A runtime whose programs are functions of the test. */
import { IntegrationRuntime } from "@lectern/core/integration/IntegrationRuntime"
import type { LecternOptions } from "@lectern/core/Lectern"
import { Effect, Layer, Stream } from "effect"

/** Response of a program to an event. Default: status 200 without a body. */
export interface ProgramResponse {
  readonly status?: number
  readonly body?: string
  readonly headers?: ReadonlyArray<readonly [string, string]>
}

export type ProgramEvent = { readonly type: string } & { readonly [field: string]: unknown }

/** Returns options of a Lectern that calls `respond` with each event. `wait`: runs before each response. */
export const programs = (
  respond: (event: ProgramEvent) => ProgramResponse,
  wait: Effect.Effect<void> = Effect.void
): LecternOptions => ({
  integrationRuntime: Layer.succeed(
    IntegrationRuntime,
    IntegrationRuntime.of({
      isAvailable: true,
      run: (_, { event }) =>
        Effect.map(wait, () => {
          const { status = 200, body = "", headers = [] } = respond(JSON.parse(event))
          const bytes = new TextEncoder().encode(body)
          return {
            status,
            headers,
            body: Stream.make(bytes),
            bytes: () => Effect.succeed(bytes),
            isDone: true,
            trace: Effect.succeed({ logs: [], exceededLimit: false })
          }
        }),
      stop: () => Effect.void
    })
  )
})
