/** Resolved settings of commands and of the server, with the rules between several settings. */
import { Effect, Option } from "effect"
import type { MailLimitOptions } from "@lectern/core/mail/MailLimits"
import type { OrganizationCreationOptions } from "@lectern/core/organization/OrganizationCreation"
import type { ServerProvider } from "@lectern/core/sso/ServerProvider"
import type { SessionLimitOptions } from "@lectern/core/token/Session"
import * as SiteHosts from "@lectern/site/server/SiteHosts"
import { Flag } from "effect/cli"
import { json } from "@lectern/cli/Flags"
import type { BackupPlan } from "../Backups.ts"
import { CommandFailed } from "@lectern/cli/CommandFailed"
import * as PassedSockets from "../edge/PassedSockets.ts"
import type { CertificateFiles } from "../edge/Certificate.ts"
import type { Edge } from "../Listener.ts"
import { type MailSettings, mailSettings } from "./MailSettings.ts"
import { oidcProviders } from "./OidcSettings.ts"
import * as PortConflicts from "./PortConflicts.ts"
import { flagsOf, type FlagValues, type SettingTable, type SettingValues } from "./Setting.ts"
import { fileVariable, resolve, type Resolved } from "./SettingSources.ts"
import { dataTable, serverTable } from "./SettingTable.ts"
import { type TranslatorSettings, translatorSettings } from "./TranslatorSettings.ts"

const config = Flag.String("config").pipe(
  Flag.withDescription(`Settings file (${fileVariable}); default: lectern.toml in the current folder`),
  Flag.optional
)

/** Flags that are not settings. */
const common = { config, json }

/** Flags of every command. */
export const dataFlags = { ...flagsOf(dataTable), ...common }
export const serverFlags = { ...flagsOf(serverTable), ...common }

/** Parsed flags of a command. */
export type CommandFlags<Table extends SettingTable> = FlagValues<Table> & {
  readonly config: Option.Option<string>
  readonly json: boolean
}

export type DataSettings = SettingValues<typeof dataTable> & {
  readonly json: boolean
  /** Absent if mail is not set up. */
  readonly mail?: MailSettings
}

type Values = SettingValues<typeof serverTable>

export type Settings = Omit<Values, "oidcProviders"> & {
  readonly json: boolean
  readonly organizations: OrganizationCreationOptions
  readonly sessions: SessionLimitOptions
  /** OpenID Connect providers of the whole server. */
  readonly oidcProviders: ReadonlyArray<ServerProvider>
  readonly translation: TranslatorSettings
  /** Absent if mail is not set up. */
  readonly mail?: MailSettings
  readonly mailLimits: MailLimitOptions
  readonly edge: Edge
  /** Files of the TLS certificate. Absent without TLS. */
  readonly certificate?: CertificateFiles
  /** Plan of scheduled backups. Absent without backups. */
  readonly backups?: BackupPlan
}

/** Returns the settings of a command. Fails with a message if a setting is invalid. */
export const dataSettings = Effect.fnUntraced(function* (flags: CommandFlags<typeof dataTable>) {
  const { values } = yield* resolve(dataTable, flags, flags.config, serverTable)
  const mail = yield* mailSettings(values)
  const settings: DataSettings = { ...values, json: flags.json, ...(mail && { mail }) }
  return settings
})

/** Returns the settings of a server with their sources. Fails with a message if a setting is invalid. */
export const serverSettings = Effect.fnUntraced(function* (flags: CommandFlags<typeof serverTable>) {
  const resolved: Resolved<typeof serverTable> = yield* resolve(serverTable, flags, flags.config, serverTable)
  const { values } = resolved
  const { integrationsUrl, publicUrl, sitesUrl, backup, backupHours, backupKeep } = values
  const { socket, integrationsSocket, tlsCertificate, tlsKey } = values
  if ((tlsCertificate === undefined) !== (tlsKey === undefined)) {
    return yield* refusal("LECTERN_TLS_CERTIFICATE and LECTERN_TLS_KEY belong together: set both")
  }
  if (socket !== undefined && publicUrl === undefined) {
    return yield* refusal("LECTERN_SOCKET needs LECTERN_PUBLIC_URL, because a Unix socket has no URL")
  }
  if (integrationsSocket !== undefined && integrationsUrl === undefined) {
    return yield* refusal(
      "LECTERN_INTEGRATIONS_SOCKET needs LECTERN_INTEGRATIONS_URL, because a Unix socket has no URL"
    )
  }
  if (values.headerTimeout > values.requestTimeout) {
    return yield* refusal("LECTERN_HEADER_TIMEOUT must not be longer than LECTERN_REQUEST_TIMEOUT")
  }
  const samePort = PortConflicts.conflictMessage(values)
  if (samePort !== undefined && !PassedSockets.arePassed()) return yield* refusal(samePort)
  if (integrationsUrl !== undefined) yield* requireOtherHost(integrationsUrl, publicUrl, "interface")
  if (sitesUrl !== undefined) {
    const objection = publicUrl && SiteHosts.configurationError({ publicUrl, sitesUrl })
    if (objection) return yield* refusal(`LECTERN_SITES_URL ${objection}`)
    if (integrationsUrl !== undefined) yield* requireOtherHost(integrationsUrl, sitesUrl, "sites")
  }
  const mail = yield* mailSettings(values)
  const settings: Settings = {
    ...values,
    ...(mail && { mail }),
    mailLimits: { perMinute: values.mailsPerMinute, perRecipient: values.mailsPerRecipient },
    json: flags.json,
    organizations: { creators: values.createOrganizations, perUser: values.organizationsPerUser },
    sessions: { idle: { hours: values.sessionIdleHours }, absolute: { hours: values.sessionHours } },
    translation: yield* translatorSettings(values),
    oidcProviders: yield* oidcProviders(values),
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
    ...(backup !== undefined && { backups: { folder: backup, hours: backupHours, maxCount: backupKeep } })
  }
  return { ...resolved, settings }
})

const refusal = (message: string) => new CommandFailed({ message })

/**
 * Rejects a URL of integrations with the hostname of the API or of sites. Responses of integrations are active content and
 * would have access to cookies of that hostname.
 */
const requireOtherHost = (integrationsUrl: string, otherUrl: string | undefined, owner: "interface" | "sites") => {
  const host = new URL(integrationsUrl).hostname
  return otherUrl === undefined || SiteHosts.isLoopback(host) || new URL(otherUrl).hostname !== host
    ? Effect.void
    : Effect.fail(
        refusal(
          `LECTERN_INTEGRATIONS_URL needs a separate hostname: ${host} is the hostname of ${owner === "sites" ? "sites" : "the API"}`
        )
      )
}
