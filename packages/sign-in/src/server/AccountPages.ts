/**
 * Pages of the account of the signed-in user: overview, sessions, API tokens and invitations. A session of one
 * organization sees only the tokens and sessions of that organization, and can't change the account.
 */
import { CurrentActor } from "@lectern/core/access/Actor"
import { Invitations } from "@lectern/core/organization/Invitations"
import { OrganizationId } from "@lectern/core/organization/Organization"
import { maxLimit } from "@lectern/core/storage/PageParams"
import type { StorageError } from "@lectern/core/storage/Storage"
import { Sessions } from "@lectern/core/token/Sessions"
import { UserTokens } from "@lectern/core/token/UserTokens"
import { html, type Html } from "@lectern/site/html/Html"
import { Clock, Effect } from "effect"
import type { HttpServerResponse } from "effect/http"
import { notice } from "../page/PageLayout.ts"
import { fill } from "../page/PageMessages.ts"
import { Passwords } from "../password/Passwords.ts"
import { SignInWays } from "@lectern/core/token/SignInWays"
import { makeFactorSections } from "./FactorSections.ts"
import type { PageRequest } from "./PageRequest.ts"
import { PageResponses } from "./PageResponses.ts"
import type { PageHandler, PageRoutes } from "./PageRoutes.ts"
import { accountPasswordPath, accountPath, invitationsPath, sessionsPath, signInPath, tokensPath } from "./Paths.ts"
import { type SignedInUser, Visitors } from "./Visitors.ts"

/** Lifetimes of tokens that the page offers, in days. */
const tokenDays = [7, 30, 90, 365]

/** Handler for a signed-in user. Services run as this user. */
export type UserHandler = (
  request: PageRequest,
  user: SignedInUser
) => Effect.Effect<HttpServerResponse.HttpServerResponse, StorageError, CurrentActor>

/** Returns a function that runs a handler as the signed-in user, and sends other visitors to the sign-in page. */
export const makeForUser = Effect.gen(function* () {
  const visitors = yield* Visitors
  const responses = yield* PageResponses
  return (handler: UserHandler): PageHandler =>
    Effect.fnUntraced(function* (request) {
      const user = yield* visitors.find(request)
      if (user === undefined) return responses.redirect(`${signInPath}?to=${encodeURIComponent(request.path)}`)
      return yield* Effect.provideService(handler(request, user), CurrentActor, user.actor)
    })
})

