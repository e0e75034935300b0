/**
 * Opens a data folder: provides all services of Lectern over its SQLite database. Several processes may open one folder
 * at a time, for example a server and commands.
 */
import { access, constants } from "node:fs/promises"
import { resolve } from "node:path"
import { fileErrorReason } from "@lectern/core/storage/FileErrorReason"
import { makeFolder } from "@lectern/adapter-sqlite/connections/PrivateFiles"
import { NodeCipher } from "@lectern/adapter-sqlite/NodeCipher"
import { NodeHasher } from "@lectern/adapter-sqlite/NodeHasher"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { AllowedHosts } from "@lectern/core/fetch/Addresses"
import { SecretKey } from "@lectern/core/identity/SecretKey"
import { IntegrationsUrl } from "@lectern/core/integration/IntegrationEndpoints"
import { AppPaths } from "@lectern/core/identity/AppUrls"
import { PublicUrl } from "@lectern/core/identity/PublicUrl"
import * as Lectern from "@lectern/core/Lectern"
import { SitesUrl } from "@lectern/core/site/SiteAddress"
import type { InterfaceAddress } from "@lectern/integrations-workerd/OutboundProxy"
import { WorkerdRuntime } from "@lectern/integrations-workerd/WorkerdRuntime"
import { NodeExchange } from "@lectern/services-node/NodeExchange"
import { NodePasswordHasher } from "@lectern/services-node/password/NodePasswordHasher"
import { NodePasskeys } from "@lectern/services-node/passkey/NodePasskeys"
import { NodeServices } from "@lectern/services-node/NodeServices"
import * as SignIn from "@lectern/sign-in/SignIn"
import { Effect, Layer } from "effect"
import * as Checkpoints from "./Checkpoints.ts"
import * as Console from "./Console.ts"
import { CommandFailed } from "@lectern/cli/CommandFailed"
import { databaseIn } from "./DataFolder.ts"
import type { DataSettings, Settings } from "./settings/Settings.ts"
import * as MeasuredPorts from "./observe/MeasuredPorts.ts"
import * as ServedUrl from "./ServedUrl.ts"
import { consoleFiles } from "./ShippedFiles.ts"
import * as MailSettings from "./settings/MailSettings.ts"
import { layerOf } from "./settings/TranslatorSettings.ts"
import * as Upgrade from "./Upgrade.ts"
import * as Workerd from "./Workerd.ts"

type Options = Partial<Pick<DataSettings, "upgradeBackup">> &
  Pick<DataSettings, "data" | "mail" | "publicUrl" | "sitesUrl" | "secretKey"> &
  Partial<
    Pick<
      Settings,
      | "addressProof"
      | "auditDays"
      | "checkLinks"
      | "firstStart"
      | "gitFetch"
      | "gitProgram"
      | "gitProgramFetch"
      | "importArchive"
      | "mailLimits"
      | "oidcProviders"
      | "organizations"
      | "sessions"
      | "signIn"
      | "translation"
    > & {
      /** Hosts in private networks that may be contacted. The list may change while the data is open. */
      readonly allowedHosts: AllowedHosts
      /** Address of the server of this process, at which integrations call the API. Undefined in a command. */
      readonly listensAt?: InterfaceAddress
      /** True to measure fetches and runs of integrations. Default: false. */
      readonly isMeasured: boolean
      /** Base URL of the endpoints of integrations. */
      readonly integrationsUrl?: string
    }
  >

/**
 * Maximum length of a text that a command processes in its main thread. A thread takes 0.4 s to start, and a command has
 * no other work.
 */
const inPlace = 1024 * 1024

/** Pages of the write-ahead log after which a command checkpoints: 64 MiB, since no request waits for a checkpoint. */
const logPages = 16_384

const mebibyte = 1024 * 1024

