/** Runs the server: listens, opens the data, makes a first start where there was none, and answers. */
import { resolve } from "node:path"
import { IntegrationsUrl } from "@lectern/core/integration/IntegrationEndpoints"
import { JobWorker } from "@lectern/core/job/JobWorker"
import { ApiDescriptions } from "@lectern/http/server/ApiDescription"
import { MountedApp } from "@lectern/http/server/MountedApp"
import { Compressors } from "@lectern/http/server/Compression"
import { CorsOrigins } from "@lectern/http/server/Cors"
import * as HttpApp from "@lectern/http/server/HttpApp"
import * as IntegrationsApp from "@lectern/http/server/IntegrationsApp"
import { Observers } from "@lectern/http/server/Observation"
import { RequestsPerMinute } from "@lectern/http/server/RateLimit"
import { ResponseCacheOptions } from "@lectern/http/server/cache/ResponseCache"
import { NodeFetch } from "@lectern/services-node/fetch/NodeFetch"
import { NodePainter } from "@lectern/services-node/painting/NodePainter"
import { NodeApiCaller } from "@lectern/services-node/site/NodeApiCaller"
import * as Paintings from "@lectern/site/painting/Paintings"
import * as SiteHosts from "@lectern/site/server/SiteHosts"
import { Context, Effect, Layer, Redacted, Scope } from "effect"
import * as Backups from "./Backups.ts"
import * as Catalogue from "./Catalogue.ts"
import { compress } from "./Compression.ts"
import * as Data from "./Data.ts"
import { databaseIn } from "./DataFolder.ts"
import { type Begun, firstStart } from "./FirstStart.ts"
import * as HeapGrowth from "./HeapGrowth.ts"
import * as IdleMemory from "./IdleMemory.ts"
import { CommandFailed } from "./CommandFailed.ts"
import * as PassedSockets from "./edge/PassedSockets.ts"
import { localAddress, localHost } from "./LocalHost.ts"
import * as AccessLog from "./observe/AccessLog.ts"
import * as Metrics from "./observe/Metrics.ts"
import * as ProcessLimits from "./ProcessLimits.ts"
import * as RendererRevalidation from "./RendererRevalidation.ts"
import * as ServedUrl from "./ServedUrl.ts"
import * as Sites from "./Sites.ts"
import * as StartWarnings from "./StartWarnings.ts"
import * as Stopping from "./Stopping.ts"
import * as Listener from "./Listener.ts"
import { columns, print } from "./Output.ts"
import { describe } from "./Descriptions.ts"
import * as Logs from "./Logs.ts"
import type { LiveSettings } from "./settings/LiveSettings.ts"
import { Environment } from "./settings/SettingSources.ts"
import { serverTable } from "./settings/SettingTable.ts"
import type { serverSettings, Settings } from "./settings/Settings.ts"
import * as Workerd from "./Workerd.ts"

type Resolved = Effect.Success<ReturnType<typeof serverSettings>>

/** Before anything ends, whether the start is over or not. */
const stopping = Effect.onInterrupt(() => Effect.andThen(Effect.sync(Stopping.begin), Effect.logInfo("Lectern stops")))

