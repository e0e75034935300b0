/** Answers that are not as the hosted service's description says, each with the reason. */
import type { Release } from "./HostedSchemas.ts"

export interface Exception {
  /** Matches the place in the answer, a space, and the problem, as `HostedSchemas` says them. */
  readonly what: RegExp
  /** Default: both. */
  readonly release?: Release
  readonly operations?: ReadonlyArray<string>
  readonly reason: string
}

const saml = [
  "createOrganizationSAMLProvider",
  "getOrganizationSAMLProviderById",
  "listSAMLProvidersInOrganizationById",
  "updateOrganizationSAMLProvider"
]

const translations = ["createTranslation", "getTranslation", "listTranslations", "updateTranslation"]

export const exceptions: ReadonlyArray<Exception> = [
  {
    what: /\/language must be equal to one of the allowed values/,
    reason: "The interface shows no set of languages, and spaces are written in more than the hosted service has."
  },
  {
    what: /required property '(ssoURL|entityID|certificate)'/,
    operations: saml,
    reason: "The interface lets a provider be made by its label alone: it is pending until the rest is there."
  },
  {
    what: /(required property 'source'|\/source must have required property 'language')/,
    operations: translations,
    reason: "The interface makes the source optional, and a space need not say its language."
  },
  {
    what: /\/git must have required property 'createdByGitBook'/,
    reason: "The interface calls it createdByService."
  },
  {
    what: /(\/installationProvider must be equal|\/gitSync must have required property 'installation)/,
    reason: "The interface tells of the repository alone, and any host may be one: no app is installed there."
  },
  {
    what: /^\/jsonSchema\/properties\//,
    operations: ["getSiteAdaptiveSchema", "updateSiteAdaptiveSchema"],
    reason: "The interface takes any JSON Schema object, and it is answered as it was put."
  },
  {
    what: /\/mergeRules\/rules\/\*( must have required property '(users|expression)'|\/rule must be equal)/,
    reason: "Rules that the hosted service does not have, such as a number of approvals by a role."
  },
  {
    what: /\/filesystem must be object/,
    reason: "The hosted service answers a list, and its renderer reads one."
  },
  {
    what: /\/context must have required property 'editable'/,
    operations: ["listIntegrationEvents", "getIntegrationEvent"],
    reason: "An event holds what was asked as it was asked, and a context may leave this out."
  },
  {
    what: /\/payload\/type must be equal to one of the allowed values/,
    operations: ["listIntegrationEvents", "getIntegrationEvent"],
    release: "0.143.2",
    reason: "Tasks came with a later release."
  },
  {
    what: /\/origin\/type must be equal to one of the allowed values/,
    operations: ["listPermissionsAggregateInSite"],
    release: "0.143.2",
    reason: "In that release sites had no permissions of their own."
  },
  {
    what: /\/layout\/coverSize must be equal to one of the allowed values/,
    release: "0.143.2",
    reason: "More sizes came with a later release."
  },
  {
    what: /\/language must be equal to one of the allowed values/,
    release: "0.143.2",
    reason: "Traditional Chinese came with a later release."
  },
  {
    what: /required property '(socialAccounts|codeTheme|items)'/,
    release: "0.202.0",
    operations: [
      "getPublishedContentSite",
      "getSiteCustomizationById",
      "updateSiteCustomizationById",
      "getSiteSpaceCustomizationById",
      "overrideSiteSpaceCustomizationById"
    ],
    reason: "Settings of how a site looks that are not there."
  },
  {
    what: /(\/destination\/kind must be equal to one of the allowed values|\/source must match pattern)/,
    release: "0.143.2",
    reason: "Redirects to other places, and from all that begins so, came with a later release."
  },
  {
    what: /\/columns\/\*(\/column must be equal| must have required property 'claim'| must match a schema|\/values\/\*)/,
    release: "0.143.2",
    reason: "Some columns of what visitors did came with a later release."
  },
  {
    what: /\/themes\/default must be equal to one of the allowed values/,
    release: "0.143.2",
    reason: "A theme as the reader's system has it came with a later release."
  },
  {
    what: /\/scopes\/\* must be equal to one of the allowed values/,
    release: "0.143.2",
    reason: "Some scopes came with a later release."
  },
  {
    what: /^\/(element\/|returnValue )/,
    operations: ["renderIntegrationUIWithPost", "renderIntegrationUIWithGet"],
    reason: "An integration's own answer, of which what can be drawn is drawn."
  },
  {
    what: /\/nodes\//,
    reason: "Documents have a check of their own, of every construct."
  }
]
