/**
 * Converts a service for hosts that do not use Effect: effects become promises, and failures are thrown. The thrown
 * value is the declared error, so `instanceof SpaceNotFound` and `error.name === "SpaceNotFound"` both work. In addition
 * it has the name of the method (`error.operation === "spaces.get"`), and its stack trace shows the caller.
 *
 * Secrets (`Redacted`) become plain text if they are a result or a field of one. Ids are accepted as plain strings.
 * Times in arguments may be a `Date` or an ISO string.
 * Functions in arguments (an argument itself, a field of options, or a field of list items) may return promises where
 * the service expects effects. Other values are unchanged.
 */
import { type Brand, Effect, Redacted } from "effect"
import type { InputTime } from "./schema/InputTime.ts"
import type { Timestamp } from "./schema/Text.ts"

/** Replaces branded strings in a type by plain strings, and times by strings or dates. */
export type Unbranded<T> = T extends string
  ? T extends Timestamp
    ? string | Date
    : keyof InputTime extends keyof T
      ? string | Date
      : T extends Brand.Brand<string>
        ? string
        : T
  : T extends (...args: infer Args) => Effect.Effect<infer A, infer E, infer R>
    ? (...args: Args) => Effect.Effect<A, E, R> | Promise<A>
    : T extends
          | Redacted.Redacted<unknown>
          | Uint8Array
          | Effect.Effect<unknown, unknown>
          | ((...args: never) => unknown)
      ? T
      : { [K in keyof T]: Unbranded<T[K]> }

/** Replaces secrets in a type by their values. */
export type Revealed<T> =
  T extends Redacted.Redacted<infer A>
    ? A
    : Extract<T[keyof T], Redacted.Redacted<unknown>> extends never
      ? T
      : { [K in keyof T]: T[K] extends Redacted.Redacted<infer A> ? A : T[K] }

/** A member of a service with promises instead of effects. */
export type PromisedMember<Member> =
  Member extends Effect.Effect<infer A, unknown, unknown>
    ? () => Promise<Revealed<A>>
    : Member extends (...args: infer Args) => Effect.Effect<infer A, unknown, unknown>
      ? (...args: Unbranded<Args>) => Promise<Revealed<A>>
      : Member

export type Promised<Service> = { readonly [K in keyof Service]: PromisedMember<Service[K]> }

/** Runs an effect as a promise. `R`: services that the effect may need. */
export type Run<R> = <A, E>(effect: Effect.Effect<A, E, R>) => Promise<A>

/** Converts the methods of a service from effects to promises. `path`: path of the service in `error.operation`. */
export const promised = <R, Service extends object>(path: string, service: Service, run: Run<R>): Promised<Service> =>
  Object.fromEntries(
    Object.entries(service).map(([name, member]: [string, unknown]) => [
      name,
      promisedMember(`${path}.${name}`, member, run)
    ])
  ) as Promised<Service>

/** Converts an effect or a method of a service. Returns other values unchanged. `operation`: see `error.operation`. */
export const promisedMember = <R>(operation: string, member: unknown, run: Run<R>): unknown => {
  if (!Effect.isEffect(member) && typeof member !== "function") return member
  const call = (...args: ReadonlyArray<unknown>): unknown => {
    const result: unknown =
      typeof member === "function" ? member(...args.map((given) => toServiceInput(given))) : member
    if (!Effect.isEffect(result)) return result
    const started = run(result as Effect.Effect<unknown, unknown, R>).then(reveal)
    return withCaller(started, operation, call)
  }
  return call
}

/** Engines other than V8 may lack the function. Their errors keep their own stack trace. */
const errorConstructor: ErrorConstructor & {
  readonly captureStackTrace?: (target: object, entry: unknown) => void
} = Error

/**
 * Adds the name of the operation and the stack of its caller to the error of a promise. `entry`: the function that the
 * caller called. Without it a stack trace would only show how the call was run.
 */
export const withCaller = <A>(
  promise: Promise<A>,
  operation: string,
  entry: (...args: ReadonlyArray<never>) => unknown
): Promise<A> => {
  const caller: { readonly stack?: string } = {}
  errorConstructor.captureStackTrace?.(caller, entry)
  return promise.catch((error: unknown) => {
    if (!(error instanceof Error)) throw error
    const frames = caller.stack?.split("\n").slice(1) ?? []
    const isDeclared = "_tag" in error
    const head = isDeclared ? [`${error.name}: ${error.message}`] : [error.stack ?? String(error)]
    Object.defineProperties(error, {
      operation: { value: operation, configurable: true, enumerable: true, writable: true },
      stack: { value: [...head, ...frames].join("\n"), configurable: true, writable: true }
    })
    throw error
  })
}

/**
 * Depth of lists and fields in an argument that are searched for functions and dates. Deeper values are content without
 * either.
 */
const levels = 3

/** Converts functions in an argument to functions that return effects instead of promises, and dates to ISO strings. */
export const toServiceInput = (given: unknown, left = levels): unknown => {
  if (typeof given === "function") return returningEffects(given as (...args: ReadonlyArray<unknown>) => unknown)
  if (given instanceof Date) return Number.isNaN(given.getTime()) ? String(given) : given.toISOString()
  if (left === 0) return given
  if (Array.isArray(given)) {
    const converted = given.map((item) => toServiceInput(item, left - 1))
    return converted.some((item, index) => item !== given[index]) ? converted : given
  }
  if (!isPlain(given)) return given
  const fields = Object.entries(given) as ReadonlyArray<[string, unknown]>
  const converted = fields.map(([name, field]) => [name, toServiceInput(field, left - 1)] as const)
  return converted.some(([, field], index) => field !== fields[index]![1]) ? Object.fromEntries(converted) : given
}

const returningEffects =
  (given: (...args: ReadonlyArray<unknown>) => unknown) =>
  (...args: ReadonlyArray<unknown>): unknown => {
    const result = given(...args)
    return result instanceof Promise
      ? Effect.tryPromise({ try: () => result as Promise<unknown>, catch: (error) => error })
      : result
  }

const isPlain = (value: unknown): value is object =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype

const reveal = (value: unknown): unknown => {
  if (Redacted.isRedacted(value)) return Redacted.value(value)
  if (typeof value !== "object" || value === null || !Object.values(value).some(Redacted.isRedacted)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]: [string, unknown]) => [
      name,
      Redacted.isRedacted(field) ? Redacted.value(field) : field
    ])
  )
}
