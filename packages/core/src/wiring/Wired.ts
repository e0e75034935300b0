/**
 * Layers of services that include the layers of their dependencies.
 *
 * ```ts
 * static readonly layer = wired(Reviews, make, [Events.layer, SpacePolicy.layer])
 * ```
 *
 * The result is the layer of `Layer.effect` and `Layer.provide`. In addition its parts are registered, so that
 * `combineLayers` can build many layers in sequence, each service once. This avoids a fiber, a scope and a memo map
 * entry for each of about a thousand dependencies, whenever a Lectern is opened.
 */
import { Context, Effect, Layer, type Scope } from "effect"

type AnyLayer = Layer.Layer<never, unknown, unknown>

/**
 * Requirements that remain after the dependencies are provided. A named type for the whole layer would print all nested
 * layers in declarations.
 */
type Requirements<R, On extends ReadonlyArray<AnyLayer>> =
  | Exclude<R, Scope.Scope | Layer.Success<On[number]>>
  | Layer.Services<On[number]>

/** Parts of a wired layer. Without `service`, the layer only runs an effect. */
interface Wiring {
  readonly service: Context.Key<unknown, unknown> | undefined
  readonly make: Effect.Effect<unknown, unknown, unknown>
  readonly on: ReadonlyArray<AnyLayer>
}

const wirings = new WeakMap<AnyLayer, Wiring>()

const register = <L extends AnyLayer>(layer: L, wiring: Wiring): L => {
  wirings.set(layer, wiring)
  return layer
}

export const wired = <I, S, E, R, const On extends ReadonlyArray<AnyLayer> = readonly []>(
  service: Context.Key<I, S>,
  make: Effect.Effect<NoInfer<S>, E, R>,
  on?: On
): Layer.Layer<I, E | Layer.Error<On[number]>, Requirements<R, On>> =>
  register(provided<I, E, R, On>(Layer.effect(service, make), on), { service, make, on: on ?? [] })

/**
 * Like `wired`, for an effect that runs when a Lectern opens and provides no service, such as a subscription to events.
 */
export const wiredDiscard = <X, E, R, const On extends ReadonlyArray<AnyLayer> = readonly []>(
  make: Effect.Effect<X, E, R>,
  on?: On
): Layer.Layer<never, E | Layer.Error<On[number]>, Requirements<R, On>> =>
  register(provided<never, E, R, On>(Layer.effectDiscard(make), on), { service: undefined, make, on: on ?? [] })

const provided = <A, E, R, On extends ReadonlyArray<AnyLayer>>(
  layer: Layer.Layer<A, E, Exclude<R, Scope.Scope>>,
  on: On | undefined
) => {
  const [first, ...rest] = on ?? []
  return (first === undefined ? layer : Layer.provide(layer, [first, ...rest])) as Layer.Layer<
    A,
    E | Layer.Error<On[number]>,
    Requirements<R, On>
  >
}

/** Combines wired layers and their dependencies into one layer. Throws if a layer is not wired. */
export const combineLayers = <L extends AnyLayer>(layers: ReadonlyArray<L>) => {
  const order = inOrder(layers)
  const build = Effect.gen(function* () {
    const built = new Map<string, unknown>()
    let context = yield* Effect.context<unknown>()
    for (const { service, make } of order) {
      const one = yield* Effect.updateContext(make, () => context)
      if (service === undefined) continue
      built.set(service.key, one)
      context = Context.add(context, service, one)
    }
    return Context.makeUnsafe<Layer.Success<L>>(built)
  })
  return Layer.effectContext(build) as Layer.Layer<Layer.Success<L>, Layer.Error<L>, Layer.Services<L>>
}

/** Returns the parts of all layers, dependencies first. */
const inOrder = (layers: ReadonlyArray<AnyLayer>): ReadonlyArray<Wiring> => {
  const order = new Map<AnyLayer, Wiring>()
  const visit = (layer: AnyLayer) => {
    if (order.has(layer)) return
    const wiring = wirings.get(layer)
    if (wiring === undefined) throw new Error("A layer of the core must be wired")
    wiring.on.forEach(visit)
    order.set(layer, wiring)
  }
  layers.forEach(visit)
  return [...order.values()]
}
