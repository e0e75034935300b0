/**
 * Registers a group of endpoints as `HttpApiBuilder.group` does. That one keeps everything that is
 * there when the group is made and copies it into the context of each request, which with all the
 * services of the core costs more than most answers. Handlers have their services when they are made
 * and ask for nothing but who asks, so here a request carries none of them.
 */
import { Clock, Context, Effect, Layer, type Scope } from "effect"
import { HttpApiBuilder } from "effect/http-api"

/** A request is told the time by its own clock (see `ResponseCache`). */
const isService = (key: string): boolean => key.startsWith("@lectern/core/") || key === Clock.Clock.key

const withoutServices = <R>(context: Context.Context<R>): Context.Context<R> =>
  Context.makeUnsafe(new Map(Array.from(context.mapUnsafe).filter(([key]) => !isService(key))))

type Build = (handlers: never) => Effect.Effect<unknown, never, never>

const lean = (api: never, name: never, build: Build) =>
  Layer.effectContext(
    Effect.contextWith((services: Context.Context<never>) =>
      Layer.build(
        HttpApiBuilder.group(api, name, ((handlers: never) =>
          Effect.provideContext(build(handlers), services)) as never)
      ).pipe(Effect.updateContext((context: Context.Context<Scope.Scope>) => withoutServices(context)))
    )
  )

export const group = lean as unknown as typeof HttpApiBuilder.group
