/**
 * The manual's list of operations (`docs/reference/operations.md`), generated from the definition of the interface by
 * `pnpm generate`. The page is committed, and `pnpm check` reports when it is out of date.
 */
import { LecternApi } from "@lectern/http/api/LecternApi"
import * as Operation from "@lectern/http/api/Operation"
import { description } from "@lectern/http/description/Description"
import { Effect } from "effect"

/** Path of the page, from the root of the repository. */
export const operationsPage = "docs/reference/operations.md"

/** Pages of the manual that explain a group, by its title, relative to this page. */
const explanations: Readonly<Record<string, string>> = {
  Tokens: "../concepts/tokens.md",
  Organizations: "../concepts/organizations.md",
  "E-mail domains": "../concepts/organizations.md#e-mail-domains",
  "Invite links": "../concepts/organizations.md#by-a-link",
  "Audit log": "../concepts/audit-log.md",
  Teams: "../concepts/teams.md",
  Collections: "../concepts/collections.md",
  Spaces: "../concepts/spaces.md",
  "Imports of content": "../guides/import-content.md",
  "Imports in the background": "../guides/import-content.md#in-the-background",
  Git: "../guides/git.md",
  "Content of a space": "../concepts/pages.md",
  "Links of a space": "../concepts/links.md",
  Templates: "../guides/templates.md",
  "Comments on a space": "../concepts/comments.md",
  Search: "../concepts/search.md",
  "Change requests": "../concepts/change-requests.md",
  "Content of a change request": "content-changes.md",
  Reviews: "../concepts/change-requests.md#reviews",
  Checks: "../concepts/merge-rules.md#checks",
  Revisions: "../concepts/revisions.md",
  PDFs: "../guides/pdf.md",
  Sites: "../concepts/sites.md",
  "Site sections": "../concepts/sections-and-variants.md",
  "Share links": "../publishing/share-links.md",
  Previews: "../publishing/previews.md",
  "Visitor authentication": "../publishing/visitor-authentication.md",
  "Adaptive schema": "../publishing/adaptive-content.md",
  Customization: "../publishing/customization.md",
  Redirects: "../publishing/redirects.md",
  "Published sites": "../guides/render-a-site.md",
  "Sums of insights": "../publishing/insights.md",
  "Custom hostnames": "../publishing/hostnames-and-proxies.md",
  "OpenAPI specs": "../concepts/openapi-specs.md",
  Translations: "../concepts/translations.md",
  "Sign-on": "../concepts/single-sign-on.md",
  Integrations: "../concepts/integrations.md"
}

const head = `---
description: Every operation of the interface, with its scopes.
---

# Operations

This list is generated from the definition of the interface. The server shows the same operations with every field at \`/docs\`, and as OpenAPI at \`/openapi.json\`, from which you can [generate a client](openapi.md). [API conventions](api-conventions.md) explains lists, errors and conditional requests.

A user's token needs one of the scopes of an operation, unless the token has no scopes. A dash means that the operation needs no scope.
`

/** Returns text for a cell of a table. */
const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ").trim()

/** Returns the scopes of an operation for a cell of a table. */
const scopesOf = (group: string, name: string): string => {
  const { endpoints } = LecternApi.groups[group as keyof typeof LecternApi.groups]
  const endpoint = (endpoints as Readonly<Record<string, Parameters<typeof Operation.scopesOf>[0]>>)[name]
  const scopes = endpoint === undefined ? [] : Operation.scopesOf(endpoint)
  return scopes.length === 0 ? "—" : scopes.map((scope) => `\`${scope}\``).join(", ")
}

/** Returns the source of the page. */
export const makeOperationsPage = async (): Promise<string> => {
  const { paths, tags } = await Effect.runPromise(description("https://docs.example.com"))
  const rows = new Map<string, Array<string>>()
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const [group = "", name = ""] = operation.operationId.split(/\.(.*)/s)
      const [tag = group] = operation.tags
      const row = `| \`${method.toUpperCase()} ${path}\` | ${cell(operation.description)} | ${scopesOf(group, name)} |`
      rows.set(tag, [...(rows.get(tag) ?? []), row])
    }
  }
  const sections = (tags as ReadonlyArray<{ readonly name: string; readonly description: string }>).map(
    ({ name, description }) => {
      const explanation = explanations[name]
      return [
        `## ${name}`,
        [description, ...(explanation === undefined ? [] : [`See [${name}](${explanation}).`])].join(" "),
        ["| Operation | Description | Scopes |", "| --- | --- | --- |", ...(rows.get(name) ?? [])].join("\n")
      ].join("\n\n")
    }
  )
  return [head.trimEnd(), ...sections].join("\n\n").concat("\n")
}
