/**
 * Queries about two documentations, each with the pages that answer it. The pages were chosen by reading, before any
 * tuning.
 *
 * A page is named by the end of its path, since it can occur in several versions. If several pages are listed, any of
 * them is correct. Every third query is set aside and never used for tuning. These queries show whether tuning helps
 * other queries than the tuned ones.
 */
interface JudgedQuery {
  readonly query: string
  readonly pages: ReadonlyArray<string>
}

const judged = (query: string, ...pages: ReadonlyArray<string>): JudgedQuery => ({ query, pages })

/** A messaging library for .NET, in two versions. */
const brighter = [
  judged("rabbitmq", "RabbitMQConfiguration"),
  judged("how do I configure kafka", "KafkaConfiguration"),
  judged("dead letter queue", "HandlerFailure"),
  judged("circuit breaker", "PolicyRetryAndCircuitBreaker"),
  judged("retry policies", "PolicyRetryAndCircuitBreaker"),
  judged("outbox sweeper", "BrighterOutboxSupport"),
  judged("archive old outbox messages", "BrighterOutboxSupport", "AzureBlobArchiveProvider"),
  judged("what is the difference between a command and an event", "requests-commands-and-events"),
  judged("query handler", "ImplementAQueryHandler"),
  judged("implement an async handler", "ImplementingAsyncHandler"),
  judged("open telemetry tracing", "Telemetry"),
  judged("health check endpoint", "HealthChecks"),
  judged("feature toggles switch", "FeatureSwitches"),
  judged("compress large messages", "Compression"),
  judged("claim check", "ClaimCheck"),
  judged("luggage store s3", "S3LuggageStore"),
  judged("entity framework outbox", "EFCoreOutbox"),
  judged("dynamodb inbox", "DynamoInbox"),
  judged("postgres inbox", "PostgresInbox"),
  judged("azure service bus subscription", "AzureServiceBusConfiguration"),
  judged("russian doll model", "BuildingAPipeline"),
  judged("pass data between handlers", "UsingTheContextBag"),
  judged("fallback when a handler fails", "PolicyFallback", "HandlerFailure"),
  judged("message mapper", "MessageMappers"),
  judged("temporal coupling", "EventDrivenCollaboration"),
  judged("reference data caching", "EventCarriedStateTransfer"),
  judged("IAmAMessageMapper", "MessageMappers", "Routing"),
  judged("FallbackPolicy", "PolicyFallback"),
  judged("MaxReceiveCount", "AWSSQSConfiguration"),
  judged("DeferMessageAction", "HandlerFailure", "AWSSQSConfiguration"),
  judged("AutoFromAssemblies", "BrighterBasicConfiguration"),
  judged("consumer group offset", "KafkaConfiguration"),
  judged("partition key", "KafkaConfiguration", "MessageMappers"),
  judged("quartz", "QuartzScheduler"),
  judged("schedule a message with hangfire", "HangfireScheduler"),
  judged("write my own scheduler", "CustomScheduler"),
  judged("guaranteed at least once delivery", "BrighterOutboxSupport", "BrighterInboxSupport", "OutboxPattern"),
  judged("task queues", "TaskQueuePattern"),
  judged("logging", "Logging"),
  judged("why should I use brighter", "WhyBrighter"),
  judged("topic routing key", "Routing"),
  judged("confguration of darker", "DarkerBasicConfiguration"),
  judged("ack and nack sqs", "AWSSQSConfiguration"),
  judged("monitering handlers", "Monitoring"),
  judged("service activator internals", "HowServiceActivatorWorks"),
  judged("command dispatcher pattern", "CommandsCommandDispatcherandProcessor"),
  judged("getting results back from a handler", "ReturningResultsFromAHandler"),
  judged("AddBrighter()", "BrighterBasicConfiguration"),
  judged("autonomous services share schema not type", "Microservices"),
  judged("mongo db", "MongoDBInbox")
]

