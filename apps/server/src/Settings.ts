/**
 * What can be set about a server, by flags and by environment; a flag wins over the environment,
 * and a variable that is set to nothing counts as not set.
 *
 * Defaults: 127.0.0.1, port 4000, data in `./data`, log level `info`, no rate limit, no address of a
 * private network may be fetched, the pseudo-translator translates.
 */
import { ChosenToken } from "@lectern/core/access/Token"
import { Config, ConfigProvider, Effect, Option, Redacted, Schema } from "effect"
import { Flag } from "effect/cli"
import { CommandFailed } from "./CommandFailed.ts"
import { urlOf, wholeNumber } from "./SettingValues.ts"
import { translatorFlags, type TranslatorSettings, translatorSettings } from "./TranslatorSettings.ts"

const logLevels = ["trace", "debug", "info", "warn", "error", "none"] as const
export type LogLevel = (typeof logLevels)[number]

export const json = Flag.Boolean("json").pipe(
  Flag.withDescription("Print one JSON object and nothing else"),
  Flag.withDefault(false)
)

const logLevel = Flag.String("log-level").pipe(
  Flag.withDescription(`Log this and what is more serious: ${logLevels.join(", ")} (LECTERN_LOG_LEVEL)`),
  Flag.withFallbackConfig(Config.String("LECTERN_LOG_LEVEL"))
)

/** What every command takes: where the data is, under which URL it is reached, what is logged. */
export const dataFlags = {
  data: Flag.String("data").pipe(
    Flag.withDescription("The data folder (LECTERN_DATA)"),
    Flag.withFallbackConfig(Config.String("LECTERN_DATA")),
    Flag.withDefault("data")
  ),
  publicUrl: Flag.String("public-url").pipe(
    Flag.withDescription("The URL that people reach this server by (LECTERN_PUBLIC_URL)"),
    Flag.withFallbackConfig(Config.String("LECTERN_PUBLIC_URL")),
    Flag.optional
  ),
  sitesUrl: Flag.String("sites-url").pipe(
    Flag.withDescription("The URL that docs sites are published below (LECTERN_SITES_URL)"),
    Flag.withFallbackConfig(Config.String("LECTERN_SITES_URL")),
    Flag.optional
  ),
  logLevel: logLevel.pipe(Flag.withDefault("warn")),
  json
}

export const serverFlags = {
  ...dataFlags,
  logLevel: logLevel.pipe(Flag.withDefault("info")),
  host: Flag.String("host").pipe(
    Flag.withDescription("The address to listen on (LECTERN_HOST)"),
    Flag.withFallbackConfig(Config.String("LECTERN_HOST")),
    Flag.withDefault("127.0.0.1")
  ),
  port: Flag.String("port").pipe(
    Flag.withDescription("The port to listen on, 0 for any that is free (LECTERN_PORT)"),
    Flag.withFallbackConfig(Config.String("LECTERN_PORT")),
    Flag.withDefault("4000")
  ),
  allowedPrivateHosts: Flag.String("allowed-private-hosts").pipe(
    Flag.withDescription("Private hosts that may be fetched for a caller, by comma (LECTERN_ALLOWED_PRIVATE_HOSTS)"),
    Flag.withFallbackConfig(Config.String("LECTERN_ALLOWED_PRIVATE_HOSTS")),
    Flag.withDefault("")
  ),
  rateLimit: Flag.String("rate-limit").pipe(
    Flag.withDescription("Requests per minute and token, 0 for no limit (LECTERN_RATE_LIMIT)"),
    Flag.withFallbackConfig(Config.String("LECTERN_RATE_LIMIT")),
    Flag.withDefault("0")
  ),
  ...translatorFlags,
  bootstrapToken: Flag.Redacted("bootstrap-token").pipe(
    Flag.withDescription("The administrator's token of a first start (LECTERN_BOOTSTRAP_TOKEN)"),
    Flag.withFallbackConfig(Config.Redacted("LECTERN_BOOTSTRAP_TOKEN")),
    Flag.optional
  )
}

export interface DataSettings {
  readonly data: string
  /** Without a slash at the end. */
  readonly publicUrl?: string
  /** Without a slash at the end. */
  readonly sitesUrl?: string
  readonly logLevel: LogLevel
  readonly json: boolean
}

export interface Settings extends DataSettings {
  readonly host: string
  readonly port: number
  readonly allowedPrivateHosts: ReadonlyArray<string>
  readonly rateLimit: number
  readonly translator: TranslatorSettings
  readonly bootstrapToken?: Redacted.Redacted
}

type Given<Flags> = { readonly [K in keyof Flags]: Flags[K] extends Flag.Flag<infer A> ? A : never }

const isToken = Schema.is(ChosenToken)

/** The settings of a command, or a sentence that says what can't be meant. */
export const dataSettings = ({ data, publicUrl, sitesUrl, logLevel, json }: Given<typeof dataFlags>) =>
  Effect.gen(function* () {
    if (data.trim() === "") return yield* new CommandFailed({ message: "The data folder has no name" })
    const level = logLevels.find((one) => one === logLevel.trim().toLowerCase())
    if (level === undefined) {
      return yield* new CommandFailed({ message: `"${logLevel}" is no log level: ${logLevels.join(", ")}` })
    }
    const url = Option.isSome(publicUrl) ? yield* urlOf("public URL", publicUrl.value) : undefined
    const sites = Option.isSome(sitesUrl) ? yield* urlOf("URL for sites", sitesUrl.value) : undefined
    return {
      data,
      logLevel: level,
      json,
      ...(url !== undefined && { publicUrl: url }),
      ...(sites !== undefined && { sitesUrl: sites })
    } satisfies DataSettings
  })

/** The settings of a server, or a sentence that says what can't be meant. */
export const settings = (given: Given<typeof serverFlags>) =>
  Effect.gen(function* () {
    const { bootstrapToken } = given
    const common = yield* dataSettings(given)
    const port = yield* wholeNumber("port (LECTERN_PORT)", given.port, { max: 65_535 })
    const rateLimit = yield* wholeNumber("rate limit (LECTERN_RATE_LIMIT)", given.rateLimit, { max: 1_000_000 })
    if (Option.isSome(bootstrapToken) && !isToken(Redacted.value(bootstrapToken.value))) {
      return yield* new CommandFailed({
        message: "LECTERN_BOOTSTRAP_TOKEN must have 32 to 256 characters, printable ASCII without spaces"
      })
    }
    return {
      ...common,
      host: given.host,
      port,
      rateLimit,
      translator: yield* translatorSettings(given),
      allowedPrivateHosts: given.allowedPrivateHosts.split(",").flatMap((host) => host.trim() || []),
      ...(Option.isSome(bootstrapToken) && { bootstrapToken: bootstrapToken.value })
    } satisfies Settings
  })

/** The environment, without variables that are set to nothing. */
export const environment = (env: Record<string, string | undefined>) =>
  ConfigProvider.layer(
    ConfigProvider.fromEnvRecord(
      Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ""))
    )
  )
