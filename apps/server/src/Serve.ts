/** Runs the server: listens, opens the data folder, sets up an empty one, and serves requests. */
import { resolve } from "node:path"
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
import { SessionCookies, sessionsAt } from "@lectern/http/server/SessionCookies"
import { NodeFetch } from "@lectern/services-node/fetch/NodeFetch"
import { NodeSnippetRenderer } from "@lectern/services-node/rendering/NodeSnippetRenderer"
import { NodeApiCaller } from "@lectern/services-node/site/NodeApiCaller"
import * as SnippetCache from "@lectern/site/rendering/SnippetCache"
import * as SiteHosts from "@lectern/site/server/SiteHosts"
import { Context, Effect, Layer, Redacted, Scope } from "effect"
import * as Backups from "./Backups.ts"
import * as Catalogue from "./Catalogue.ts"
import { compress } from "./Compression.ts"
import * as Data from "./Data.ts"
import { databaseIn } from "./DataFolder.ts"
import { type FirstStartResult, firstStart } from "./FirstStart.ts"
import * as HeapGrowth from "@lectern/cli/HeapGrowth"
import * as IdleMemory from "./IdleMemory.ts"
import { CommandFailed } from "@lectern/cli/CommandFailed"
import * as PassedSockets from "./edge/PassedSockets.ts"
import { localAddress, localHost } from "./LocalHost.ts"
import * as AccessLog from "./observe/AccessLog.ts"
import * as Metrics from "./observe/Metrics.ts"
import * as ProcessLimits from "./ProcessLimits.ts"
import * as RendererRevalidation from "./RendererRevalidation.ts"
import * as ServedUrl from "./ServedUrl.ts"
import * as Sites from "./Sites.ts"
import * as StartWarnings from "./StartWarnings.ts"
import * as StopTimeout from "./StopTimeout.ts"
import * as Listener from "./Listener.ts"
import { columns, print } from "@lectern/cli/Output"
import { describe } from "./Descriptions.ts"
import * as Logs from "@lectern/cli/Logs"
import type { LiveSettings } from "./settings/LiveSettings.ts"
import { Environment } from "./settings/SettingSources.ts"
import { serverTable } from "./settings/SettingTable.ts"
import type { serverSettings, Settings } from "./settings/Settings.ts"
import * as Workerd from "./Workerd.ts"

type Resolved = Effect.Success<ReturnType<typeof serverSettings>>

/** Logs an interruption before any scope closes, during or after the start. */
const logStop = Effect.onInterrupt(() =>
  Effect.andThen(Effect.sync(StopTimeout.start), Effect.logInfo("Lectern stops"))
)

