/**
 * All settings of Lectern. A flag overrides the environment, and the environment overrides the settings file. An empty
 * value counts as unset.
 */
import { type LogLevel, logLevels } from "@lectern/cli/Logs"
import { AddressProof } from "@lectern/core/site/AddressProofs"
import { SignInMethod } from "@lectern/core/token/Token"
import { OrganizationCreators } from "@lectern/core/organization/OrganizationCreation"
import { forwardedHeaders } from "../edge/ClientAddress.ts"
import { setting } from "./Setting.ts"
import {
  baseUrl,
  chosenSecret,
  hosts,
  listOf,
  mailbox,
  oneOf,
  onOrOff,
  origins,
  path,
  port,
  ranges,
  secret,
  smtpUrl,
  text,
  url,
  wholeNumber
} from "./SettingKind.ts"

const logLevel = (level: LogLevel) =>
  setting("log-level", `Minimum level of log entries: ${logLevels.join(", ")}`, oneOf(logLevels), {
    default: level,
    reloads: true
  })

/** Settings of every command: data folder, URLs, secret key, mail, and log level. */
export const dataTable = {
  data: setting("data", "Data folder", path, { default: "data" }),
  publicUrl: setting("public-url", "Public URL of this server", baseUrl),
  sitesUrl: setting("sites-url", "Base URL of published docs sites", baseUrl),
  secretKey: setting("secret-key", "Key that encrypts secrets", chosenSecret, { isSecret: true }),
  smtpUrl: setting("smtp-url", "Mail server, such as smtps://user:password@mail.example.com", smtpUrl, {
    isSecret: true
  }),
  mailFrom: setting("mail-from", "Sender of mails, such as Acme Docs <docs@example.com>", mailbox),
  upgradeBackup: setting("upgrade-backup", "Back up data before an upgrade: on or off", onOrOff, { default: "on" }),
  logLevel: logLevel("warn")
}

const engines = ["pseudo", "libretranslate", "openai"] as const

/** Maximum number of requests per minute. 0 = no limit. */
const requests = wholeNumber({ max: 1_000_000 })

const seconds = wholeNumber({ min: 1, max: 3_600 })

