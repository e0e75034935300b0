/**
 * A sentence for each operation, for those who read the interface's description: an operation without one does
 * not compile. Groups that do the same with something else share theirs.
 */
import type { HttpApi, HttpApiGroup } from "effect/http-api"
import type { LecternApi } from "../api/LecternApi.ts"

type Groups<Api> = Api extends HttpApi.HttpApi<infer _Id, infer Groups> ? Groups : never
type Group = Groups<typeof LecternApi>

/** By group, by operation. */
type Sentences = {
  readonly [Id in HttpApiGroup.Identifier<Group>]: {
    readonly [Operation in HttpApiGroup.Endpoints<HttpApiGroup.WithIdentifier<Group, Id>>["identifier"]]: string
  }
}

const grantsOn = (what: string) => ({
  give: `Gives users and teams roles on ${what}.`,
  listUsers: `Lists the users who were given a role on ${what} itself.`,
  listTeams: `Lists the teams that were given a role on ${what} itself.`,
  aggregate: `Lists everyone who may see ${what}, with the role that all their grants come to.`,
  changeUser: `Changes the role of a user on ${what}.`,
  removeUser: `Takes the role of a user on ${what} away.`,
  changeTeam: `Changes the role of a team on ${what}.`,
  removeTeam: `Takes the role of a team on ${what} away.`
})

const contentOf = (what: string) => ({
  revision: `Shows the revision of ${what}, with its pages and files.`,
  pages: `Shows the tree of pages of ${what}, without their documents.`,
  files: `Lists the files of ${what}.`,
  file: `Shows one file of ${what}, with the URL to fetch it from.`,
  page: `Shows one page of ${what} with its document, as Markdown unless asked otherwise.`,
  document: `Shows the document of one page of ${what}, and nothing around it.`,
  metaLinks: `Shows other URLs of one page of ${what}, for the head of HTML.`,
  pageByPath: `Shows the page of ${what} that stands at a path.`
})

const commentsOn = (what: string) => ({
  list: `Lists the comments on ${what}.`,
  post: `Posts a comment on ${what}, on one of its pages or on a block.`,
  get: `Shows one comment on ${what}.`,
  update: `Changes a comment on ${what}, or resolves it.`,
  remove: `Deletes a comment on ${what}, with its replies.`,
  listReplies: `Lists the replies to a comment on ${what}.`,
  postReply: `Replies to a comment on ${what}.`,
  getReply: `Shows one reply to a comment on ${what}.`,
  updateReply: `Changes a reply to a comment on ${what}.`,
  removeReply: `Deletes a reply to a comment on ${what}.`,
  commenters: `Lists who has commented on ${what}.`
})

const linksOf = (what: string) => ({
  list: `Lists the links of all pages of ${what}, each with whether it is broken.`,
  ofPage: `Lists the links of one page of ${what}, each with whether it is broken.`,
  toPage: `Lists the pages of ${what} that link to a page.`,
  toFile: `Lists the pages of ${what} that show a file or link to it.`
})

const placementsOn = (what: string) => ({
  list: `Lists the ${what}s that an integration is placed on, over all its installations.`,
  listOf: `Lists the ${what}s that one installation is placed on.`,
  place: `Places an installation on a ${what}.`,
  get: `Shows what is set of an installation for one ${what}.`,
  update: `Changes what is set of an installation for one ${what}.`,
  remove: `Takes an installation off a ${what}.`
})

