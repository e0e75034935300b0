/**
 * Limits the services of the core: at most `maxServices`, each with at most 10 dependencies. A dependency is a service
 * that the file of a service imports at run time; types, tables and functions do not count.
 */
import { parseSync } from "rolldown/utils"
import { readSources, type Source } from "./ServiceCycles.ts"

export interface ServiceLimits {
  readonly maxServices: number
  readonly maxDependencies: number
}

const limits: ServiceLimits = { maxServices: 130, maxDependencies: 10 }

interface Service {
  readonly name: string
  readonly path: string
  /** Names of services. */
  readonly dependencies: ReadonlySet<string>
}

/** Returns a line for each exceeded limit. */
export const serviceCount = (root: string): ReadonlyArray<string> => excessServices(readSources(root), limits)

export const excessServices = (
  sources: ReadonlyArray<Source>,
  { maxServices, maxDependencies }: ServiceLimits
): ReadonlyArray<string> => {
  const services = servicesOf(sources)
  return [
    ...(services.length > maxServices
      ? [`The core has ${services.length} services, but at most ${maxServices} are allowed: write functions instead`]
      : []),
    ...services
      .filter(({ dependencies }) => dependencies.size > maxDependencies)
      .map(
        ({ name, path, dependencies: { size } }) =>
          `${path}: ${name} has ${size} dependencies, but at most ${maxDependencies} are allowed`
      )
  ]
}

const serviceClass = /^export class (\w+)\s+extends\s+Context\.Service\s*</gm

export const servicesOf = (sources: ReadonlyArray<Source>): ReadonlyArray<Service> => {
  const services = sources.flatMap(({ path, text }) =>
    [...text.matchAll(serviceClass)].map(([, name]) => ({ name: name!, path, text }))
  )
  const names = new Set(services.map(({ name }) => name))
  return services.map(({ name, path, text }) => ({
    name,
    path,
    dependencies: new Set(
      parseSync(path, text)
        .module.staticImports.flatMap(({ entries }) => entries)
        .flatMap(({ isType, importName }) => (isType ? [] : [importName.name ?? ""]))
        .filter((imported) => names.has(imported))
    )
  }))
}
