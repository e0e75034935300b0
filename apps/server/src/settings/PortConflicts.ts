/** Rejects settings that use one port of one address twice. */
import type { SettingValues } from "./Setting.ts"
import { variableOf } from "./Setting.ts"
import { serverTable } from "./SettingTable.ts"

type Values = Pick<
  SettingValues<typeof serverTable>,
  "host" | "port" | "socket" | "integrationsPort" | "integrationsSocket" | "metricsHost" | "metricsPort"
>

const anyAddress = new Set(["0.0.0.0", "::"])

const overlap = (host: string, otherHost: string) =>
  host === otherHost || anyAddress.has(host) || anyAddress.has(otherHost)

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
  for (const [i, listener] of ports.entries()) {
    const conflicting = ports
      .slice(i + 1)
      .find(({ host, port }) => port === listener.port && overlap(host, listener.host))
    if (conflicting !== undefined) {
      const [first, second] = [listener, conflicting].map(({ setting }) => variableOf(setting.name))
      return `${first} and ${second} are both ${listener.port}: choose two different ports`
    }
  }
  return undefined
}
