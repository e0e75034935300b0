/**
 * Services that bring the services that they stand on.
 *
 * ```ts
 * static readonly layer = wired(Reviews, make, [Events.layer, SpacePolicy.layer])
 * ```
 *
 * The layer is what `Layer.effect` and `Layer.provide` would make, and does the same wherever it is used. Beside
 * that, what it is made of is known, so `together` builds many such layers one after another, each service once,
 * without a fiber, a scope and an entry of the memo map for every place where one stands on another: there are a
 * thousand of those, and every Lectern that is opened pays for them.
 */
import { Context, Effect, Layer, type Scope } from "effect"

type AnyLayer = Layer.Layer<never, unknown, unknown>

/**
 * Services that a layer still needs which brings the layers that it stands on. There is no name for the whole type of
 * such a layer: a declaration would say it with all that is below, at every place where one stands on another.
 */
type Needs<R, On extends ReadonlyArray<AnyLayer>> =
  | Exclude<R, Scope.Scope | Layer.Success<On[number]>>
  | Layer.Services<On[number]>

/** Parts of a wired layer. Without a service it does something and offers nothing. */
interface Wiring {
  readonly service: Context.Key<unknown, unknown> | undefined
  readonly make: Effect.Effect<unknown, unknown, unknown>
  readonly on: ReadonlyArray<AnyLayer>
}

const wirings = new WeakMap<AnyLayer, Wiring>()

const known = <L extends AnyLayer>(layer: L, wiring: Wiring): L => {
  wirings.set(layer, wiring)
  return layer
}

export const wired = <I, S, E, R, const On extends ReadonlyArray<AnyLayer> = readonly []>(
  service: Context.Key<I, S>,
  make: Effect.Effect<NoInfer<S>, E, R>,
  on?: On
): Layer.Layer<I, E | Layer.Error<On[number]>, Needs<R, On>> =>
  known(provided<I, E, R, On>(Layer.effect(service, make), on), { service, make, on: on ?? [] })

/** The same for what only does something when a Lectern begins, for instance follows events. */
export const wiredDiscard = <X, E, R, const On extends ReadonlyArray<AnyLayer> = readonly []>(
  make: Effect.Effect<X, E, R>,
  on?: On
): Layer.Layer<never, E | Layer.Error<On[number]>, Needs<R, On>> =>
  known(provided<never, E, R, On>(Layer.effectDiscard(make), on), { service: undefined, make, on: on ?? [] })

const provided = <A, E, R, On extends ReadonlyArray<AnyLayer>>(
  layer: Layer.Layer<A, E, Exclude<R, Scope.Scope>>,
  on: On | undefined
) => {
  const [first, ...others] = on ?? []
  return (first === undefined ? layer : Layer.provide(layer, [first, ...others])) as Layer.Layer<
    A,
    E | Layer.Error<On[number]>,
    Needs<R, On>
  >
}

/** Wired layers as one, and what they stand on. Fails to load where one is not wired. */
export const together = <L extends AnyLayer>(layers: ReadonlyArray<L>) => {
  const order = inOrder(layers)
  const build = Effect.gen(function* () {
    const made = new Map<string, unknown>()
    let context = yield* Effect.context<unknown>()
    for (const { service, make } of order) {
      const one = yield* Effect.updateContext(make, () => context)
      if (service === undefined) continue
      made.set(service.key, one)
      context = Context.add(context, service, one)
    }
    return Context.makeUnsafe<Layer.Success<L>>(made)
  })
  return Layer.effectContext(build) as Layer.Layer<Layer.Success<L>, Layer.Error<L>, Layer.Services<L>>
}

/** Parts of all the layers, each behind all that it stands on. */
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
