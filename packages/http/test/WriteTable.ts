/**
 * Expected effects of all writing operations: the audit records of each, and bodies that would raise the sender's own
 * rights. A missing operation is a type error.
 *
 * Records are those of the requests of `AuthorityTable`, sent by an authorized actor. `RaisingRights` sends the bodies
 * as every unauthorized actor.
 */
import { manifest } from "./IntegrationSteps.ts"
import { insertPage } from "./Steps.ts"
import { all, bodiless, discussing, elsewhere, granting, none, type Write, type Writes } from "./WriteRow.ts"

const structure = ["site_structure_updated"]

export const writes: Writes = {
  users: {
    updateMe: { recorded: none, tries: [{ displayName: "Administrator" }] },
    update: { recorded: none, tries: [{ displayName: "Administrator" }] }
  },
  userSessions: {
    revokeOthers: { recorded: none, tries: bodiless },
    revoke: { recorded: none, tries: bodiless }
  },
  userTokens: {
    create: { recorded: ["token_created"], tries: [{}, { scopes: ["organization:write", "access:write"] }] },
    revoke: { recorded: elsewhere("token_revoked"), tries: bodiless }
  },
  notifications: {
    markAllRead: { recorded: none, tries: [{}] },
    updateSettings: { recorded: none, tries: [{ digestHour: 3 }] },
    update: { recorded: none, tries: [{ read: true }] }
  },
  watches: {
    watchSpace: { recorded: none, tries: [{ state: "watching" }] },
    unwatchSpace: { recorded: none, tries: bodiless },
    watchPage: { recorded: none, tries: [{ state: "watching" }] },
    unwatchPage: { recorded: none, tries: bodiless },
    watchChangeRequest: { recorded: none, tries: [{ state: "watching" }] },
    unwatchChangeRequest: { recorded: none, tries: bodiless }
  },
  organizations: {
    create: { recorded: ["member_joined", "organization_created"], tries: [{ title: "Mine" }] },
    update: {
      recorded: elsewhere("organization_updated"),
      tries: [{ defaultRole: "admin" }, { defaultRole: "create", title: "Taken" }]
    },
    join: { recorded: elsewhere("member_joined"), tries: bodiless }
  },
  emailDomains: {
    prove: { recorded: elsewhere("organization_updated"), tries: bodiless }
  },
  members: {
    ping: { recorded: none, tries: bodiless },
    update: { recorded: elsewhere("member_updated"), tries: [{ role: "admin" }, { role: "create" }] },
    remove: { recorded: ["member_removed"], tries: bodiless }
  },
  invitations: {
    invite: {
      recorded: elsewhere("invitation_sent"),
      tries: ({ email }) => [{ emails: [email], role: "admin" }, { emails: [{ email, role: "admin" }] }]
    },
    accept: { recorded: elsewhere("member_joined"), tries: bodiless },
    remove: { recorded: ["invitation_removed"], tries: bodiless }
  },
  inviteLinks: {
    create: { recorded: ["invite_link_created"], tries: [{ role: "admin" }, { role: "read" }] },
    update: { recorded: ["invite_link_updated"], tries: [{ role: "admin" }] },
    remove: { recorded: ["invite_link_removed"], tries: bodiless }
  },
  teams: {
    create: { recorded: ["team_created"], tries: ({ user }) => [{ title: "Mine", members: [user] }] },
    update: { recorded: ["team_updated"], tries: [{ title: "Mine" }] },
    remove: { recorded: ["grant_removed", "team_deleted"], tries: bodiless },
    updateMembers: {
      recorded: elsewhere("team_members_updated"),
      tries: ({ user }) => [{ add: [user] }, { memberships: { [user]: { role: "owner" } } }]
    },
    putMember: { recorded: ["team_members_updated"], tries: [{ role: "owner" }] },
    removeMember: { recorded: ["team_members_updated"], tries: bodiless }
  },
  collections: {
    create: {
      recorded: ["collection_created"],
      tries: ({ collection, open }) => [{}, { parent: collection }, { parent: open }]
    },
    update: {
      recorded: elsewhere("collection_updated"),
      tries: [{ defaultLevel: "admin" }, { defaultLevel: "inherit" }]
    },
    remove: { recorded: ["collection_deleted"], tries: bodiless },
    move: {
      recorded: none,
      tries: ({ collection, open }) => [
        { parent: open },
        { parent: collection },
        { parent: null },
        {},
        { access: "inherit" }
      ]
    },
    transfer: { recorded: ["collection_transferred"], tries: ({ organization }) => [{ organization }] }
  },
  collectionGrants: granting,
  spaces: {
    create: {
      recorded: ["space_created"],
      tries: ({ collection, open }) => [{}, { parent: collection }, { parent: open }]
    },
    update: {
      recorded: elsewhere("space_updated", "space_visibility_updated"),
      tries: [{ defaultLevel: "admin" }, { visibility: "public", editMode: "live" }]
    },
    remove: { recorded: ["site_structure_updated", "space_deleted"], tries: bodiless },
    duplicate: { recorded: ["space_duplicated"], tries: [undefined, { access: "inherit" }] },
    restore: { recorded: elsewhere("space_restored"), tries: [undefined, { access: "inherit" }] },
    move: {
      recorded: ["space_updated"],
      tries: ({ collection, open }) => [
        { parent: open },
        { parent: collection },
        { parent: null },
        {},
        { access: "inherit" }
      ]
    },
    transfer: {
      recorded: ["placement_removed", "site_structure_updated", "space_transferred"],
      tries: ({ organization }) => [{ organization }]
    }
  },
  spaceGrants: granting,
  spaceContent: {
    computedPages: { recorded: none, tries: [{ source: { type: "builtin:openapi" }, seed: "x" }] },
    computedDocument: { recorded: none, tries: [{ source: { type: "builtin:openapi" }, seed: "x" }] }
  },
  contentImports: {
    space: { recorded: none, tries: [{ url: "data:text/markdown,Mine", source: "markdown" }] },
    changeRequest: { recorded: none, tries: [{ url: "data:text/markdown,Mine", source: "markdown" }] }
  },
  git: {
    import: {
      recorded: ["space_gitsync_started"],
      tries: [{ url: "https://mine.example.com/docs.git", ref: "refs/heads/main" }]
    },
    export: {
      recorded: ["space_gitsync_started"],
      tries: [{ url: "https://mine.example.com/docs.git", ref: "refs/heads/main", commitMessage: "Mine" }]
    }
  },
  templates: {
    apply: { recorded: none, tries: [{ id: "changelog" }] }
  },
  spaceComments: discussing,
  search: {
    site: { recorded: none, tries: [{ query: "Page" }] },
    prewarm: { recorded: none, tries: bodiless }
  },
  siteInsightsSums: {
    aggregate: { recorded: none, tries: [{ range: "last7Days" }] }
  },
  uploads: {
    begin: {
      recorded: none,
      tries: [{ file: { name: "x.png", type: "image/png", size: 1 }, kind: "organization_file" }]
    }
  },
  fonts: {
    create: { recorded: none, tries: [{ fontFamily: "Mine", fontFaces: [{ weight: 400, storageKey: "none" }] }] },
    update: { recorded: none, tries: [{ fontFamily: "Mine" }] },
    remove: { recorded: none, tries: bodiless }
  },
  importRuns: {
    start: {
      recorded: none,
      tries: ({ things }) => [
        { source: { type: "website", url: "https://example.com/" }, target: { space: things.space } }
      ]
    },
    cancel: { recorded: none, tries: bodiless }
  },
  pushes: {
    push: { recorded: none, tries: [{ name: "Mine", files: "" }] },
    upload: { recorded: none, tries: [new Uint8Array(1024)] }
  },
  glossaries: {
    update: { recorded: none, tries: [{ operations: [] }] }
  },
  changeRequests: {
    create: { recorded: none, tries: [{ subject: "Mine" }] },
    revert: { recorded: none, tries: [{ subject: "Mine" }] },
    update: { recorded: none, tries: [{ status: "open", createdBy: "me" }] },
    merge: { recorded: none, tries: bodiless },
    pull: { recorded: none, tries: bodiless },
    write: { recorded: none, tries: [{ changes: [insertPage("Mine")] }] },
    resolve: { recorded: none, tries: [{ keep: "ours" }] }
  },
  changeRequestComments: discussing,
  reviews: {
    submit: { recorded: none, tries: [{ status: "approved" }] },
    request: { recorded: none, tries: ({ user }) => [{ users: [user] }] },
    removeRequested: { recorded: none, tries: bodiless }
  },
  mergeChecks: {
    set: { recorded: none, tries: [{ state: "passed" }, { state: "passed", text: "Mine" }] },
    remove: { recorded: none, tries: bodiless }
  },
  sites: {
    create: {
      recorded: ["site_created", "space_created"],
      tries: ({ things }) => [{}, { spaces: [things.space] }, { spaces: "sample" }, { permissions: all }]
    },
    update: {
      recorded: ["site_updated"],
      tries: [{ visibility: "public" }, { hostname: "mine.example.com" }, { permissions: all }]
    },
    remove: { recorded: ["placement_removed", "site_deleted"], tries: bodiless },
    publish: { recorded: elsewhere("site_published"), tries: bodiless },
    unpublish: { recorded: ["site_unpublished"], tries: bodiless },
    sort: {
      recorded: none,
      tries: ({ things }) => [{ item: { type: "site-space", id: things.siteSpace }, position: {} }]
    }
  },
  siteGrants: granting,
  siteSections: {
    create: { recorded: structure, tries: ({ things }) => [{ spaceId: things.spare }, { spaceId: things.space }] },
    update: { recorded: none, tries: [{ condition: null, title: "Mine" }] },
    remove: { recorded: structure, tries: bodiless },
    move: { recorded: none, tries: [{}] }
  },
  siteSectionGroups: {
    create: { recorded: none, tries: ({ things }) => [{ title: "Mine", sections: [things.section] }] },
    update: { recorded: none, tries: [{ title: "Mine" }] },
    remove: { recorded: none, tries: bodiless },
    addSection: { recorded: none, tries: ({ things }) => [{ sectionId: things.section }] },
    removeSection: { recorded: none, tries: bodiless },
    move: { recorded: none, tries: [{}] }
  },
  siteSpaces: {
    add: { recorded: structure, tries: ({ things }) => [{ spaceId: things.spare }] },
    update: { recorded: structure, tries: ({ things }) => [{ spaceId: things.spare }, { condition: null }] },
    duplicate: { recorded: ["site_structure_updated", "space_duplicated"], tries: [undefined, {}, { draft: false }] },
    remove: { recorded: structure, tries: bodiless },
    move: { recorded: none, tries: [{}] }
  },
  shareLinks: {
    create: { recorded: ["share_link_created"], tries: [{ name: "Mine" }] },
    update: { recorded: ["share_link_updated"], tries: [{ active: true }] },
    remove: { recorded: ["share_link_removed"], tries: bodiless }
  },
  publishingAuth: {
    update: { recorded: ["publishing_auth_updated"], tries: [{ fallbackURL: "https://mine.example.com/" }] },
    regenerate: { recorded: ["visitor_key_regenerated"], tries: bodiless }
  },
  adaptiveSchema: {
    put: {
      recorded: ["site_updated"],
      tries: [{ jsonSchema: { type: "object", properties: {}, additionalProperties: false } }]
    }
  },
  customization: {
    put: { recorded: none, tries: [{ title: "Mine" }] },
    patchOfSiteSpace: { recorded: none, tries: [{ title: "Mine" }] },
    removeOfSiteSpace: { recorded: none, tries: bodiless }
  },
  redirects: {
    create: {
      recorded: none,
      tries: ({ things }) => [{ source: "/mine", destination: { kind: "site-space", siteSpaceId: things.siteSpace } }]
    },
    writeAll: { recorded: none, tries: [{ redirects: [{ source: "/old", destination: null }] }] },
    update: { recorded: none, tries: [{ source: "/mine" }] },
    remove: { recorded: none, tries: bodiless }
  },
  published: {
    url: { recorded: none, tries: ({ things }) => [{ url: `https://${things.hostname}/` }] }
  },
  siteInsights: {
    track: { recorded: none, tries: [{ events: [] }] },
    agentFeedback: {
      recorded: none,
      tries: [{ subject: { kind: "generic" }, feedback: { category: "usability", summary: "Unclear" } }]
    },
    contentFeedback: {
      recorded: none,
      tries: [{ feedback: "Unclear", url: "https://a.example.invalid/", spaceId: "x", pageId: "x" }]
    }
  },
  customHostnames: {
    prove: { recorded: elsewhere("site_updated"), tries: bodiless },
    remove: { recorded: ["site_updated"], tries: bodiless }
  },
  openApiSpecs: {
    create: { recorded: ["openapi_spec_created"], tries: [{ slug: "mine", source: { text: "{}" } }] },
    put: { recorded: none, tries: [{ source: { text: "{}" } }] },
    update: { recorded: ["openapi_spec_updated"], tries: [{ visibility: "public" }] },
    remove: { recorded: ["openapi_spec_deleted"], tries: bodiless }
  },
  translations: {
    create: {
      recorded: none,
      tries: ({ things }) => [{ language: "de", source: { space: things.space, language: "en" } }]
    },
    put: { recorded: none, tries: [{ instructions: { markdown: "Mine" } }] },
    remove: { recorded: none, tries: bodiless },
    run: { recorded: none, tries: bodiless }
  },
  webhooks: {
    create: { recorded: ["webhook_created"], tries: [{ url: "https://example.com/" }] },
    update: { recorded: ["webhook_updated"], tries: [{ url: "https://example.org/" }] },
    remove: { recorded: ["webhook_deleted"], tries: bodiless },
    rotateSecret: { recorded: ["webhook_secret_rotated"], tries: bodiless },
    test: { recorded: none, tries: bodiless },
    redeliver: { recorded: none, tries: bodiless }
  },
  samlProviders: {
    create: {
      recorded: ["saml_provider_created"],
      tries: ({ things }) => [{ label: "Mine", defaultRole: "admin", defaultTeam: things.team }]
    },
    update: {
      recorded: ["saml_provider_updated"],
      tries: ({ things }) => [{ defaultRole: "admin" }, { defaultTeam: things.team, entityID: "mine" }]
    },
    remove: { recorded: ["saml_provider_deleted"], tries: bodiless }
  },
  oidcProviders: {
    create: {
      recorded: ["oidc_provider_created"],
      tries: ({ things }) => [
        { label: "Mine", defaultRole: "admin", defaultTeam: things.team },
        { label: "Mine", groupsClaim: "groups", groups: [{ group: "all", role: "admin", teams: [things.team] }] }
      ]
    },
    update: {
      recorded: ["oidc_provider_updated"],
      tries: ({ things }) => [
        { defaultRole: "admin" },
        { defaultTeam: things.team, issuer: "https://mine.example.com" },
        { groupsClaim: "groups", groups: [{ group: "all", role: "admin" }] }
      ]
    },
    remove: { recorded: ["oidc_provider_deleted"], tries: bodiless }
  },
  integrations: {
    publish: {
      recorded: ["integration_published"],
      tries: ({ organization, things }) => [
        { ...manifest, organization: things.org, scopes: ["space:metadata:write"] },
        { ...manifest, organization }
      ]
    },
    unpublish: { recorded: ["installation_removed", "integration_unpublished", "placement_removed"], tries: bodiless },
    renderByPost: {
      recorded: none,
      tries: ({ things }) => [
        { componentId: "x", props: {}, context: { type: "configuration_space", spaceId: things.space } },
        {
          componentId: "x",
          props: {},
          context: { type: "configuration_contentsource", organizationId: things.org, spaceId: things.space }
        }
      ]
    },
    beginDevelopment: {
      recorded: ["integration_development_started"],
      tries: [{ tunnelUrl: "https://mine.example.com/", all: true }]
    },
    endDevelopment: { recorded: elsewhere("integration_development_ended"), tries: bodiless },
    queueTask: { recorded: none, tries: [{ task: {} }] }
  },
  installations: {
    install: {
      recorded: elsewhere("installation_created"),
      tries: ({ organization, things }) => [{ organization }, { organization: things.org }]
    },
    update: {
      recorded: ["installation_updated"],
      tries: [{ space_selection: "all", site_selection: "all" }, { scopes: [] }]
    },
    uninstall: { recorded: ["installation_removed", "placement_removed"], tries: bodiless },
    makeToken: { recorded: ["installation_token_created"], tries: bodiless }
  },
  spacePlacements: {
    place: { recorded: elsewhere("placement_created"), tries: ({ things }) => [{ space: things.space }] },
    update: { recorded: ["placement_updated"], tries: [{ configuration: { mine: true } }] },
    remove: { recorded: ["placement_removed"], tries: bodiless }
  },
  sitePlacements: {
    place: { recorded: elsewhere("placement_created"), tries: ({ things }) => [{ siteId: things.site }] },
    update: { recorded: ["placement_updated"], tries: [{ configuration: { mine: true } }] },
    remove: { recorded: ["placement_removed"], tries: bodiless }
  },
  uploadedFiles: {
    put: { recorded: none, tries: [{}] }
  }
}

/** Returns the row of an operation such as `spaces.update`; `undefined` for a reading one. */
export const writeOf = (name: string): Write | undefined => {
  const [group = "", operation = ""] = name.split(".")
  return (writes as Readonly<Record<string, Readonly<Record<string, Write>>>>)[group]?.[operation]
}

/** Names of the operations with a row. */
export const written: ReadonlyArray<string> = Object.entries(writes).flatMap(([group, of]) =>
  Object.keys(of).map((name) => `${group}.${name}`)
)
