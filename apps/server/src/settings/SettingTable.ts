/**
 * Every setting of Lectern. A flag wins over the environment, the environment over the file; what is set to
 * nothing counts as not set.
 */
import { OrganizationMakers } from "@lectern/core/organization/OrganizationMaking"
import { forwardedHeaders } from "../edge/ClientAddress.ts"
import { setting } from "./Setting.ts"
import {
  beginning,
  chosenSecret,
  hosts,
  oneOf,
  onOrOff,
  origins,
  path,
  port,
  ranges,
  secret,
  text,
  url,
  wholeNumber
} from "./SettingKind.ts"

export const logLevels = ["trace", "debug", "info", "warn", "error", "none"] as const
export type LogLevel = (typeof logLevels)[number]

const logLevel = (standard: LogLevel) =>
  setting("log-level", `Log this and what is more serious: ${logLevels.join(", ")}`, oneOf(logLevels), {
    standard,
    reloads: true
  })

/** Settings of every command: where the data is, under which URL it is reached, what is logged. */
export const dataTable = {
  data: setting("data", "The data folder", path, { standard: "data" }),
  publicUrl: setting("public-url", "The URL that people reach this server by", beginning),
  sitesUrl: setting("sites-url", "The URL that docs sites are published below", beginning),
  secretKey: setting("secret-key", "The key that secrets are sealed with", chosenSecret, { isSecret: true }),
  upgradeBackup: setting(
    "upgrade-backup",
    "Whether data is backed up before it is brought up to date: on or off",
    onOrOff,
    { standard: "on" }
  ),
  logLevel: logLevel("warn")
}

const engines = ["pseudo", "libretranslate", "openai"] as const

/** Requests in a minute; 0: no limit. */
const requests = wholeNumber({ max: 1_000_000 })

const seconds = wholeNumber({ min: 1, max: 3_600 })

