/**
 * Settings of a server, by flags and by environment; a flag wins over the environment, and a variable that is
 * set to nothing counts as not set.
 *
 * Defaults: 127.0.0.1, port 4000, data in `./data`, log level `info`, no rate limit, no address of a
 * private network may be fetched, no other origin may use the interface, who administers an organization
 * may make another, links to other websites are not checked, the integrations that come with Lectern are
 * published, no backup is made by itself, the pseudo-translator translates.
 */
import { readFileSync } from "node:fs"
import { ChosenToken } from "@lectern/core/token/Token"
import { SecretKeyText } from "@lectern/core/identity/SecretKey"
import { OrganizationMakers, type OrganizationMakingOptions } from "@lectern/core/organization/OrganizationMaking"
import { ConfigProvider, Effect, Layer, Option, Redacted, Schema } from "effect"
import { Flag } from "effect/cli"
import type { BackupPlan } from "./Backups.ts"
import { CommandFailed } from "./CommandFailed.ts"
import * as SettingFlags from "./SettingFlags.ts"
import { onOrOff, originsOf, urlOf, wholeNumber } from "./SettingValues.ts"
import { translatorFlags, type TranslatorSettings, translatorSettings } from "./TranslatorSettings.ts"

const logLevels = ["trace", "debug", "info", "warn", "error", "none"] as const
export type LogLevel = (typeof logLevels)[number]

export const json = Flag.Boolean("json").pipe(
  Flag.withDescription("Print one JSON object and nothing else"),
  Flag.withDefault(false)
)

const logLevel = SettingFlags.text("log-level", `Log this and what is more serious: ${logLevels.join(", ")}`)

/** Flags of every command: where the data is, under which URL it is reached, what is logged. */
export const dataFlags = {
  data: SettingFlags.text("data", "The data folder").pipe(Flag.withDefault("data")),
  publicUrl: SettingFlags.text("public-url", "The URL that people reach this server by").pipe(Flag.optional),
  sitesUrl: SettingFlags.text("sites-url", "The URL that docs sites are published below").pipe(Flag.optional),
  secretKey: SettingFlags.secret("secret-key", "The key that secrets are sealed with").pipe(Flag.optional),
  logLevel: logLevel.pipe(Flag.withDefault("warn")),
  json
}

export const serverFlags = {
  ...dataFlags,
  logLevel: logLevel.pipe(Flag.withDefault("info")),
  host: SettingFlags.text("host", "The address to listen on").pipe(Flag.withDefault("127.0.0.1")),
  port: SettingFlags.text("port", "The port to listen on, 0 for any that is free").pipe(Flag.withDefault("4000")),
  integrationsPort: SettingFlags.text(
    "integrations-port",
    "The port that integrations answer at, 0 for any that is free"
  ).pipe(Flag.optional),
  integrationsUrl: SettingFlags.text("integrations-url", "The URL that integrations are reached by").pipe(
    Flag.optional
  ),
  allowedPrivateHosts: SettingFlags.text(
    "allowed-private-hosts",
    "Private hosts that may be fetched for a caller, by comma"
  ).pipe(Flag.withDefault("")),
  corsOrigins: SettingFlags.text("cors-origins", "Origins whose pages may use the interface, by comma, or *").pipe(
    Flag.withDefault("")
  ),
  checkLinks: SettingFlags.text("check-links", "Whether links to other websites are checked: on or off").pipe(
    Flag.withDefault("off")
  ),
  catalogue: SettingFlags.text(
    "catalogue",
    "Whether the integrations that come with Lectern are published: on or off"
  ).pipe(Flag.withDefault("on")),
  hostnameProof: SettingFlags.text("hostname-proof", "Whether hostnames of sites want proof: on or off").pipe(
    Flag.withDefault("on")
  ),
  rateLimit: SettingFlags.text("rate-limit", "Requests per minute and token, 0 for no limit").pipe(
    Flag.withDefault("0")
  ),
  integrationsRateLimit: SettingFlags.text(
    "integrations-rate-limit",
    "Requests to integrations per minute and address, 0 for no limit"
  ).pipe(Flag.withDefault("0")),
  createOrganizations: SettingFlags.text(
    "create-organizations",
    `Who may make organizations: ${OrganizationMakers.literals.join(", ")}`
  ).pipe(Flag.withDefault("admins")),
  organizationsPerUser: SettingFlags.text("organizations-per-user", "How many organizations a user may make").pipe(
    Flag.withDefault("100")
  ),
  metricsPort: SettingFlags.text("metrics-port", "The port that /metrics is answered at").pipe(Flag.optional),
  metricsHost: SettingFlags.text("metrics-host", "The address that /metrics is answered at").pipe(
    Flag.withDefault("127.0.0.1")
  ),
  accessLog: SettingFlags.text("access-log", "The file for a line about each request, - for standard output").pipe(
    Flag.optional
  ),
  otlpUrl: SettingFlags.text("otlp-url", "The collector for traces, metrics and logs (OTLP over HTTP)").pipe(
    Flag.optional
  ),
  backup: SettingFlags.text("backup", "The folder that backups are made in, by themselves").pipe(Flag.optional),
  backupHours: SettingFlags.text("backup-hours", "Hours from one backup to the next").pipe(Flag.withDefault("24")),
  backupKeep: SettingFlags.text("backup-keep", "How many backups are kept").pipe(Flag.withDefault("7")),
  ...translatorFlags,
  firstStart: SettingFlags.flag("first-start", "Begin anew where there was a database, and it is gone"),
  bootstrapToken: SettingFlags.secret("bootstrap-token", "The administrator's token of a first start").pipe(
    Flag.optional
  )
}