/** `live`: the settings among them that may change. */
export const serve = Effect.fnUntraced(
  function* ({ settings, file }: Resolved, live: LiveSettings) {
    HeapGrowth.begin()
    const descriptors = PassedSockets.take()
    const listener = yield* Listener.make(interfaceOf(settings, descriptors))
    const endpoints = yield* listenToIntegrations(settings, listener.at, descriptors)
    const url = urlOf(listener.at, settings)
    const integrationsUrl = settings.integrationsUrl ?? urlOf(endpoints.at, settings)
    const publicUrl = settings.publicUrl ?? url
    if ([publicUrl, integrationsUrl].some((one) => one.startsWith(unix))) {
      return yield* new CommandFailed({
        message: "A socket has no URL of its own: set LECTERN_PUBLIC_URL and LECTERN_INTEGRATIONS_URL"
      })
    }
    const addresses = { publicUrl, sitesUrl: sitesUrlOf(publicUrl, settings) }
    const refused = SiteHosts.refusal(addresses)
    if (refused !== undefined) yield* new CommandFailed({ message: `LECTERN_SITES_URL ${refused}` })
    if (addresses.sitesUrl === undefined) yield* Effect.logWarning(withoutSites)
    for (const warning of [
      ...StartWarnings.unknownVariables(yield* Environment, serverTable),
      ...StartWarnings.openSecrets(file, serverTable)
    ]) {
      yield* Effect.logWarning(warning)
    }
    yield* Workerd.warnOfNone
    const listensAt = { ...localAddress(listener.at), isSecure: settings.certificate !== undefined }
    const isMeasured = settings.metricsPort !== undefined || settings.otlpUrl !== undefined
    const observers = [
      ...(settings.accessLog === undefined
        ? []
        : [yield* AccessLog.make(settings.accessLog, settings.accessLogAddresses)]),
      ...(isMeasured ? [Metrics.observe] : [])
    ]
    const data = yield* Layer.build(
      Layer.mergeAll(
        Data.layer({ ...settings, allowedHosts: live.allowedHosts, publicUrl, integrationsUrl, listensAt, isMeasured }),
        // Whoever reads a site sees the logo that is fetched: nothing of a private network is.
        Layer.provideMerge(Paintings.layer, NodePainter.layer({ fetch: NodeFetch.layer() })),
        settings.apiCalls ? NodeApiCaller.layer() : Layer.empty
      )
    )
    yield* StartWarnings.openFiles(settings.data)
    const worker = Context.get(data, JobWorker)
    const gone = yield* StartWarnings.otherServer(settings.data, worker.name)
    if (settings.backups !== undefined) yield* StartWarnings.backupFolder(settings.backups.folder)
    yield* Effect.provideContext(ServedUrl.note(publicUrl), data)
    yield* Effect.provideContext(StartWarnings.changingKey, data)

    const sites = yield* Effect.provideContext(
      Sites.make({ ...addresses, trusted: settings.edge.trusted, isSecure: settings.certificate !== undefined }).pipe(
        Effect.provideService(IntegrationsUrl, integrationsUrl)
      ),
      data
    )
    const { begun, app, integrations } = yield* Effect.all({
      begun: firstStart(settings),
      app: HttpApp.make.pipe(
        Effect.provideService(RequestsPerMinute, () => live.rateLimit),
        Effect.provideService(CorsOrigins, settings.corsOrigins),
        Effect.provideService(Compressors, compress),
        Effect.provideService(Observers, observers),
        Effect.provideService(ResponseCacheOptions, responseCache(settings)),
        Effect.provideService(ApiDescriptions, describe),
        Effect.provideService(MountedApp, sites)
      ),
      integrations: IntegrationsApp.make.pipe(
        Effect.provideService(Observers, observers),
        Effect.provideService(IntegrationsApp.EndpointRequestsPerMinute, () => live.integrationsRateLimit)
      )
    }).pipe(Effect.provideContext(data))
    // Outside of the services: each request would carry what is around here.
    const logged = Logs.atLevel(live)
    const beside = yield* together
    yield* beside(logged.context(listener.serve(logged.app(app.handle), ahead(settings, live, app))))
    yield* beside(logged.context(endpoints.serve(logged.app(integrations))))
    const metrics = yield* beside(Effect.provideContext(listenForMetrics(settings), data))
    yield* print(settings.json, announcement(settings, { url, integrationsUrl, metrics }, begun))
    if (begun !== undefined) yield* Effect.provideContext(begun.finish, data)
    if (settings.catalogue) yield* Effect.provideContext(Catalogue.bring(), data)
    if (gone !== undefined) yield* takeOver(worker, gone)
    yield* worker.start
    if (settings.rendererUrl !== undefined) {
      const renderer = { url: settings.rendererUrl, secret: settings.rendererSecret }
      yield* Effect.provideContext(RendererRevalidation.follow(renderer), data)
    }
    yield* Effect.sync(HeapGrowth.release)
    yield* Effect.logInfo("Lectern is ready").pipe(Effect.annotateLogs({ url, data: resolve(settings.data) }))
    yield* Effect.forkScoped(IdleMemory.giveBack)

    if (settings.backups !== undefined) {
      yield* Effect.forkScoped(Backups.run(settings.backups, databaseIn(settings.data)))
    }

    return yield* Effect.never
  },
  stopping,
  Effect.scoped,
  (serving) => Effect.suspend(() => Effect.provideContext(serving, ProcessLimits.make()))
)

/** On a full disk, say, its leases are waited for. */
const takeOver = (worker: JobWorker["Service"], gone: string) =>
  worker
    .takeOver(gone)
    .pipe(Effect.catch((failure) => Effect.logWarning("Work of a server that was killed goes on later", failure)))

/** Below the interface sites are on this machine alone: elsewhere they would share its hostname. */
const sitesUrlOf = (publicUrl: string, { sitesUrl }: Settings): string | undefined =>
  sitesUrl ?? (SiteHosts.isLoopback(new URL(publicUrl).hostname) ? `${publicUrl}/sites` : undefined)

const withoutSites =
  "Sites without a hostname of their own are not served, as they would share the interface's: set LECTERN_SITES_URL " +
  "to one below another hostname, such as https://docs.example.com, or https://*.docs.example.com for a host each"

/** Scopes for what ends at one time: one listener would wait, and take calls, until another has ended. */
const together = Effect.gen(function* () {
  const all = yield* Scope.fork(yield* Effect.scope, "parallel")
  return <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.flatMap(Scope.fork(all), (one) => Scope.provide(effect, one))
})

/** A trace is of an answer that was looked for. */
const responseCache = ({ otlpUrl, responseCache }: Settings) => ({
  bytes: otlpUrl === undefined ? responseCache * 1024 * 1024 : 0
})

