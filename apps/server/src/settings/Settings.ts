/**
 * Settings as commands and the server take them: resolved from all of their sources, and with the rules that
 * hold between several.
 */
import { Effect, Option } from "effect"
import type { OrganizationMakingOptions } from "@lectern/core/organization/OrganizationMaking"
import * as SiteHosts from "@lectern/site/server/SiteHosts"
import { Flag } from "effect/cli"
import type { BackupPlan } from "../Backups.ts"
import { CommandFailed } from "../CommandFailed.ts"
import * as PassedSockets from "../edge/PassedSockets.ts"
import type { CertificateFiles } from "../edge/Certificate.ts"
import type { Edge } from "../Listener.ts"
import * as PortsApart from "./PortsApart.ts"
import { flagsOf, type GivenFlags, type SettingTable, type SettingValues } from "./Setting.ts"
import { fileVariable, resolve, type Resolved } from "./SettingSources.ts"
import { dataTable, serverTable } from "./SettingTable.ts"
import { type TranslatorSettings, translatorSettings } from "./TranslatorSettings.ts"

export const json = Flag.Boolean("json").pipe(
  Flag.withDescription("Print one JSON object and nothing else"),
  Flag.withDefault(false)
)

const config = Flag.String("config").pipe(
  Flag.withDescription(`The settings file (${fileVariable}); without it lectern.toml in the folder of the call`),
  Flag.optional
)

/** Flags that no setting is behind. */
const common = { config, json }

/** Flags of every command. */
export const dataFlags = { ...flagsOf(dataTable), ...common }
export const serverFlags = { ...flagsOf(serverTable), ...common }

/** Flags of a command, as they were given. */
export type Given<Table extends SettingTable> = GivenFlags<Table> & {
  readonly config: Option.Option<string>
  readonly json: boolean
}

export type DataSettings = SettingValues<typeof dataTable> & { readonly json: boolean }

type Values = SettingValues<typeof serverTable>

export type Settings = Values & {
  readonly json: boolean
  readonly organizations: OrganizationMakingOptions
  readonly translation: TranslatorSettings
  readonly edge: Edge
  /** Absent: it speaks no TLS. */
  readonly certificate?: CertificateFiles
  /** Absent: none is made. */
  readonly backups?: BackupPlan
}

/** The settings of a command, or a sentence that says what can't be meant. */
export const dataSettings = (given: Given<typeof dataTable>) =>
  Effect.map(resolve(dataTable, given, given.config, serverTable), ({ values }): DataSettings => ({
    ...values,
    json: given.json
  }))

/** The settings of a server with their sources, or a sentence that says what can't be meant. */
export const serverSettings = Effect.fnUntraced(function* (given: Given<typeof serverTable>) {
  const resolved: Resolved<typeof serverTable> = yield* resolve(serverTable, given, given.config, serverTable)
  const { values } = resolved
  const { integrationsUrl, publicUrl, sitesUrl, backup, backupHours, backupKeep } = values
  const { socket, integrationsSocket, tlsCertificate, tlsKey } = values
  if ((tlsCertificate === undefined) !== (tlsKey === undefined)) {
    return yield* refused("LECTERN_TLS_CERTIFICATE and LECTERN_TLS_KEY are only good together: set both")
  }
  if (socket !== undefined && publicUrl === undefined) {
    return yield* refused("LECTERN_SOCKET needs LECTERN_PUBLIC_URL: a socket has no URL of its own")
  }
  if (integrationsSocket !== undefined && integrationsUrl === undefined) {
    return yield* refused("LECTERN_INTEGRATIONS_SOCKET needs LECTERN_INTEGRATIONS_URL: a socket has no URL of its own")
  }
  if (values.headerTimeout > values.requestTimeout) {
    return yield* refused(
      "LECTERN_HEADER_TIMEOUT is longer than LECTERN_REQUEST_TIMEOUT: headers are a part of the request"
    )
  }
  const samePort = PortsApart.objection(values)
  if (samePort !== undefined && !PassedSockets.arePassed()) return yield* refused(samePort)
  if (integrationsUrl !== undefined) yield* apart(integrationsUrl, publicUrl, "interface")
  if (sitesUrl !== undefined) {
    const objection = publicUrl && SiteHosts.refusal({ publicUrl, sitesUrl })
    if (objection) return yield* refused(`LECTERN_SITES_URL ${objection}`)
    if (integrationsUrl !== undefined) yield* apart(integrationsUrl, sitesUrl, "sites")
  }
  const settings: Settings = {
    ...values,
    json: given.json,
    organizations: { by: values.createOrganizations, perUser: values.organizationsPerUser },
    translation: yield* translatorSettings(values),
    edge: {
      trusted: { proxies: values.trustedProxies, header: values.forwardedHeader },
      limits: {
        headers: values.headerTimeout * 1_000,
        request: values.requestTimeout * 1_000,
        idle: values.idleTimeout * 1_000,
        connectionsPerAddress: values.connectionsPerAddress
      }
    },
    ...(tlsCertificate !== undefined &&
      tlsKey !== undefined && { certificate: { certificate: tlsCertificate, key: tlsKey } }),
    ...(backup !== undefined && { backups: { folder: backup, hours: backupHours, keep: backupKeep } })
  }
  return { ...resolved, settings }
})

const refused = (message: string) => new CommandFailed({ message })

/**
 * Refuses an URL of integrations at the hostname of the interface, or of sites. Their answers are active content, and
 * would have the others' cookies there.
 */
const apart = (integrationsUrl: string, other: string | undefined, whose: "interface" | "sites") => {
  const host = new URL(integrationsUrl).hostname
  return other === undefined || SiteHosts.isLoopback(host) || new URL(other).hostname !== host
    ? Effect.void
    : Effect.fail(
        refused(
          `LECTERN_INTEGRATIONS_URL needs a hostname of its own: ${host} is ${whose === "sites" ? "that of sites" : "the interface's"}`
        )
      )
}
