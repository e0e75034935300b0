/**
 * Registers a group of endpoints as `HttpApiBuilder.group` does. That one keeps everything that is
 * there when the group is made and copies it into the context of each request, which with all the
 * services of the core costs more than most answers. Handlers have their services when they are made
 * and ask for nothing but who asks, so here a request is given the middleware of its group and nothing else.
 */
import { Context, Effect, Layer, Scope } from "effect"
import { type HttpApi, HttpApiBuilder } from "effect/http-api"

const middlewareOf = <R>(api: HttpApi.Top, name: string, services: Context.Context<R>): Context.Context<R> => {
  const endpoints = Object.values(api.groups[name]!.endpoints)
  const keys = new Set(endpoints.flatMap(({ middlewares }) => Array.from(middlewares, ({ key }) => key)))
  // A request has its own in place of this one.
  keys.add(Scope.Scope.key)
  return Context.makeUnsafe(new Map(Array.from(services.mapUnsafe).filter(([key]) => keys.has(key))))
}

type Build = (handlers: never) => Effect.Effect<unknown, never, never>

const lean = (api: HttpApi.Top, name: string, build: Build) =>
  Layer.effectContext(
    Effect.contextWith((services: Context.Context<never>) =>
      Layer.build(
        HttpApiBuilder.group(
          api as never,
          name as never,
          ((handlers: never) => Effect.provideContext(build(handlers), services)) as never
        )
      ).pipe(Effect.updateContext((context: Context.Context<Scope.Scope>) => middlewareOf(api, name, context)))
    )
  )

export const group = lean as unknown as typeof HttpApiBuilder.group
