/** Rejects settings that use one port of one address twice. */
import type { SettingValues } from "./Setting.ts"
import { variableOf } from "./Setting.ts"
import { serverTable } from "./SettingTable.ts"

type Values = Pick<
  SettingValues<typeof serverTable>,
  "host" | "port" | "socket" | "integrationsPort" | "integrationsSocket" | "metricsHost" | "metricsPort"
>

const anyAddress = new Set(["0.0.0.0", "::"])

const overlap = (one: string, other: string) => one === other || anyAddress.has(one) || anyAddress.has(other)

/** Returns a message that names both settings, or undefined if all ports differ. */
export const conflictMessage = (values: Values): string | undefined => {
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
      return `${first} and ${second} are both ${one.port}: choose two different ports`
    }
  }
  return undefined
}