/** Runs until interrupted. `live`: settings that may change while the server runs. */
export const serve = Effect.fnUntraced(
  function* ({ settings, file }: Resolved, live: LiveSettings) {
    HeapGrowth.observeCollections()
    const descriptors = PassedSockets.take()
    const listener = yield* Listener.make(apiListenerOptions(settings, descriptors))
    const endpoints = yield* listenToIntegrations(settings, listener.at, descriptors)
    const url = urlOf(listener.at, settings)
    const integrationsUrl = settings.integrationsUrl ?? urlOf(endpoints.at, settings)
    const publicUrl = settings.publicUrl ?? url
    if ([publicUrl, integrationsUrl].some((address) => address.startsWith(unixPrefix))) {
      return yield* new CommandFailed({
        message: "A Unix socket has no URL: set LECTERN_PUBLIC_URL and LECTERN_INTEGRATIONS_URL"
      })
    }
    const addresses = { publicUrl, sitesUrl: sitesUrlOf(publicUrl, settings) }
    const problem = SiteHosts.configurationError(addresses)
    if (problem !== undefined) yield* new CommandFailed({ message: `LECTERN_SITES_URL ${problem}` })
    if (addresses.sitesUrl === undefined) yield* Effect.logWarning(noSitesWarning)
    for (const warning of [
      ...StartWarnings.unknownVariables(yield* Environment, serverTable),
      ...StartWarnings.openSecrets(file, serverTable)
    ]) {
      yield* Effect.logWarning(warning)
    }
    yield* Workerd.warnIfMissing
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
        // Readers of a site see its logo, so logos are never fetched from private networks.
        Layer.provideMerge(SnippetCache.layer, NodeSnippetRenderer.layer({ fetch: NodeFetch.layer() })),
        settings.apiCalls ? NodeApiCaller.layer() : Layer.empty
      )
    )
    yield* StartWarnings.openFiles(settings.data)
    const worker = Context.get(data, JobWorker)
    const previousWorker = yield* StartWarnings.otherServer(settings.data, worker.name)
    if (settings.backups !== undefined) yield* StartWarnings.backupFolder(settings.backups.folder)
    yield* Effect.provideContext(ServedUrl.note(publicUrl), data)
    yield* Effect.provideContext(StartWarnings.changingKey, data)

    const sites = yield* Effect.provideContext(
      Sites.make({ ...addresses, trusted: settings.edge.trusted, isSecure: settings.certificate !== undefined }),
      data
    )
    const { begun, app, integrations } = yield* Effect.all({
      begun: firstStart(settings),
      app: HttpApp.make.pipe(
        Effect.provideService(RequestsPerMinute, () => live.rateLimit),
        Effect.provideService(CorsOrigins, settings.corsOrigins),
        Effect.provideService(Compressors, compress),
        Effect.provideService(Observers, observers),
        Effect.provideService(ResponseCacheOptions, { bytes: settings.responseCache * 1024 * 1024 }),
        Effect.provideService(ApiDescriptions, describe),
        Effect.provideService(HttpApp.TraceRequests, settings.otlpUrl !== undefined),
        Effect.provideService(HttpApp.LogRequests, () => live.logLevel === "debug" || live.logLevel === "trace"),
        Effect.provideService(SessionCookies, sessionsAt(publicUrl)),
        Effect.provideService(MountedApp, sites)
      ),
      integrations: IntegrationsApp.make.pipe(
        Effect.provideService(Observers, observers),
        Effect.provideService(IntegrationsApp.EndpointRequestsPerMinute, () => live.integrationsRateLimit)
      )
    }).pipe(Effect.provideContext(data))
    // The services of the data folder are not in the context, since each request would copy them.
    const logged = Logs.atLevel(live)
    const inParallel = yield* parallelScopes
    yield* inParallel(logged.context(listener.serve(logged.respond(app.respond))))
    yield* inParallel(logged.context(endpoints.serve(logged.respond(integrations))))
    const metrics = yield* inParallel(Effect.provideContext(listenForMetrics(settings), data))
    yield* print(settings.json, announcement(settings, { url, integrationsUrl, metrics }, begun))
    if (begun !== undefined) yield* Effect.provideContext(begun.finish, data)
    if (settings.catalogue) yield* Effect.provideContext(Catalogue.publishAll(), data)
    if (previousWorker !== undefined) yield* takeOver(worker, previousWorker)
    yield* worker.start
    if (settings.rendererUrl !== undefined) {
      const renderer = { url: settings.rendererUrl, secret: settings.rendererSecret }
      yield* Effect.provideContext(RendererRevalidation.follow(renderer), data)
    }
    yield* Effect.sync(HeapGrowth.limitOldSpace)
    yield* Effect.logInfo("Lectern is ready").pipe(Effect.annotateLogs({ url, data: resolve(settings.data) }))
    yield* Effect.forkScoped(IdleMemory.releaseWhenIdle)

    if (settings.backups !== undefined) {
      yield* Effect.forkScoped(Backups.run(settings.backups, databaseIn(settings.data)))
    }

    return yield* Effect.never
  },
  logStop,
  Effect.scoped,
  (serving) => Effect.suspend(() => Effect.provideContext(serving, ProcessLimits.make()))
)

/** Takes over the jobs of a server that was killed. If that fails, its leases expire first. */
const takeOver = (worker: JobWorker["Service"], previous: string) =>
  worker
    .takeOverLeases(previous)
    .pipe(
      Effect.catch((failure) =>
        Effect.logWarning("Jobs of a server that was killed resume when their leases expire", failure)
      )
    )

/** Returns the URL of sites. The default, below the API, is only for loopback: elsewhere sites would share its hostname. */
const sitesUrlOf = (publicUrl: string, { sitesUrl }: Settings): string | undefined =>
  sitesUrl ?? (SiteHosts.isLoopback(new URL(publicUrl).hostname) ? `${publicUrl}/sites` : undefined)

const noSitesWarning =
  "Sites without a custom hostname are not served, because they would share the hostname of the API: set " +
  "LECTERN_SITES_URL to a URL with another hostname, such as https://docs.example.com, or https://*.docs.example.com " +
  "for one hostname for each site"

/** Creates scopes that close in parallel. Otherwise one listener would accept requests until another has closed. */
const parallelScopes = Effect.gen(function* () {
  const parentScope = yield* Scope.fork(yield* Effect.scope, "parallel")
  return <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.flatMap(Scope.fork(parentScope), (childScope) => Scope.provide(effect, childScope))
})