export interface DataSettings {
  readonly data: string
  /** Without a slash at the end. */
  readonly publicUrl?: string
  /** Without a slash at the end. */
  readonly sitesUrl?: string
  readonly secretKey?: Redacted.Redacted
  readonly logLevel: LogLevel
  readonly json: boolean
}

export interface Settings extends DataSettings {
  readonly host: string
  readonly port: number
  /** Default: the one behind `port`, or any that is free where that is taken. */
  readonly integrationsPort?: number
  /** Without a slash at the end. */
  readonly integrationsUrl?: string
  readonly allowedPrivateHosts: ReadonlyArray<string>
  readonly corsOrigins: ReadonlyArray<string>
  readonly checkLinks: boolean
  readonly catalogue: boolean
  readonly hostnameProof: boolean
  readonly rateLimit: number
  readonly integrationsRateLimit: number
  readonly firstStart: boolean
  readonly organizations: OrganizationMakingOptions
  readonly translator: TranslatorSettings
  readonly bootstrapToken?: Redacted.Redacted
  /** Absent: none is made. */
  readonly backup?: BackupPlan
  /** Absent: there is no `/metrics`. */
  readonly metricsPort?: number
  readonly metricsHost: string
  readonly accessLog?: string
  /** Without a slash at the end. */
  readonly otlpUrl?: string
}

type Given<Flags> = { readonly [K in keyof Flags]: Flags[K] extends Flag.Flag<infer A> ? A : never }

const isToken = Schema.is(ChosenToken)
const isKey = Schema.is(SecretKeyText)

/** The settings of a command, or a sentence that says what can't be meant. */
export const dataSettings = ({ data, publicUrl, sitesUrl, secretKey, logLevel, json }: Given<typeof dataFlags>) =>
  Effect.gen(function* () {
    if (data.trim() === "") return yield* new CommandFailed({ message: "The data folder has no name" })
    const level = logLevels.find((one) => one === logLevel.trim().toLowerCase())
    if (level === undefined) {
      return yield* new CommandFailed({ message: `"${logLevel}" is no log level: ${logLevels.join(", ")}` })
    }
    const url = Option.isSome(publicUrl) ? yield* urlOf("public URL", publicUrl.value) : undefined
    const sites = Option.isSome(sitesUrl) ? yield* urlOf("URL for sites", sitesUrl.value) : undefined
    if (Option.isSome(secretKey) && !isKey(Redacted.value(secretKey.value))) {
      return yield* new CommandFailed({
        message: "LECTERN_SECRET_KEY must have 32 to 256 characters, printable ASCII without spaces"
      })
    }
    return {
      data,
      logLevel: level,
      json,
      ...(url !== undefined && { publicUrl: url }),
      ...(sites !== undefined && { sitesUrl: sites }),
      ...(Option.isSome(secretKey) && { secretKey: secretKey.value })
    } satisfies DataSettings
  })