/** The SDK of an analytics suite for mobile apps. */
const adobe = [
  judged("install the sdk", "getting-started/get-the-sdk", "end2end/launch-install-the-mobile-sdk"),
  judged("debug logging", "getting-started/enable-debug-logging"),
  judged("create a mobile property", "getting-started/create-a-mobile-property"),
  judged("datastream", "getting-started/configure-datastreams"),
  judged("gdpr", "resources/privacy-and-gdpr"),
  judged("opt out of tracking", "resources/privacy-and-gdpr"),
  judged("how do I delete a mobile property", "resources/frequently-asked-questions"),
  judged("push notifications not arriving", "push_notification_troubleshooting", "troubleshooting-push"),
  judged("track beacon", "user-guides/track-beacon"),
  judged("attach data to event", "user-guides/attach-data"),
  judged("modifying event data", "user-guides/modify-data"),
  judged("migrate to swift", "resources/migrate-to-swift"),
  judged("IDFA", "adobe-experience-cloud-and-apples-idfa-announcement"),
  judged("app tracking transparency apple", "adobe-experience-cloud-and-apples-idfa-announcement"),
  judged("wechat", "adobe-experience-platform-mini-programs-sdk"),
  judged("小程序", "adobe-experience-platform-mini-programs-sdk", "implementation-zhong-wen-1"),
  judged("初始化SDK", "implementation-zhong-wen-1"),
  judged("lifecycle.sessionTimeout", "lifecycle/configuration-keys", "mobile-core/lifecycle"),
  judged("getUrlVariables", "identity/identity-api-reference", "identity-for-edge-network/api-reference"),
  judged("setPushIdentifier", "identity/identity-api-reference", "mobile-core/mobile-core-api-reference"),
  judged("setAdvertisingIdentifier", "identity/identity-api-reference", "identity-for-edge-network/api-reference"),
  judged("signalWithData", "audience-manager-api-reference"),
  judged("prefetchContent", "adobe-target/target-api-reference", "adobe-target/target-api-reference-deprecated"),
  judged("createMediaObject", "adobe-media-analytics/media-api-reference"),
  judged("setLinkageFields", "adobe-campaign-standard-api-reference"),
  judged("configureWithFileInPath", "configuration/configuration-api-reference"),
  judged("edge.configId", "foundation-extensions/experience-platform-extension"),
  judged("analytics.batchLimit", "using-mobile-extensions/adobe-analytics"),
  judged("getQueueSize", "analytics-api-reference"),
  judged("consent", "foundation-extensions/consent-for-edge-network"),
  judged("update consents api", "consent-for-edge-network/api-reference"),
  judged("xdm schema for commerce", "schema-creation", "getting-started/setup-schemas-and-datasets"),
  judged("products variable", "adobe-analytics/product-variable"),
  judged("why are crashes inflated", "adobe-analytics/analytics-faq"),
  judged("crash tracking android", "lifecycle/lifecycle-extension-in-android"),
  judged("geofence location points of interest", "foundation-extensions/places", "places-usage-reference"),
  judged("user profile attributes", "foundation-extensions/profile", "profile-api-references"),
  judged("target location content", "adobe-target/target-api-reference", "using-mobile-extensions/adobe-target"),
  judged("clearing shared states", "building-mobile-extensions/clearing-a-shared-state"),
  judged(
    "write an extension",
    "building-mobile-extensions/building-an-extension",
    "resources/building-mobile-extensions"
  ),
  judged("wildcard listener", "building-mobile-extensions/event-listeners", "event-listeners-1"),
  judged("qr code does not open the app", "troubleshoot-project-griffon", "assurance-sdk-error-logs"),
  judged("connect to an assurance session", "using-project-griffon", "project-griffon/set-up-project-griffon"),
  judged("griffon access for new users", "project-griffon/get-access"),
  judged("dismiss in-app message on url click", "guides/how-to-handle-url-clicks"),
  judged("MessagingDelegate", "guides/how-to-messaging-delegate"),
  judged("call javascript in a message from native code", "guides/how-to-call-javascript-from-native"),
  judged("in app mesages setup", "iam/setup-sdk", "beta/iam"),
  judged(
    "postback rule",
    "user-guides/launch-data-elements",
    "rules-engine-consequence-details",
    "signal-extension-and-rules-engine-integration"
  ),
  judged("configuraton api", "configuration/configuration-api-reference"),
  judged("media tracking video ads", "media-api-reference", "using-mobile-extensions/adobe-media-analytics"),
  judged("server-side forwarding", "end2end/audience-manager", "adobe-audience-manager"),
  judged("supported platforms of version 4 vs new", "upgrading-to-aep/aepvs4x"),
  judged("end of support version 4", "version-4-sdk-end-of-support-faq"),
  judged("current sdk version", "upgrading-to-aep/current-sdk-versions"),
  judged("custom validation script", "custom-validation-and-project-griffon", "validation-summary-and-project-griffon"),
  judged(
    "journey optimizer push",
    "using-mobile-extensions/adobe-journey-optimizer",
    "adobe-journey-optimizer/api-reference"
  ),
  judged(
    "decisioning propositions",
    "adobe-journey-optimizer-decisioning/api-reference",
    "adobe-journey-optimizer-decisioning"
  ),
  judged("getApplication", "get-the-application-context", "mobile-core/mobile-core-api-reference"),
  judged("override network stack", "mobile-core/platform-services")
]

/** Queries by the folder of their documentation. */
export const judgedQueries: Readonly<Record<string, ReadonlyArray<JudgedQuery>>> = { brighter, "adobe-aep": adobe }

/** Returns true for queries that are not used for tuning. */
export const isSetAside = (place: number): boolean => place % 3 === 2
