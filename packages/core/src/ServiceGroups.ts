/**
 * Groups the services of an instance by the paths of their offers: the service at "sites" has the methods of
 * `lectern.sites`, and the service at "sites.redirects" has those of `lectern.sites.redirects`. `error.operation` names
 * the same paths.
 */
import type { Context } from "effect"
import type { PromisedMember } from "./Promised.ts"
import type { MethodKind, MethodsOfKind, Offer } from "./Services.ts"

/** Methods of a service with promises. */
export type PromisedMethods<Service extends WithMethods, Names extends keyof Service["Service"]> = {
  readonly [Name in Names]: PromisedMember<Service["Service"][Name]>
}

/** Methods of a service that work in a transaction, with promises. */
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

/** Groups services by their paths. Throws if a group has a service and a method of the same name. */
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

interface Group {
  [name: string]: unknown
}

const childOf = (group: Group, name: string): Group => {
  const child = (group[name] ??= {})
  if (typeof child !== "object") throw nameTwice(name)
  return child as Group
}

const nameTwice = (name: string) => new Error(`${name} is the name of a service and of a method`)
