/** A row of `WriteTable`, and those that several groups of operations share. */
import type { LecternApi } from "@lectern/http/api/LecternApi"
import type { Things } from "./Things.ts"

/** Somebody who would like to be more than it is. */
export interface Own {
  readonly user: string
  readonly email: string
  /** Organization that it administers. */
  readonly organization: string
  /** A collection there. */
  readonly collection: string
  /** One of the organization where everyone has `admin`. */
  readonly open: string
  /** Things that it does not administer. */
  readonly things: Things
}

export interface Write {
  /** Actions; undefined where the requests of authority change nothing, and another test shows them. */
  readonly recorded: ReadonlyArray<string> | undefined
  /** Bodies in the sender's own favour. */
  readonly tries: ReadonlyArray<unknown> | ((own: Own) => ReadonlyArray<unknown>)
}

type Groups = typeof LecternApi.groups

type Writing<Group extends keyof Groups> = {
  [Name in keyof Groups[Group]["endpoints"]]: Groups[Group]["endpoints"][Name] extends { readonly method: "GET" }
    ? never
    : Name
}[keyof Groups[Group]["endpoints"]]

export type Writes = {
  readonly [Group in keyof Groups as [Writing<Group>] extends [never] ? never : Group]: {
    readonly [Name in Writing<Group>]: Write
  }
}

/** Content, discussions about it, and how things look: what changes nothing about who may see or do something. */
export const none: ReadonlyArray<string> = []

/** Recorded, and shown in `operations/AuditOperations`: the requests that authority is asked with change nothing. */
export const elsewhere = (..._: ReadonlyArray<string>): undefined => undefined

/** Sent without a body. */
export const bodiless = [undefined]

/** Permissions, as if a body could have them. */
export const all = { view: true, admin: true }

export const granting = {
  give: { recorded: ["grant_changed"], tries: ({ user }: Own) => [{ users: [user], role: "admin" }] },
  changeUser: { recorded: ["grant_changed"], tries: [{ role: "admin" }, { role: "create" }] },
  removeUser: { recorded: ["grant_removed"], tries: bodiless },
  changeTeam: { recorded: ["grant_changed"], tries: [{ role: "admin" }] },
  removeTeam: { recorded: ["grant_removed"], tries: bodiless }
}

export const discussing = {
  post: { recorded: none, tries: [{ body: { markdown: "Mine" } }] },
  update: { recorded: none, tries: [{ resolved: true }, { body: { markdown: "Mine" } }, { permissions: all }] },
  remove: { recorded: none, tries: bodiless },
  postReply: { recorded: none, tries: [{ body: {} }] },
  updateReply: { recorded: none, tries: [{ resolved: true }, { body: { markdown: "Mine" } }] },
  removeReply: { recorded: none, tries: bodiless }
}
