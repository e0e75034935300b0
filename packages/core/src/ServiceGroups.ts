/**
 * Groups services by their paths, so that one object contains all of them. The methods of the service with the path
 * "sites.redirects" become the methods of `lectern.sites.redirects`. In an error, `operation` is the path of the method,
 * such as "sites.redirects.create".
 */
import { type Context, Effect } from "effect"
import type { PromisedMember } from "./Promised.ts"
import type { MethodKind, MethodsOfKind, Offer } from "./Services.ts"

/** Methods of a service with promises. */
export type PromisedMethods<Service extends WithMethods, Names extends keyof Service["Service"]> = {
  readonly [Name in Names]: PromisedMember<Service["Service"][Name]>
}

/**
 * Like `PromisedMethods`, for the methods that work in a transaction. Errors of the compiler show this name if a method
 * is missing.
 */
export type TransactionalMethods<Service extends WithMethods, Names extends keyof Service["Service"]> = {
  readonly [Name in Names]: PromisedMember<Service["Service"][Name]>
}

interface WithMethods {
  readonly Service: object
}

/** Groups of services with their methods of the given kinds. */
export type ServiceGroups<Offers, Kinds extends MethodKind> = {
  readonly [Name in FirstName<keyof Offers & string>]: ServiceGroup<Offers, Name, Kinds>
}

type ServiceGroup<Offers, Name extends string, Kinds extends MethodKind> = Name extends keyof Offers
  ? [keyof OffersBelow<Offers, Name>] extends [never]
    ? OfferedMethods<Offers[Name], Kinds>
    : OfferedMethods<Offers[Name], Kinds> & ServiceGroups<OffersBelow<Offers, Name>, Kinds>
  : ServiceGroups<OffersBelow<Offers, Name>, Kinds>

type FirstName<Path extends string> = Path extends `${infer Name}.${string}` ? Name : Path

type OffersBelow<Offers, Name extends string> = {
  readonly [Path in keyof Offers as Path extends `${Name}.${infer Rest}` ? Rest : never]: Offers[Path]
}

type OfferedMethods<O, Kinds extends MethodKind> =
  O extends Offer<Context.Key<infer Service extends WithMethods, any>, unknown>
    ? [Kinds] extends ["transactional"]
      ? TransactionalMethods<Service, MethodsOfKind<O, Kinds> & keyof Service["Service"]>
      : PromisedMethods<Service, MethodsOfKind<O, Kinds> & keyof Service["Service"]>
    : never

/** Groups services by their paths. Throws if a path is the path of a service and of a method. */
export const groupServices = (services: ReadonlyArray<readonly [path: string, methods: object]>): object => {
  const root: Group = {}
  for (const [path, methods] of services) {
    const group = path.split(".").reduce(childOf, root)
    for (const [name, method] of Object.entries(methods)) {
      if (Object.hasOwn(group, name)) throw nameTwice(`${path}.${name}`)
      group[name] = method
    }
  }
  return root
}

/**
 * Returns the groups with each method replaced by the result of `convert`. `service`: path of the method's service; empty
 * for a function that is in no group.
 */
export const mapMethods = (
  group: object,
  convert: (method: unknown, service: string, name: string) => unknown,
  service = ""
): object =>
  Object.fromEntries(
    Object.entries(group).map(([name, member]: [string, unknown]) => [
      name,
      isGroup(member)
        ? mapMethods(member, convert, service === "" ? name : `${service}.${name}`)
        : convert(member, service, name)
    ])
  )

interface Group {
  [name: string]: unknown
}

const isGroup = (member: unknown): member is Group =>
  typeof member === "object" && member !== null && !Effect.isEffect(member)

const childOf = (group: Group, name: string): Group => {
  const child = (group[name] ??= {})
  if (!isGroup(child)) throw nameTwice(name)
  return child
}

const nameTwice = (name: string) => new Error(`${name} is the name of a service and of a method`)