/** Answers ahead of the rest: they have no line in the log, and no trace. */
const ahead = ({ otlpUrl }: Settings, live: LiveSettings, { cached, handleShort }: HttpApp.HttpApp): Listener.Ahead => {
  const isLogged = () => live.logLevel === "debug" || live.logLevel === "trace"
  return {
    cached: cached && ((...request) => (isLogged() ? undefined : cached(...request))),
    handleShort: (...request) => (otlpUrl !== undefined || isLogged() ? undefined : handleShort(...request))
  }
}

/** Begins what stands for the URL of a Unix socket. */
const unix = "unix:"

const urlOf = (at: Listener.Bound, { certificate }: Settings): string =>
  "socket" in at
    ? `${unix}${at.socket.replace("\0", "@")}`
    : `${certificate === undefined ? "http" : "https"}://${localHost(at.host)}:${at.port}`

const interfaceOf = (settings: Settings, [descriptor]: ReadonlyArray<number>): Listener.ListenerOptions => {
  const { host, port, socket } = settings
  if (descriptor !== undefined) return { ...settings, at: { descriptor } }
  return { ...settings, at: socket === undefined ? { host, port } : { socket } }
}

/**
 * At what was passed or chosen; else at the port behind the interface's, or any other where that is taken, that of
 * metrics, or not there.
 */
const listenToIntegrations = (settings: Settings, used: Listener.Bound, [, descriptor]: ReadonlyArray<number>) => {
  const { host, port, integrationsPort, integrationsSocket, metricsPort } = settings
  const listen = (at: Listener.Address) => Listener.make({ ...settings, at })
  if (descriptor !== undefined) return listen({ descriptor })
  if (integrationsSocket !== undefined) return listen({ socket: integrationsSocket })
  if (integrationsPort !== undefined) return listen({ host, port: integrationsPort })
  const free = listen({ host, port: 0 })
  return port === 0 || "socket" in used || used.port === 65_535 || used.port + 1 === metricsPort
    ? free
    : Effect.catchTag(listen({ host, port: used.port + 1 }), "CommandFailed", () => free)
}

/** The URL of `/metrics`, undefined where there is none. */
const listenForMetrics = Effect.fnUntraced(function* (settings: Settings) {
  const { metricsPort, metricsHost, otlpUrl, data } = settings
  const filename = databaseIn(data)
  if (otlpUrl !== undefined) yield* Effect.forkScoped(Metrics.keepLooking(filename))
  if (metricsPort === undefined) return undefined
  const listener = yield* Listener.make({ at: { host: metricsHost, port: metricsPort } })
  yield* listener.serve(yield* Metrics.app(filename))
  return "port" in listener.at ? `http://${localHost(metricsHost)}:${listener.at.port}/metrics` : undefined
})

interface Served {
  readonly url: string
  readonly integrationsUrl: string
  readonly metrics: string | undefined
}

const announcement = (settings: Settings, served: Served, begun: Begun | undefined) => {
  const { url, integrationsUrl, metrics } = served
  const places: ReadonlyArray<readonly [name: string, value: string]> = [
    ["Interface", `${url}/v1`],
    ["Integrations", integrationsUrl],
    ["Reference", `${url}/docs`],
    ...(metrics === undefined ? [] : [["Metrics", metrics] as const]),
    ["Data", resolve(settings.data)]
  ]
  if (begun === undefined) {
    return {
      json: { url, integrationsUrl, metrics, data: resolve(settings.data), firstStart: false },
      text: `Lectern is ready at ${url}, with the data that was there.\n\n${columns(places)}\n`
    }
  }
  const { organization, user, space, chosen, manual } = begun
  const token = Redacted.value(begun.token)
  const shown = chosen ? "$LECTERN_BOOTSTRAP_TOKEN" : token
  return {
    json: {
      url,
      integrationsUrl,
      metrics,
      data: resolve(settings.data),
      firstStart: true,
      organization,
      user,
      space,
      ...(manual !== undefined && { manual }),
      ...(!chosen && { token })
    },
    text: [
      `Lectern is ready at ${url}. This is its first start: it made`,
      "",
      columns([
        ...(manual === undefined ? [] : [["Manual", manual] as const]),
        ...places,
        ["Organization", `${organization.title} (${organization.id})`],
        ["Administrator", `${user.displayName} (${user.id})`],
        [
          "Space",
          `${space.title} (${space.id})${begun.imported === undefined ? ", empty: there is no docs folder" : ""}`
        ],
        ["Token", chosen ? "as LECTERN_BOOTSTRAP_TOKEN says" : `${token} (shown this once: keep it)`]
      ]),
      "",
      ...(manual === undefined ? [] : [`Read the manual in a browser: ${manual}`, ""]),
      "Try it:",
      "",
      `  curl -H "Authorization: Bearer ${shown}" ${url}/v1/spaces/${space.id}/content/pages`,
      ""
    ].join("\n")
  }
}