/** Prefix of the pseudo URL of a Unix socket. */
const unixPrefix = "unix:"

const urlOf = (address: Listener.BoundAddress, { certificate }: Settings): string =>
  "socket" in address
    ? `${unixPrefix}${address.socket.replace("\0", "@")}`
    : `${certificate === undefined ? "http" : "https"}://${localHost(address.host)}:${address.port}`

const apiListenerOptions = (settings: Settings, [descriptor]: ReadonlyArray<number>): Listener.ListenerOptions => {
  const { host, port, socket } = settings
  if (descriptor !== undefined) return { ...settings, at: { descriptor } }
  return { ...settings, at: socket === undefined ? { host, port } : { socket } }
}

/**
 * Listens for requests of integrations: at the passed descriptor, the configured socket or port, or else the port after
 * that of the API. If that port is in use, invalid, or the port of metrics, any free port is used.
 */
const listenToIntegrations = (
  settings: Settings,
  used: Listener.BoundAddress,
  [, descriptor]: ReadonlyArray<number>
) => {
  const { host, port, integrationsPort, integrationsSocket, metricsPort } = settings
  const listen = (address: Listener.Address) => Listener.make({ ...settings, at: address })
  if (descriptor !== undefined) return listen({ descriptor })
  if (integrationsSocket !== undefined) return listen({ socket: integrationsSocket })
  if (integrationsPort !== undefined) return listen({ host, port: integrationsPort })
  const anyPort = listen({ host, port: 0 })
  return port === 0 || "socket" in used || used.port === 65_535 || used.port + 1 === metricsPort
    ? anyPort
    : Effect.catchTag(listen({ host, port: used.port + 1 }), "CommandFailed", () => anyPort)
}

/** Returns the URL of `/metrics`, or undefined if metrics are not served. */
const listenForMetrics = Effect.fnUntraced(function* (settings: Settings) {
  const { metricsPort, metricsHost, otlpUrl, data } = settings
  const filename = databaseIn(data)
  if (otlpUrl !== undefined) yield* Effect.forkScoped(Metrics.updatePeriodically(filename))
  if (metricsPort === undefined) return undefined
  const listener = yield* Listener.make({ at: { host: metricsHost, port: metricsPort } })
  yield* listener.serve(yield* Metrics.app(filename))
  return "port" in listener.at ? `http://${localHost(metricsHost)}:${listener.at.port}/metrics` : undefined
})

interface ServedUrls {
  readonly url: string
  readonly integrationsUrl: string
  readonly metrics: string | undefined
}

const announcement = (settings: Settings, served: ServedUrls, startResult: FirstStartResult | undefined) => {
  const { url, integrationsUrl, metrics } = served
  const printedAddresses: ReadonlyArray<readonly [name: string, value: string]> = [
    ["Interface", `${url}/v1`],
    ["Integrations", integrationsUrl],
    ["Reference", `${url}/docs`],
    ...(metrics === undefined ? [] : [["Metrics", metrics] as const]),
    ["Data", resolve(settings.data)]
  ]
  if (startResult === undefined) {
    return {
      json: { url, integrationsUrl, metrics, data: resolve(settings.data), firstStart: false },
      text: `Lectern is ready at ${url} with its existing data.\n\n${columns(printedAddresses)}\n`
    }
  }
  const { organization, user, space, isChosen, manual } = startResult
  const token = Redacted.value(startResult.token)
  const signInLink = Redacted.value(startResult.signInLink)
  const displayedToken = isChosen ? "$LECTERN_BOOTSTRAP_TOKEN" : token
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
      ...(!isChosen && { token }),
      signInLink
    },
    text: [
      `Lectern is ready at ${url}. This is the first start. Lectern created:`,
      "",
      columns([
        ...(manual === undefined ? [] : [["Manual", manual] as const]),
        ...printedAddresses,
        ["Organization", `${organization.title} (${organization.id})`],
        ["Administrator", `${user.displayName} (${user.id})`],
        [
          "Space",
          `${space.title} (${space.id})${startResult.importedCount === undefined ? ", empty: no docs folder found" : ""}`
        ],
        ["Token", isChosen ? "set by LECTERN_BOOTSTRAP_TOKEN" : `${token} (shown only once: store it)`],
        ["Sign in", `${signInLink} (once, within 30 minutes)`]
      ]),
      "",
      ...(manual === undefined ? [] : [`Read the manual in a browser: ${manual}`, ""]),
      "Try it:",
      "",
      `  curl -H "Authorization: Bearer ${displayedToken}" ${url}/v1/spaces/${space.id}/content/pages`,
      ""
    ].join("\n")
  }
}