export const layer = ({
  data,
  publicUrl,
  sitesUrl,
  secretKey,
  upgradeBackup = true,
  firstStart = false,
  allowedHosts: allowedPrivateHosts = new AllowedHosts(),
  addressProof = "auto",
  auditDays = 365,
  checkLinks = false,
  gitFetch,
  gitProgram = "off",
  gitProgramFetch,
  organizations,
  sessions,
  signIn,
  listensAt,
  integrationsUrl,
  isMeasured = false,
  importArchive,
  mail,
  mailLimits,
  oidcProviders,
  translation = { engine: "pseudo" }
}: Options) =>
  Layer.unwrap(
    Effect.gen(function* () {
      yield* prepare(resolve(data))
      yield* Upgrade.backUpFirst(databaseIn(data), upgradeBackup)
      const workerd = Workerd.programPath()
      const node = NodeServices.layers({
        allowedPrivateHosts,
        ...(listensAt === undefined && { threads: { inPlace } })
      })
      const exchange = NodeExchange.extension({
        allowedPrivateHosts,
        ...(importArchive !== undefined && { imports: { archiveBytes: importArchive * mebibyte } }),
        gitRemote: {
          ...(gitFetch !== undefined && { limits: { maxFetchBytes: gitFetch * mebibyte } }),
          ...(gitProgram !== "off" && {
            program: {
              command: gitProgram,
              ...(gitProgramFetch !== undefined && { maxFetchBytes: gitProgramFetch * mebibyte })
            }
          })
        }
      })
      const runtime = WorkerdRuntime.layer({
        ...(workerd !== undefined && { program: workerd }),
        allowedPrivateHosts,
        ...(listensAt && publicUrl !== undefined && { api: { url: publicUrl, at: listensAt } })
      })
      return Lectern.layer({
        hasher: NodeHasher.layer,
        cipher: NodeCipher.layer,
        ...node,
        ...(isMeasured && { fetch: MeasuredPorts.fetch(node.fetch) }),
        extensions: [
          exchange,
          SignIn.extension({
            passwordHasher: NodePasswordHasher.layer,
            passkeyProtocol: NodePasskeys.layer
          })
        ],
        addressProof,
        auditDays,
        checkLinks,
        ...(organizations && { organizations }),
        ...(mail && { mail: isMeasured ? MeasuredPorts.mail(MailSettings.layerOf(mail)) : MailSettings.layerOf(mail) }),
        ...(mailLimits && { mailLimits }),
        ...(oidcProviders && { oidcProviders }),
        ...(sessions && { sessions }),
        ...(signIn && { signInWays: signIn }),
        integrationRuntime: isMeasured ? MeasuredPorts.integrationRuntime(runtime) : runtime,
        translator: layerOf(translation)
      }).pipe(
        Layer.provide([
          publicUrl === undefined ? ServedUrl.layer : Layer.succeed(PublicUrl, publicUrl),
          consoleFiles() === undefined ? Layer.empty : Layer.succeed(AppPaths, Console.paths),
          sitesUrl === undefined ? Layer.empty : Layer.succeed(SitesUrl, sitesUrl),
          integrationsUrl === undefined ? Layer.empty : Layer.succeed(IntegrationsUrl, integrationsUrl)
        ]),
        Layer.provideMerge(
          SqliteStorage.layer({
            filename: databaseIn(data),
            firstStart,
            ...(listensAt === undefined ? { logPages } : { checkpointLog: yield* Checkpoints.inThread }),
            ...(secretKey !== undefined && { secretKey: SecretKey.fromKeys(secretKey, "LECTERN_SECRET_KEY") })
          })
        )
      )
    })
  )

/** Creates the folder if it is missing, accessible only to the user of the server. */
const prepare = (folder: string) =>
  Effect.tryPromise({
    try: async () => {
      await makeFolder(folder)
      // The entry "." exists only in a folder, so access to a file fails.
      await access(`${folder}/.`, constants.R_OK | constants.W_OK | constants.X_OK)
    },
    catch: (cause) =>
      new CommandFailed({ message: `The data folder ${folder} can't be used: ${fileErrorReason(cause)}` })
  })
