/**
 * The data folder, opened: every service of Lectern over the SQLite file in it. Several processes
 * may have the same folder open, a server and commands for instance.
 */
import { access, constants } from "node:fs/promises"
import { resolve } from "node:path"
import { fileErrorReason } from "@lectern/core/storage/FileErrorReason"
import { makeFolder } from "@lectern/adapter-sqlite/NewFolder"
import { NodeCipher } from "@lectern/adapter-sqlite/NodeCipher"
import { NodeHasher } from "@lectern/adapter-sqlite/NodeHasher"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { AllowedHosts } from "@lectern/core/fetch/Addresses"
import { SecretKey } from "@lectern/core/identity/SecretKey"
import { IntegrationsUrl } from "@lectern/core/integration/IntegrationEndpoints"
import { PublicUrl } from "@lectern/core/identity/PublicUrl"
import * as Lectern from "@lectern/core/Lectern"
import { SitesUrl } from "@lectern/core/site/SiteAddress"
import type { InterfaceAddress } from "@lectern/integrations-workerd/OutsideDoor"
import { WorkerdRuntime } from "@lectern/integrations-workerd/WorkerdRuntime"
import { NodeServices } from "@lectern/services-node/NodeServices"
import { Effect, Layer } from "effect"
import * as Checkpoints from "./Checkpoints.ts"
import { CommandFailed } from "./CommandFailed.ts"
import { databaseIn } from "./DataFolder.ts"
import type { DataSettings, Settings } from "./settings/Settings.ts"
import * as MeasuredPorts from "./observe/MeasuredPorts.ts"
import * as ServedUrl from "./ServedUrl.ts"
import { layerOf } from "./settings/TranslatorSettings.ts"
import * as Upgrade from "./Upgrade.ts"
import * as Workerd from "./Workerd.ts"

type Options = Partial<Pick<DataSettings, "upgradeBackup">> &
  Pick<DataSettings, "data" | "publicUrl" | "sitesUrl" | "secretKey"> &
  Partial<
    Pick<
      Settings,
      | "auditDays"
      | "checkLinks"
      | "firstStart"
      | "gitFetch"
      | "gitProgram"
      | "gitProgramFetch"
      | "hostnameProof"
      | "importArchive"
      | "organizations"
      | "translation"
    > & {
      /** May change while the data is open. */
      readonly allowedHosts: AllowedHosts
      /** Address at which the server of this process listens: programs of integrations reach the interface there. */
      readonly listensAt?: InterfaceAddress
      /** Count and time what goes out of the process. Default: false. */
      readonly isMeasured: boolean
      /** URL below which the endpoints of integrations are reached. */
      readonly integrationsUrl?: string
    }
  >

/**
 * Length up to which a command computes in place: nobody else waits in its process, and a thread takes 0.4 s
 * to begin.
 */
const inPlace = 1024 * 1024

/** Pages of the log of a command, which nobody waits for: 64 MiB. */
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
  auditDays = 365,
  checkLinks = false,
  gitFetch,
  gitProgram = "off",
  gitProgramFetch,
  organizations,
  listensAt,
  integrationsUrl,
  isMeasured = false,
  hostnameProof = true,
  importArchive,
  translation = { engine: "pseudo" }
}: Options) =>
  Layer.unwrap(
    Effect.gen(function* () {
      yield* prepare(resolve(data))
      yield* Upgrade.backUpFirst(databaseIn(data), upgradeBackup)
      const workerd = Workerd.beside()
      const node = NodeServices.layers({
        allowedPrivateHosts,
        gitRemote: {
          ...(gitFetch !== undefined && { limits: { maxFetchBytes: gitFetch * mebibyte } }),
          ...(gitProgram !== "off" && {
            program: {
              command: gitProgram,
              ...(gitProgramFetch !== undefined && { maxFetchBytes: gitProgramFetch * mebibyte })
            }
          })
        },
        ...(listensAt === undefined && { threads: { inPlace } })
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
        auditDays,
        checkLinks,
        ...(organizations && { organizations }),
        hostnameProof,
        ...(importArchive !== undefined && { imports: { archiveBytes: importArchive * mebibyte } }),
        integrationRuntime: isMeasured ? MeasuredPorts.integrationRuntime(runtime) : runtime,
        translator: layerOf(translation)
      }).pipe(
        Layer.provide([
          publicUrl === undefined ? ServedUrl.layer : Layer.succeed(PublicUrl, publicUrl),
          sitesUrl === undefined ? Layer.empty : Layer.succeed(SitesUrl, sitesUrl),
          integrationsUrl === undefined ? Layer.empty : Layer.succeed(IntegrationsUrl, integrationsUrl)
        ]),
        Layer.provideMerge(
          SqliteStorage.layer({
            filename: databaseIn(data),
            anew: firstStart,
            ...(listensAt === undefined ? { logPages } : { checkpointLog: yield* Checkpoints.inThread }),
            ...(secretKey !== undefined && { secretKey: SecretKey.given(secretKey, "LECTERN_SECRET_KEY") })
          })
        )
      )
    })
  )

/** Makes the folder where there is none; what it holds is nobody's business but the server's. */
const prepare = (folder: string) =>
  Effect.tryPromise({
    try: async () => {
      await makeFolder(folder)
      // By the entry that only a folder has.
      await access(`${folder}/.`, constants.R_OK | constants.W_OK | constants.X_OK)
    },
    catch: (cause) =>
      new CommandFailed({ message: `The data folder ${folder} can't be used: ${fileErrorReason(cause)}` })
  })
