/**
 * Functions of the host that run before an operation writes anything. A hook refuses the operation by failing with
 * `RefusedByHost`, or returns fields of the request to change its input:
 *
 * ```ts
 * const Host = Lectern.layer({
 *   before: {
 *     merge: ({ revision }) =>
 *       revision === approved ? Effect.void : Effect.fail(new RefusedByHost({ message: "Two reviews are needed" })),
 *     inviteLink: () => Effect.succeed({ role: "read" })
 *   }
 * })
 * ```
 *
 * Hooks run for every actor and every way to an operation: HTTP, imports, Git, integrations and the host's own calls.
 * They run after the permission check and outside of transactions, so they may wait. A changed input is validated like
 * that of the caller. `merge` runs again if the change request gets another revision before the commit.
 *
 * Limit: 10 seconds. A hook that takes longer, or fails in another way, refuses the operation, and the cause is logged.
 * Default: no hooks.
 */
import { Cause, Context, Effect, Scheduler, Schema } from "effect"
import type { Role } from "../access/Role.ts"
import type { CurrentActor } from "../access/Actor.ts"
import type { ChangeRequestId } from "../change-request/ChangeRequest.ts"
import type { RevisionId } from "../content/revisions/Revision.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import type { OptionNames } from "../schema/OptionNames.ts"
import type { SiteId, SiteRow } from "../site/Site.ts"
import type { SpaceId } from "../space/Space.ts"
import { TransactionMisuse } from "../storage/Storage.ts"
import type { UploadKind } from "../upload/Upload.ts"
import type { UserId } from "../user/User.ts"

const timeout = "10 seconds"

/** Raised by a hook of the host to refuse an operation, or if the hook failed. The store is unchanged. */
export class RefusedByHost extends Schema.TaggedError<RefusedByHost>()(
  "RefusedByHost",
  {
    /** Reason as a sentence for the caller. */
    message: Schema.String
  },
  { httpApiStatus: 403 }
) {}

/** Merge of a change request into the main content of its space. */
export interface MergeRequest {
  readonly organization: OrganizationId
  readonly space: SpaceId
  readonly changeRequest: ChangeRequestId
  /** Number of the change request within its space. */
  readonly number: number
  readonly subject: string
  /** Null if no user created the change request. */
  readonly createdBy: UserId | null
  /** Revision of the change request that is merged. */
  readonly revision: RevisionId
}

/** Publication of a site that is not published. */
export interface PublishRequest {
  readonly organization: OrganizationId
  readonly site: SiteId
  readonly title: string
  readonly visibility: SiteRow["visibility"]
}

/** Invitation of people by their e-mail addresses. */
export interface InviteRequest {
  readonly organization: OrganizationId
  /** 1 to 100 addresses. A guest has the role null. */
  readonly emails: ReadonlyArray<{ readonly email: string; readonly role: Role | null }>
}

/** Creation of an invite link, or a change of its role. */
export interface InviteLinkRequest {
  readonly organization: OrganizationId
  /** Id of an existing link, without its secret. Undefined for a new link. */
  readonly link: string | undefined
  /** Role of people who join by the link. Null for a guest. */
  readonly role: Role | null
}

/**
 * A file for content (`content_file`, also from imports and Git), a picture of an organization or site, a font, or a
 * file to import. An import leaves a refused file out, and reports the reason.
 */
export interface UploadRequest {
  readonly kind: UploadKind | "content_file"
  /** Undefined for a file for content. */
  readonly organization: OrganizationId | undefined
  /** Space of a file for content. Undefined for other kinds. */
  readonly space: SpaceId | undefined
  /** Name with extension. */
  readonly name: string
  /** Media type: detected in the bytes of a file for content, declared by the client otherwise. */
  readonly contentType: string
  /** Size in bytes. */
  readonly size: number
}

/** Requests of the hooks, by hook. */
export interface HookRequests {
  readonly merge: MergeRequest
  readonly publish: PublishRequest
  readonly invite: InviteRequest
  readonly inviteLink: InviteLinkRequest
  readonly upload: UploadRequest
}

export type HookName = keyof HookRequests

export const hookNames: OptionNames<BeforeHooks> = {
  merge: true,
  publish: true,
  invite: true,
  inviteLink: true,
  upload: true
}

/** Fields that a hook may change. */
interface ChangeableFields {
  readonly merge: never
  readonly publish: never
  readonly invite: "emails"
  readonly inviteLink: "role"
  readonly upload: "name"
}

/** Changed fields of a request. */
export type HookChanges<Name extends HookName> = Partial<
  Pick<HookRequests[Name], ChangeableFields[Name] & keyof HookRequests[Name]>
>

/** Hooks of a host. They may use the services `R`, and read the actor from `CurrentActor`. */
export type BeforeHooks<R = never> = {
  readonly [Name in HookName]?: (
    request: HookRequests[Name]
  ) => Effect.Effect<HookChanges<Name> | void, unknown, R | CurrentActor>
}

/** Hooks of the host with the services that they need. The services are set when all of them are built. */
export interface HookRegistry {
  readonly hooks: BeforeHooks<any>
  services: Context.Context<never>
}

export const makeHookRegistry = (hooks: BeforeHooks<any> = {}): HookRegistry => ({ hooks, services: Context.empty() })

export const HostHooks = Context.Reference<HookRegistry>("@lectern/core/hook/HostHooks", {
  defaultValue: () => makeHookRegistry()
})

/**
 * Runs a hook and returns the changes of the input. The request is computed only if the host has the hook. It checks the
 * permission, and is undefined if the operation would change nothing.
 */
export type RunHook = <Name extends HookName, E, R>(
  name: Name,
  request: Effect.Effect<HookRequests[Name] | undefined, E, R>
) => Effect.Effect<HookChanges<Name>, E | RefusedByHost, R | CurrentActor>

export const makeRunHook = Effect.map(HostHooks, (registry): RunHook => (name, request) => {
  const hook = registry.hooks[name]
  if (hook === undefined) return Effect.succeed({})
  return Effect.withFiber(({ context }) => {
    // Only bodies of transactions run with this setting.
    if (Context.get(context, Scheduler.PreventSchedulerYield)) {
      return Effect.die(
        new TransactionMisuse(`The hook "${name}" can't run in a transaction: call its operation before`)
      )
    }
    return Effect.flatMap(request, (value) =>
      value === undefined ? Effect.succeed({}) : run(name, () => hook(value), registry.services)
    )
  })
})

const run = <Name extends HookName>(
  name: Name,
  hook: () => Effect.Effect<HookChanges<Name> | void, unknown, CurrentActor>,
  services: Context.Context<never>
): Effect.Effect<HookChanges<Name>, RefusedByHost, CurrentActor> =>
  Effect.suspend(hook).pipe(
    Effect.provideContext(services),
    Effect.timeout(timeout),
    Effect.map((changes): HookChanges<Name> => changes ?? {}),
    Effect.catchCause((cause) => {
      const failure = cause.reasons.find(Cause.isFailReason)?.error
      if (failure instanceof RefusedByHost) return Effect.fail(failure)
      if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause as Cause.Cause<never>)
      const message = `The check "${name}" of this application failed, so nothing was changed: try again later`
      return Effect.andThen(
        Effect.logError(`The hook "${name}" of the host failed`, cause),
        Effect.fail(new RefusedByHost({ message }))
      )
    })
  )