/** The settings of a server, or a sentence that says what can't be meant. */
export const settings = (given: Given<typeof serverFlags>) =>
  Effect.gen(function* () {
    const { bootstrapToken } = given
    const common = yield* dataSettings(given)
    const port = yield* wholeNumber("port (LECTERN_PORT)", given.port, { max: 65_535 })
    const integrationsPort = Option.isSome(given.integrationsPort)
      ? yield* wholeNumber("port (LECTERN_INTEGRATIONS_PORT)", given.integrationsPort.value, { max: 65_535 })
      : undefined
    const integrationsUrl = Option.isSome(given.integrationsUrl)
      ? yield* urlOf("URL for integrations", given.integrationsUrl.value)
      : undefined
    if (integrationsUrl !== undefined) yield* apart(integrationsUrl, common.publicUrl)
    const rateLimit = yield* wholeNumber("rate limit (LECTERN_RATE_LIMIT)", given.rateLimit, { max: 1_000_000 })
    const integrationsRateLimit = yield* wholeNumber(
      "rate limit (LECTERN_INTEGRATIONS_RATE_LIMIT)",
      given.integrationsRateLimit,
      { max: 1_000_000 }
    )
    const makers = OrganizationMakers.literals.find((one) => one === given.createOrganizations.trim().toLowerCase())
    if (makers === undefined) {
      return yield* new CommandFailed({
        message: `"${given.createOrganizations}" is no value of LECTERN_CREATE_ORGANIZATIONS: ${OrganizationMakers.literals.join(", ")}`
      })
    }
    const perUser = yield* wholeNumber(
      "number of organizations (LECTERN_ORGANIZATIONS_PER_USER)",
      given.organizationsPerUser,
      { max: 1_000_000 }
    )
    const metricsPort = Option.isSome(given.metricsPort)
      ? yield* wholeNumber("port (LECTERN_METRICS_PORT)", given.metricsPort.value, { max: 65_535 })
      : undefined
    const otlpUrl = Option.isSome(given.otlpUrl) ? yield* urlOf("OTLP URL", given.otlpUrl.value) : undefined
    const backup = Option.isSome(given.backup)
      ? {
          folder: given.backup.value,
          hours: yield* wholeNumber("number of hours (LECTERN_BACKUP_HOURS)", given.backupHours, {
            min: 1,
            max: 8_760
          }),
          keep: yield* wholeNumber("number of backups (LECTERN_BACKUP_KEEP)", given.backupKeep, { min: 1, max: 1_000 })
        }
      : undefined
    if (Option.isSome(bootstrapToken) && !isToken(Redacted.value(bootstrapToken.value))) {
      return yield* new CommandFailed({
        message: "LECTERN_BOOTSTRAP_TOKEN must have 32 to 256 characters, printable ASCII without spaces"
      })
    }
    return {
      ...common,
      host: given.host,
      port,
      ...(integrationsPort !== undefined && { integrationsPort }),
      ...(integrationsUrl !== undefined && { integrationsUrl }),
      corsOrigins: yield* originsOf("LECTERN_CORS_ORIGINS", given.corsOrigins),
      checkLinks: yield* onOrOff("value of LECTERN_CHECK_LINKS", given.checkLinks),
      catalogue: yield* onOrOff("value of LECTERN_CATALOGUE", given.catalogue),
      hostnameProof: yield* onOrOff("value of LECTERN_HOSTNAME_PROOF", given.hostnameProof),
      rateLimit,
      integrationsRateLimit,
      firstStart: given.firstStart,
      organizations: { by: makers, perUser },
      translator: yield* translatorSettings(given),
      allowedPrivateHosts: given.allowedPrivateHosts.split(",").flatMap((host) => host.trim() || []),
      ...(backup !== undefined && { backup }),
      ...(metricsPort !== undefined && { metricsPort }),
      metricsHost: given.metricsHost,
      ...(Option.isSome(given.accessLog) && { accessLog: given.accessLog.value }),
      ...(otlpUrl !== undefined && { otlpUrl }),
      ...(Option.isSome(bootstrapToken) && { bootstrapToken: bootstrapToken.value })
    } satisfies Settings
  })

/**
 * Refuses an URL of integrations at the interface's hostname. Their answers are active content, and would have
 * the interface's cookies there.
 */
const apart = (integrationsUrl: string, publicUrl: string | undefined) => {
  const host = new URL(integrationsUrl).hostname
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host)
  return publicUrl === undefined || isLoopback || new URL(publicUrl).hostname !== host
    ? Effect.void
    : Effect.fail(
        new CommandFailed({
          message: `LECTERN_INTEGRATIONS_URL needs a hostname of its own: ${host} is the interface's`
        })
      )
}

/** The environment, without variables that are set to nothing, and with the secrets that are in files. */
export const environment = (env: Record<string, string | undefined>) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const set: Record<string, string> = {}
      for (const [name, value] of Object.entries(env)) {
        if (value !== undefined && value.trim() !== "") set[name] = value
      }
      for (const [name, file] of SettingFlags.secretVariables()) {
        const path = set[file]
        if (path === undefined) continue
        if (set[name] !== undefined) {
          return yield* new CommandFailed({ message: `${name} and ${file} are both set: set one of them` })
        }
        set[name] = yield* secretIn(file, path)
      }
      return ConfigProvider.layer(ConfigProvider.fromEnvRecord(set))
    })
  )

const secretIn = (variable: string, path: string) =>
  Effect.try({
    try: () => readFileSync(path, "utf8").trim(),
    catch: (thrown) =>
      new CommandFailed({
        message: `The file that ${variable} names can't be read: ${(thrown as NodeJS.ErrnoException).code}`
      })
  })