export const makeAccountPages = Effect.gen(function* () {
  const forUser = yield* makeForUser
  const ways = yield* SignInWays
  const responses = yield* PageResponses
  const passwords = yield* Passwords
  const sessions = yield* Sessions
  const tokens = yield* UserTokens
  const invitations = yield* Invitations
  const factorSections = yield* makeFactorSections

  const overview: UserHandler = Effect.fnUntraced(function* (request, { actor, row }) {
    const { messages } = request
    const isOwn = actor.organization === undefined
    const hasPassword = yield* passwords.has(row.id)
    const factors = isOwn && (yield* factorSections(request, row))
    const main = html`
      <section class="card">
        <h1>${messages.account}</h1>
        <p><strong>${row.displayName}</strong><br />${fill(messages.signedInAs, row.email)}</p>
        ${!isOwn && notice(messages.organizationSession)}
      </section>
      ${
        isOwn &&
        ways.has("password") &&
        passwords.isAvailable &&
        html`
          <section class="card">
            <h2>${messages.password}</h2>
            <p>${hasPassword ? messages.passwordSet : messages.passwordUnset}</p>
            <a class="button secondary" href="${accountPasswordPath}"
              >${hasPassword ? messages.changePassword : messages.setPassword}</a
            >
          </section>
        `
      }
      ${factors}
    `
    return responses.page({ title: messages.account, main, path: accountPath }, messages)
  })

  const sessionList: UserHandler = Effect.fnUntraced(function* ({ messages }) {
    const { items } = yield* sessions.list({ limit: maxLimit }).pipe(Effect.catchTag(unexpected, Effect.die))
    const main = html`
      <section class="card">
        <h1>${messages.sessions}</h1>
        <p>${messages.sessionsText}</p>
        <ul class="rows">
          ${items.map(
            ({ id, device, address, method, createdAt, lastUsedAt, current }) => html`
              <li>
                <div>
                  <strong>${device ?? messages.unknownDevice}</strong>
                  ${current && html`<span class="badge">${messages.thisSession}</span>`}
                  <p>
                    ${messages.methods[method]} · ${fill(messages.since, messages.time(createdAt))}
                    ${address !== undefined && html` · <bdi>${address}</bdi>`}
                    ${lastUsedAt !== undefined && html` · ${fill(messages.lastUsed, messages.time(lastUsedAt))}`}
                  </p>
                </div>
                ${!current && action(sessionsPath, { id }, messages.end, device ?? messages.unknownDevice)}
              </li>
            `
          )}
        </ul>
        ${
          items.length > 1 &&
          html`
            <form method="post" action="${sessionsPath}" class="end">
              <button class="danger">${messages.endOthers}</button>
            </form>
          `
        }
      </section>
    `
    return responses.page({ title: messages.sessions, main, path: sessionsPath }, messages)
  })

  const endSessions: UserHandler = Effect.fnUntraced(function* ({ form }) {
    const id = form.get("id")
    yield* (id === null ? sessions.revokeOthers : sessions.revoke(id)).pipe(Effect.catchTag("Forbidden", Effect.die))
    return responses.redirect(sessionsPath)
  })

  const tokenList = Effect.fnUntraced(function* (
    { messages }: PageRequest,
    { created, problem }: { readonly created?: string; readonly problem?: string } = {}
  ) {
    const { items } = yield* tokens.list({ limit: maxLimit }).pipe(Effect.catchTag(unexpected, Effect.die))
    const valid = items.filter(({ revokedAt }) => revokedAt === undefined)
    const main = html`
      ${
        created !== undefined &&
        html`
          <section class="card">
            <h2>${messages.tokenCreated}</h2>
            <p>${messages.tokenCreatedText}</p>
            <code class="code" tabindex="0">${created}</code>
          </section>
        `
      }
      <section class="card">
        <h1>${messages.tokens}</h1>
        <p>${messages.tokensText}</p>
        ${problem !== undefined && notice(problem, true)}
        <form method="post" action="${tokensPath}">
          <label>
            ${messages.tokenName}
            <input name="name" required maxlength="100" autocomplete="off" />
          </label>
          <label>
            ${messages.tokenLifetime}
            <select name="days">
              ${tokenDays.map(
                (days) =>
                  html`<option value="${days}"${days === 90 && html` selected`}>${fill(messages.days, days)}</option>`
              )}
              <option value="">${messages.unlimited}</option>
            </select>
          </label>
          <div><button>${messages.createToken}</button></div>
        </form>
      </section>
      <section class="card">
        ${
          valid.length === 0
            ? html`<p>${messages.noTokens}</p>`
            : html`
                <ul class="rows">
                  ${valid.map(
                    ({ id, name, createdAt, expiresAt, lastUsedAt }) => html`
                      <li>
                        <div>
                          <strong>${name ?? id}</strong>
                          <p>
                            ${messages.time(createdAt)}
                            ${expiresAt !== undefined && html` · ${fill(messages.expires, messages.time(expiresAt))}`}
                            ${
                              lastUsedAt !== undefined && html` · ${fill(messages.lastUsed, messages.time(lastUsedAt))}`
                            }
                          </p>
                        </div>
                        ${action(tokensPath, { revoke: id }, messages.revoke, name ?? id)}
                      </li>
                    `
                  )}
                </ul>
              `
        }
      </section>
    `
    return responses.page({ title: messages.tokens, main, path: tokensPath }, messages, {
      ...(problem !== undefined && { status: 400 })
    })
  })

  const changeTokens: UserHandler = Effect.fnUntraced(function* (request) {
    const { form } = request
    const revoked = form.get("revoke")
    if (revoked !== null) {
      yield* tokens.revoke(revoked).pipe(Effect.catchTag("Forbidden", Effect.die))
      return responses.redirect(tokensPath)
    }
    const days = Number(form.get("days") ?? "")
    const expiresAt = new Date((yield* Clock.currentTimeMillis) + days * 86_400_000).toISOString()
    const isLimited = tokenDays.includes(days)
    return yield* tokens.create({ name: (form.get("name") ?? "").trim(), ...(isLimited && { expiresAt }) }).pipe(
      Effect.flatMap(({ token }) => tokenList(request, { created: token })),
      Effect.catchTag(["Forbidden", "InvalidInput", "TooManyTokens"], ({ message }) =>
        tokenList(request, { problem: message })
      )
    )
  })

  const invitationList: UserHandler = Effect.fnUntraced(function* ({ messages }) {
    const { items } = yield* invitations
      .mine({ limit: maxLimit })
      .pipe(Effect.catchTag(["UserNotFound", "InvalidCursor"], Effect.die))
    const main = html`
      <section class="card">
        <h1>${messages.invitations}</h1>
        ${items.length === 0 && html`<p>${messages.noInvitations}</p>`}
        ${
          items.length > 0 &&
          html`
            <ul class="rows">
              ${items.map(
                ({ id, organization }) => html`
                  <li>
                    <div>${fill(messages.invitedTo, organization.title)}</div>
                    <div class="buttons">
                      ${[["accept", messages.accept] as const, ["decline", messages.decline] as const].map(
                        ([choice, title]) =>
                          action(
                            invitationsPath,
                            { id, organization: organization.id, choice },
                            title,
                            organization.title
                          )
                      )}
                    </div>
                  </li>
                `
              )}
            </ul>
          `
        }
      </section>
    `
    return responses.page({ title: messages.invitations, main, path: invitationsPath }, messages)
  })

  const respondToInvitation: UserHandler = Effect.fnUntraced(function* ({ form }) {
    const id = form.get("id") ?? ""
    const organization = OrganizationId.make(form.get("organization") ?? "")
    // The invitation may have been accepted, declined or withdrawn in the meantime.
    if (form.get("choice") === "accept")
      yield* invitations.accept(organization, id).pipe(Effect.catchTag("InvitationNotFound", () => Effect.void))
    else
      yield* invitations
        .remove(organization, id)
        .pipe(Effect.catchTag(["OrganizationNotFound", "Forbidden"], () => Effect.void))
    return responses.redirect(invitationsPath)
  })

  return {
    [accountPath]: { get: forUser(overview) },
    [sessionsPath]: { get: forUser(sessionList), post: forUser(endSessions) },
    [tokensPath]: { get: forUser((request) => tokenList(request)), post: forUser(changeTokens) },
    [invitationsPath]: { get: forUser(invitationList), post: forUser(respondToInvitation) }
  } satisfies PageRoutes
})

const unexpected = ["Forbidden", "InvalidCursor"] as const

/** Returns a form with one button. `subject`: name of the entry, for readers who don't see its row. */
const action = (path: string, fields: Readonly<Record<string, string>>, title: string, subject: string): Html => html`
  <form method="post" action="${path}">
    ${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    <button class="secondary small" aria-label="${title}: ${subject}">${title}</button>
  </form>
`
