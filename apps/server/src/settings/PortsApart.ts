/** Refuses ports of which two are the same at one address: the second can't be listened at. */
import type { SettingValues } from "./Setting.ts"
import { variableOf } from "./Setting.ts"
import { serverTable } from "./SettingTable.ts"

type Values = Pick<
  SettingValues<typeof serverTable>,
  "host" | "port" | "socket" | "integrationsPort" | "integrationsSocket" | "metricsHost" | "metricsPort"
>

const every = new Set(["0.0.0.0", "::"])

const overlap = (one: string, other: string) => one === other || every.has(one) || every.has(other)

/** A sentence that names both settings; undefined where nothing speaks against them. */
export const objection = (values: Values): string | undefined => {
  const { host, metricsHost, metricsPort } = values
  const ports = [
    ...(values.socket === undefined ? [{ setting: serverTable.port, host, port: values.port }] : []),
    ...(values.integrationsSocket === undefined
      ? [{ setting: serverTable.integrationsPort, host, port: values.integrationsPort }]
      : []),
    { setting: serverTable.metricsPort, host: metricsHost, port: metricsPort }
  ].filter(({ port }) => port !== undefined && port !== 0)
  for (const [i, one] of ports.entries()) {
    const same = ports.slice(i + 1).find(({ host, port }) => port === one.port && overlap(host, one.host))
    if (same !== undefined) {
      const [first, second] = [one, same].map(({ setting }) => variableOf(setting.name))
      return `${first} and ${second} are both ${one.port}: each needs a port of its own`
    }
  }
  return undefined
}