export const sentences = {
  users: {
    me: "Shows the user behind the token.",
    updateMe: "Changes the user behind the token.",
    get: "Shows a user who shares an organization with the one behind the token.",
    update: "Changes a user, which only that user may."
  },
  userTokens: {
    list: "Lists the tokens of the user, the newest first, without what they open.",
    create: "Makes a token; what opens something stands in this answer alone.",
    get: "Shows one token of the user.",
    revoke: "Revokes a token, and those that were made with it."
  },
  organizations: {
    list: "Lists the organizations that the user belongs to, the oldest first.",
    create: "Makes an organization with the user as its administrator.",
    get: "Shows an organization.",
    update: "Changes the settings of an organization.",
    join: "Takes you into an organization that has proved the domain of your e-mail address."
  },
  auditEvents: {
    list: "Lists who did what to whom in an organization, the newest first.",
    get: "Shows one event of the audit log.",
    actions: "Lists the actions that the audit log records."
  },
  emailDomains: {
    organizations:
      "Lists the organizations that have proved an e-mail domain, of those that you belong to or may join.",
    list: "Lists the e-mail domains of an organization, and how to prove each.",
    prove: "Looks for the proof of an e-mail domain now."
  },
  subdomains: { get: "Shows the organization that a hostname belongs to." },
  members: {
    list: "Lists the members of an organization.",
    get: "Shows one member of an organization.",
    update: "Changes the role of a member.",
    remove: "Takes a member out of an organization."
  },
  invitations: {
    mine: "Lists the invitations that wait for the user.",
    list: "Lists the invitations of an organization that nobody has answered yet.",
    invite: "Invites people to an organization by their email addresses.",
    get: "Shows one invitation, to whom it is for as well.",
    accept: "Accepts an invitation of one's own.",
    remove: "Declines an invitation of one's own, or takes one back."
  },
  inviteLinks: {
    list: "Lists the invite links of an organization that are still good.",
    create: "Makes a link that takes whoever has it into an organization.",
    get: "Shows one invite link.",
    update: "Changes an invite link.",
    remove: "Takes an invite link back."
  },
  uploads: { begin: "Announces a file, and answers the URL to put its bytes to and the key that it is used by." },
  uploadedFiles: {
    put: "Takes the bytes of a file that was announced, from whoever has the URL that is signed for it.",
    get: "Sends an uploaded font or picture, to anyone."
  },
  fonts: {
    list: "Lists the fonts of an organization's own.",
    create: "Makes a font of uploaded files, one for each weight.",
    get: "Shows one font.",
    update: "Changes a font, and the sites that are set in it.",
    remove: "Removes a font: 205 where there was one. Sites that are set in it keep it."
  },
  teams: {
    list: "Lists the teams of an organization.",
    create: "Makes a team.",
    get: "Shows one team.",
    update: "Changes the title of a team.",
    remove: "Deletes a team, with the roles that it was given.",
    listMembers: "Lists the members of a team.",
    updateMembers: "Takes several people into a team, or out of it.",
    putMember: "Takes a user into a team, or changes the role there.",
    removeMember: "Takes a user out of a team."
  },
  collections: {
    list: "Lists the collections of an organization that the user may see.",
    create: "Makes a collection.",
    get: "Shows one collection.",
    update: "Changes the title or the settings of a collection.",
    remove: "Deletes a collection; what it holds moves up.",
    listSpaces: "Lists the spaces that stand in a collection.",
    move: "Moves a collection into another one, to the top, or to another place among its siblings.",
    transfer: "Hands a collection over to another organization, with all that it holds."
  },
  collectionGrants: grantsOn("a collection"),
  spaces: {
    list: "Lists the spaces of an organization that the user may see.",
    create: "Makes a space, empty or from a template.",
    get: "Shows one space.",
    update: "Changes the settings of a space.",
    remove: "Puts a space in the trash, from which it can be restored for 7 days.",
    duplicate: "Makes a copy of a space, with its content and without its history.",
    restore: "Takes a space out of the trash.",
    move: "Moves a space into a collection, to the top, or to another place among its siblings.",
    transfer: "Hands a space over to another organization."
  },
  spaceGrants: grantsOn("a space"),
  importRuns: {
    list: "Lists the imports of an organization that run in the background, the newest first.",
    start: "Begins to import a web site, or uploaded files, in the background.",
    get: "Shows one import that runs in the background.",
    cancel: "Ends an import that runs in the background."
  },
  contentImports: {
    space: "Imports pages from elsewhere into a space.",
    changeRequest: "Imports pages from elsewhere into a change request."
  },
  git: {
    import: "Reads a branch of a Git repository into a space.",
    export: "Writes the content of a space to a branch of a Git repository.",
    info: "Shows the repository that a space was last synchronized with."
  },
  spaceContent: {
    ...contentOf("what a space shows"),
    computedPages: "Shows the pages that one source computes in a space, and its files.",
    computedDocument: "Shows the document of one page that a source computes in a space."
  },
  spaceLinks: linksOf("a space"),
  templates: { apply: "Fills an empty space with the pages of a template." },
  spaceComments: commentsOn("a space"),
  search: {
    organization: "Finds pages of all spaces of an organization that the user may see.",
    space: "Finds pages of a space.",
    site: "Finds pages of all spaces of a site.",
    prewarm: "Tells whether a site may be searched; nothing needs to be made ready."
  },
  changeRequests: {
    list: "Lists the change requests of a space.",
    create: "Opens a change request on a space.",
    listInOrganization: "Lists the change requests of all spaces of an organization.",
    get: "Shows one change request.",
    update: "Changes the subject, the description or the status of a change request.",
    merge: "Merges a change request into its space; what can't be decided becomes conflicts.",
    pull: "Brings a change request up to date with its space.",
    write: "Changes the content of a change request by a batch of changes, all of them or none.",
    contributors: "Lists who has worked on a change request.",
    changes: "Lists the pages and files that a change request changes.",
    pageChanges: "Shows what a change request changes in one page.",
    resolve: "Decides a conflict of a change request."
  },
  changeRequestContent: contentOf("a change request"),
  changeRequestLinks: linksOf("a change request"),
  embeds: { get: "Shows how a URL is shown that a page of a space embeds." },
  contentUrls: { find: "Finds the content that the URL of a resource leads to." },
  changeRequestComments: commentsOn("a change request"),
  reviews: {
    list: "Lists the reviews of a change request.",
    submit: "Approves a change request, or asks for changes.",
    get: "Shows one review.",
    listRequested: "Lists who was asked to review a change request.",
    request: "Asks users to review a change request.",
    removeRequested: "Takes back that a user was asked to review a change request."
  },
  revisions: {
    ...contentOf("a revision"),
    changes: "Lists the pages and files that a revision changes, against the one that it came from.",
    pageChanges: "Shows what a revision changes in one page."
  },
  downloads: {
    file: "Sends the bytes of a file, to whoever has a URL that is signed.",
    published: "Sends the bytes of a file of a published site."
  },
  pdfs: {
    space: "Makes a PDF of a space or of one page, and tells the URL to fetch it from.",
    changeRequest: "Makes a PDF of a change request or of one page, and tells the URL to fetch it from."
  },
  pdfDownloads: { pdf: "Sends a PDF, to whoever has a URL that is signed." },
  sites: {
    list: "Lists the sites of an organization.",
    create: "Makes a site, which is not published yet.",
    get: "Shows one site.",
    update: "Changes the settings of a site.",
    remove: "Deletes a site; its spaces stay.",
    publish: "Publishes a site.",
    unpublish: "Takes a site off the web.",
    structure: "Shows how a site is put together, of sections and spaces.",
    sort: "Puts the parts of a site into another order."
  },
  siteGrants: grantsOn("a site"),
  siteSections: {
    list: "Lists the sections of a site.",
    create: "Adds a section to a site, with its first space.",
    update: "Changes a section.",
    remove: "Takes a section off a site.",
    move: "Moves a section to another place of the site."
  },
  siteSectionGroups: {
    list: "Lists the groups of sections of a site.",
    create: "Adds a group of sections to a site.",
    update: "Changes a group of sections.",
    remove: "Takes a group off a site; its sections stay in its place.",
    addSection: "Moves a section into a group.",
    removeSection: "Moves a section out of a group.",
    move: "Moves a group of sections to another place of the site."
  },
  siteSpaces: {
    list: "Lists the spaces of a site, each with its path and section.",
    add: "Adds a space to a site.",
    update: "Changes the path, the title or the section of a space on a site.",
    remove: "Takes a space off a site.",
    move: "Moves a space of a site to another place."
  },
  shareLinks: {
    list: "Lists the share links of a site.",
    create: "Makes a share link.",
    update: "Renames a share link, or closes it.",
    remove: "Deletes a share link, which lets nobody in from then on."
  },
  publishingAuth: {
    get: "Shows how visitors of a site sign on.",
    update: "Changes how visitors of a site sign on.",
    regenerate: "Makes a new key to sign tokens of visitors with, in place of the one before."
  },
  previews: { url: "Makes a URL that opens a preview of a site for one hour, whether it is published or not." },
  adaptiveSchema: {
    get: "Shows the JSON schema of what a site expects to know of its visitors.",
    put: "Replaces the JSON schema of what a site expects to know of its visitors.",
    templateConditions: "Lists conditions that the schema makes it possible to write."
  },
  customization: {
    get: "Shows the looks of a site.",
    put: "Replaces the looks of a site.",
    getOfSiteSpace: "Shows the looks of one space of a site, with those that it takes from the site.",
    patchOfSiteSpace: "Changes the looks of one space of a site.",
    removeOfSiteSpace: "Takes a space's own looks away, so that it has those of the site."
  },
  redirects: {
    list: "Lists the redirects of a site.",
    create: "Makes a redirect from a path of a site.",
    writeAll: "Makes, changes, deletes and publishes many redirects of a site, each by itself.",
    update: "Changes a redirect.",
    remove: "Deletes a redirect."
  },
  published: {
    site: "Shows all that a renderer needs of a published site: structure, looks and scripts.",
    redirect: "Finds the redirect of a site that a path leads to.",
    url: "Finds the site, space and page that a URL leads to, with a token that reads them for the visitor.",
    urlByQuery: "Finds the site, space and page that a URL leads to, asked by query parameters."
  },
  siteInsightsSums: { aggregate: "Sums up what visitors of a site did." },
  siteInsights: { track: "Takes events of visitors of a site, to be counted." },
  customHostnames: {
    get: "Shows a hostname of a site, and whether it is proved.",
    prove: "Looks again whether a hostname is proved to be the organization's.",
    remove: "Takes a hostname away from its site."
  },
  openApiSpecs: {
    list: "Lists the OpenAPI specs of an organization.",
    create: "Takes an OpenAPI spec in.",
    get: "Shows one OpenAPI spec.",
    put: "Takes an OpenAPI spec in, or a new version of it.",
    update: "Changes the settings of an OpenAPI spec.",
    remove: "Deletes an OpenAPI spec.",
    versions: "Lists the versions of an OpenAPI spec.",
    version: "Shows one version of an OpenAPI spec.",
    content: "Shows the OpenAPI document of a version, read and bundled.",
    rawContent: "Shows the OpenAPI document of a version as it was taken in."
  },
  publishedSpecs: { get: "Sends the newest version of an OpenAPI spec, to anyone who may read it." },
  glossaries: {
    list: "Lists the terms of an organization's glossary.",
    update: "Adds, changes and deletes terms of a glossary, all or none.",
    get: "Shows one entry of a glossary."
  },
  translations: {
    list: "Lists the translations of an organization.",
    create: "Begins to translate a space into another language.",
    get: "Shows one translation.",
    put: "Changes a translation.",
    remove: "Deletes a translation; the translated space stays.",
    run: "Translates what has changed in the source since."
  },
  samlProviders: {
    list: "Lists the SAML providers of an organization, the oldest first.",
    create: "Makes a SAML provider.",
    get: "Shows one SAML provider.",
    update: "Changes a SAML provider.",
    remove: "Deletes a SAML provider, and ends its sessions.",
    logins: "Lists the active providers by which members sign on."
  },
  integrations: {
    list: "Lists the integrations that the user may install.",
    get: "Shows one integration.",
    publish: "Publishes an integration, or a new version of it.",
    unpublish: "Takes an integration back, wherever it is installed.",
    render: "Draws a block or a screen of an integration, asked by query parameters.",
    renderByPost: "Draws a block or a screen of an integration.",
    events: "Lists the events that an integration was told of.",
    event: "Shows one event that an integration was told of.",
    beginDevelopment: "Sends the events of an integration to a program in development.",
    endDevelopment: "Sends the events of an integration to its published program again.",
    queueTask: "Queues a task that an integration gets later.",
    listFor: "Lists the integrations that an organization may install."
  },
  installations: {
    list: "Lists the installations of an integration.",
    install: "Installs an integration in an organization.",
    get: "Shows one installation.",
    update: "Changes the configuration of an installation.",
    uninstall: "Takes an installation away, with all that is set of it.",
    makeToken: "Makes a token that acts as an installation.",
    listIn: "Lists the installations in an organization.",
    statuses: "Lists how each integration of an organization is installed.",
    status: "Shows how an integration is installed in an organization."
  },
  spacePlacements: placementsOn("space"),
  sitePlacements: placementsOn("site"),
  placedIntegrations: {
    onSpace: "Lists the integrations that are placed on a space.",
    blocks: "Lists the blocks that integrations bring to a space.",
    onSite: "Lists the integrations that are placed on a site.",
    scripts: "Lists the scripts that integrations add to the pages of a site."
  },
  integrationAssets: { get: "Sends a file that belongs to an integration." }
} as const satisfies Sentences