/** Settings of a server. */
export const serverTable = {
  ...dataTable,
  logLevel: logLevel("info"),
  host: setting("host", "Address to listen on", text, { default: "127.0.0.1" }),
  port: setting("port", "Port to listen on, 0 for any free port", port, { default: "4000" }),
  integrationsPort: setting(
    "integrations-port",
    "Port of integration endpoints, 0 for any free port; if unset, the port after --port",
    port
  ),
  socket: setting("socket", "Unix socket to listen on, instead of host and port", path),
  integrationsSocket: setting("integrations-socket", "Unix socket of integration endpoints", path),
  tlsCertificate: setting("tls-certificate", "File of the TLS certificate, in PEM", path),
  tlsKey: setting("tls-key", "File of the key of the TLS certificate, in PEM", path),
  trustedProxies: setting("trusted-proxies", "Addresses and ranges of trusted proxies, separated by commas", ranges, {
    default: ""
  }),
  forwardedHeader: setting(
    "forwarded-header",
    `Header in which trusted proxies send client addresses: ${forwardedHeaders.join(", ")}`,
    oneOf(forwardedHeaders),
    { default: "x-forwarded-for" }
  ),
  headerTimeout: setting("header-timeout", "Seconds within which the headers of a request must arrive", seconds, {
    default: "60"
  }),
  requestTimeout: setting(
    "request-timeout",
    "Seconds within which a request must arrive, including its body",
    seconds,
    {
      default: "300"
    }
  ),
  idleTimeout: setting("idle-timeout", "Seconds that an idle connection stays open", seconds, {
    default: "75"
  }),
  connectionsPerAddress: setting(
    "connections-per-address",
    "Maximum number of open connections of one address, 0 for no limit",
    wholeNumber({ max: 1_000_000 }),
    { default: "1000" }
  ),
  integrationsUrl: setting("integrations-url", "Base URL of integration endpoints", baseUrl),
  allowedPrivateHosts: setting(
    "allowed-private-hosts",
    "Private hosts that the server may fetch from, separated by commas",
    hosts,
    { default: "", reloads: true }
  ),
  corsOrigins: setting(
    "cors-origins",
    "Origins that may call the API from browsers, separated by commas, or *",
    origins,
    {
      default: ""
    }
  ),
  checkLinks: setting("check-links", "Check links to other websites: on or off", onOrOff, {
    default: "off"
  }),
  apiCalls: setting(
    "api-calls",
    "Let the server call APIs that readers try out, if the spec of an API allows it: on or off",
    onOrOff,
    { default: "on" }
  ),
  catalogue: setting("catalogue", "Publish the integrations that are shipped with Lectern: on or off", onOrOff, {
    default: "on"
  }),
  addressProof: setting(
    "address-proof",
    `Require proof of ownership for hostnames and proxies of sites: ${AddressProof.literals.join(", ")}`,
    oneOf(AddressProof.literals),
    { default: "auto" }
  ),
  signIn: setting(
    "sign-in",
    `Ways to sign in, separated by commas: ${SignInMethod.literals.join(", ")}`,
    listOf(`some of ${SignInMethod.literals.join(", ")}, separated by commas`, oneOf(SignInMethod.literals).parse),
    { default: SignInMethod.literals.join(",") }
  ),
  oidcProviders: setting("oidc-providers", "OpenID Connect providers of the whole server, as JSON", secret, {
    isSecret: true
  }),
  sessionIdleHours: setting(
    "session-idle-hours",
    "Hours without a request after which a session ends",
    wholeNumber({ min: 1, max: 8_760 }),
    { default: "336" }
  ),
  sessionHours: setting(
    "session-hours",
    "Hours after the sign-in at which a session ends",
    wholeNumber({ min: 1, max: 8_760 }),
    { default: "720" }
  ),
  rateLimit: setting("rate-limit", "Maximum number of requests per minute and token, 0 for no limit", requests, {
    default: "0",
    reloads: true
  }),
  integrationsRateLimit: setting(
    "integrations-rate-limit",
    "Maximum number of requests to integrations per minute and address, 0 for no limit",
    requests,
    { default: "0", reloads: true }
  ),
  responseCache: setting(
    "response-cache",
    "Size of the response cache in MiB, 0 to disable it",
    wholeNumber({ max: 65_536 }),
    { default: "32" }
  ),
  createOrganizations: setting(
    "create-organizations",
    `Users who may create organizations: ${OrganizationCreators.literals.join(", ")}`,
    oneOf(OrganizationCreators.literals),
    { default: "admins" }
  ),
  organizationsPerUser: setting(
    "organizations-per-user",
    "Maximum number of organizations that a user may create",
    wholeNumber({ max: 1_000_000 }),
    { default: "100" }
  ),
  auditDays: setting(
    "audit-days",
    "Retention of the audit log in days, 0 for unlimited",
    wholeNumber({ max: 36_500 }),
    {
      default: "365"
    }
  ),
  gitFetch: setting(
    "git-fetch",
    "Maximum size of a Git branch that is fetched into memory, in MiB",
    wholeNumber({ min: 1, max: 2_048 }),
    { default: "512" }
  ),
  gitProgram: setting("git-program", "Path of the git program, for branches of more than 16 MiB, or off", text, {
    default: "git"
  }),
  gitProgramFetch: setting(
    "git-program-fetch",
    "Maximum size of a branch that the git program fetches, in MiB",
    wholeNumber({ min: 1, max: 16_384 }),
    { default: "2048" }
  ),
  importArchive: setting(
    "import-archive",
    "Maximum size of an archive that is imported by URL, in MiB",
    wholeNumber({ min: 1, max: 4_096 }),
    { default: "500" }
  ),
  metricsPort: setting("metrics-port", "Port of /metrics", port),
  metricsHost: setting("metrics-host", "Address of /metrics", text, { default: "127.0.0.1" }),
  accessLog: setting("access-log", "File of the access log, - for standard output", path),
  accessLogAddresses: setting("access-log-addresses", "Log client addresses in the access log: on or off", onOrOff, {
    default: "on"
  }),
  otlpUrl: setting("otlp-url", "URL of the collector for traces, metrics and logs (OTLP over HTTP)", url),
  backup: setting("backup", "Folder of scheduled backups", path),
  backupHours: setting("backup-hours", "Hours between scheduled backups", wholeNumber({ min: 1, max: 8_760 }), {
    default: "24"
  }),
  backupKeep: setting("backup-keep", "Number of scheduled backups to retain", wholeNumber({ min: 1, max: 1_000 }), {
    default: "7"
  }),
  mailsPerMinute: setting(
    "mails-per-minute",
    "Maximum number of mails that are sent in a minute",
    wholeNumber({ min: 1, max: 100_000 }),
    { default: "60" }
  ),
  mailsPerRecipient: setting(
    "mails-per-recipient",
    "Maximum number of mails to one address in an hour",
    wholeNumber({ min: 1, max: 10_000 }),
    { default: "20" }
  ),
  translator: setting("translator", `Translation engine: ${engines.join(", ")}`, oneOf(engines), {
    default: "pseudo"
  }),
  translatorUrl: setting("translator-url", "URL of the translation engine", url),
  translatorKey: setting("translator-key", "API key of the translation engine", secret, { isSecret: true }),
  translatorModel: setting("translator-model", "Model of the engine openai", text),
  translatorTimeout: setting(
    "translator-timeout",
    "Timeout of a request to the translation engine, in seconds",
    seconds,
    {
      default: "60"
    }
  ),
  rendererUrl: setting("renderer-url", "URL of a caching renderer that is notified of changes", baseUrl),
  rendererSecret: setting("renderer-secret", "Secret that signs notifications of the renderer", secret, {
    isSecret: true
  }),
  firstStart: setting("first-start", "Create a new database if the previous one is missing", onOrOff, {
    default: "off",
    isSwitch: true
  }),
  bootstrapToken: setting("bootstrap-token", "Token of the administrator at the first start", chosenSecret, {
    isSecret: true
  })
}
