/** Reads and writes of the members, invitations and teams of an organization. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query"
import { request } from "../api/Api.ts"
import { client } from "../api/Queries.ts"
import type { Invitation, InviteResult, List, Member, Team } from "../api/Resources.ts"

/** Number of members in a step of their list. */
const step = 50

/** Number of pending invitations and of teams that are listed. */
const maxListed = 100

/** Roles, from the one that may do most. `guest` has no role of its own. */
export const roles = ["admin", "create", "review", "edit", "comment", "read", "guest"] as const
export type RoleName = (typeof roles)[number]

const roleOf = (name: RoleName) => (name === "guest" ? null : name)

export const memberQueries = {
  list: (organization: string, search: string) =>
    infiniteQueryOptions({
      queryKey: ["members", organization, "list", search],
      queryFn: ({ pageParam }: { pageParam: string | undefined }) =>
        request<List<Member>>(`/orgs/${organization}/members`, {
          query: { sort: "name", limit: step, page: pageParam, ...(search !== "" && { search }) }
        }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next }) => next?.page
    }),

  invitations: (organization: string) =>
    queryOptions({
      queryKey: ["members", organization, "invitations"],
      queryFn: () => request<List<Invitation>>(`/orgs/${organization}/invites`, { query: { limit: maxListed } })
    }),

  teams: (organization: string) =>
    queryOptions({
      queryKey: ["members", organization, "teams"],
      queryFn: () => request<List<Team>>(`/orgs/${organization}/teams`, { query: { limit: maxListed } })
    })
}

const refresh = (organization: string) => client.invalidateQueries({ queryKey: ["members", organization] })

export const changeRole = async (organization: string, user: string, role: RoleName): Promise<void> => {
  await request(`/orgs/${organization}/members/${user}`, { method: "PATCH", body: { role: roleOf(role) } })
  await refresh(organization)
}

export const removeMember = async (organization: string, user: string): Promise<void> => {
  await request(`/orgs/${organization}/members/${user}`, { method: "DELETE" })
  await refresh(organization)
}

export const invite = async (
  organization: string,
  emails: ReadonlyArray<string>,
  role: RoleName
): Promise<InviteResult> => {
  const result = await request<InviteResult>(`/orgs/${organization}/invites`, {
    body: { emails, role: roleOf(role) }
  })
  await refresh(organization)
  return result
}

export const removeInvitation = async (organization: string, invitation: string): Promise<void> => {
  await request(`/orgs/${organization}/invites/${invitation}`, { method: "DELETE" })
  await refresh(organization)
}