/** Settings of a server. */
export const serverTable = {
  ...dataTable,
  logLevel: logLevel("info"),
  host: setting("host", "The address to listen on", text, { standard: "127.0.0.1" }),
  port: setting("port", "The port to listen on, 0 for any that is free", port, { standard: "4000" }),
  integrationsPort: setting(
    "integrations-port",
    "The port that integrations answer at, 0 for any that is free; without it the one behind the port",
    port
  ),
  socket: setting("socket", "The Unix socket to listen on, in place of host and port", path),
  integrationsSocket: setting("integrations-socket", "The Unix socket that integrations answer at", path),
  tlsCertificate: setting("tls-certificate", "The file of the certificate for TLS, in PEM", path),
  tlsKey: setting("tls-key", "The file of its key, in PEM", path),
  trustedProxies: setting("trusted-proxies", "Addresses and ranges of proxies that tell who asks, by comma", ranges, {
    standard: ""
  }),
  forwardedHeader: setting(
    "forwarded-header",
    `The header by which they tell: ${forwardedHeaders.join(", ")}`,
    oneOf(forwardedHeaders),
    { standard: "x-forwarded-for" }
  ),
  headerTimeout: setting("header-timeout", "Seconds until the headers of a request are there", seconds, {
    standard: "60"
  }),
  requestTimeout: setting("request-timeout", "Seconds until a request is there, its body included", seconds, {
    standard: "300"
  }),
  idleTimeout: setting("idle-timeout", "Seconds that a connection stays open after its last answer", seconds, {
    standard: "75"
  }),
  connectionsPerAddress: setting(
    "connections-per-address",
    "Connections that one address holds open, 0 for no limit",
    wholeNumber({ max: 1_000_000 }),
    { standard: "1000" }
  ),
  integrationsUrl: setting("integrations-url", "The URL that integrations are reached by", beginning),
  allowedPrivateHosts: setting(
    "allowed-private-hosts",
    "Private hosts that may be fetched for a caller, by comma",
    hosts,
    { standard: "", reloads: true }
  ),
  corsOrigins: setting("cors-origins", "Origins whose pages may use the interface, by comma, or *", origins, {
    standard: ""
  }),
  checkLinks: setting("check-links", "Whether links to other websites are checked: on or off", onOrOff, {
    standard: "off"
  }),
  apiCalls: setting(
    "api-calls",
    "Whether this server calls APIs that readers try, where their specs say so: on or off",
    onOrOff,
    { standard: "on" }
  ),
  catalogue: setting("catalogue", "Whether the integrations that come with Lectern are published: on or off", onOrOff, {
    standard: "on"
  }),
  hostnameProof: setting("hostname-proof", "Whether hostnames of sites want proof: on or off", onOrOff, {
    standard: "on"
  }),
  rateLimit: setting("rate-limit", "Requests per minute and token, 0 for no limit", requests, {
    standard: "0",
    reloads: true
  }),
  integrationsRateLimit: setting(
    "integrations-rate-limit",
    "Requests to integrations per minute and address, 0 for no limit",
    requests,
    { standard: "0", reloads: true }
  ),
  responseCache: setting(
    "response-cache",
    "MiB of answers that are kept in memory, 0 for none",
    wholeNumber({ max: 65_536 }),
    { standard: "32" }
  ),
  createOrganizations: setting(
    "create-organizations",
    `Who may make organizations: ${OrganizationMakers.literals.join(", ")}`,
    oneOf(OrganizationMakers.literals),
    { standard: "admins" }
  ),
  organizationsPerUser: setting(
    "organizations-per-user",
    "How many organizations a user may make",
    wholeNumber({ max: 1_000_000 }),
    { standard: "100" }
  ),
  auditDays: setting("audit-days", "Days that the audit log is kept, 0 for good", wholeNumber({ max: 36_500 }), {
    standard: "365"
  }),
  gitFetch: setting(
    "git-fetch",
    "The most that is fetched of a Git branch into memory (MiB)",
    wholeNumber({ min: 1, max: 2_048 }),
    { standard: "512" }
  ),
  gitProgram: setting("git-program", "The program git, for branches of more than 16 MiB, or off", text, {
    standard: "git"
  }),
  gitProgramFetch: setting(
    "git-program-fetch",
    "The most that the program git fetches of a branch (MiB)",
    wholeNumber({ min: 1, max: 16_384 }),
    { standard: "2048" }
  ),
  importArchive: setting(
    "import-archive",
    "The largest archive that is imported by its URL (MiB)",
    wholeNumber({ min: 1, max: 4_096 }),
    { standard: "500" }
  ),
  metricsPort: setting("metrics-port", "The port that /metrics is answered at", port),
  metricsHost: setting("metrics-host", "The address that /metrics is answered at", text, { standard: "127.0.0.1" }),
  accessLog: setting("access-log", "The file for a line about each request, - for standard output", path),
  accessLogAddresses: setting(
    "access-log-addresses",
    "Whether the access log says where requests come from: on or off",
    onOrOff,
    { standard: "on" }
  ),
  otlpUrl: setting("otlp-url", "The collector for traces, metrics and logs (OTLP over HTTP)", url),
  backup: setting("backup", "The folder that backups are made in, by themselves", path),
  backupHours: setting("backup-hours", "Hours from one backup to the next", wholeNumber({ min: 1, max: 8_760 }), {
    standard: "24"
  }),
  backupKeep: setting("backup-keep", "How many backups are kept", wholeNumber({ min: 1, max: 1_000 }), {
    standard: "7"
  }),
  translator: setting("translator", `What translates: ${engines.join(", ")}`, oneOf(engines), { standard: "pseudo" }),
  translatorUrl: setting("translator-url", "Where the translation engine is", url),
  translatorKey: setting("translator-key", "The translation engine's key", secret, { isSecret: true }),
  translatorModel: setting("translator-model", "The model that translates, of openai", text),
  translatorTimeout: setting("translator-timeout", "Seconds that one answer of the engine may take", seconds, {
    standard: "60"
  }),
  rendererUrl: setting("renderer-url", "The URL of a renderer that is told when what it keeps has changed", beginning),
  rendererSecret: setting("renderer-secret", "The secret that this is signed with", secret, { isSecret: true }),
  firstStart: setting("first-start", "Begin anew where there was a database, and it is gone", onOrOff, {
    standard: "off",
    isSwitch: true
  }),
  bootstrapToken: setting("bootstrap-token", "The administrator's token of a first start", chosenSecret, {
    isSecret: true
  })
}
