/**
 * The members of an organization with their roles, its pending invitations, and its teams. Administrators invite people,
 * change roles and remove members. All others see the lists only.
 *
 * Limits: 50 members at a time, 100 invitations and 100 teams. A search finds members by their names, on the server.
 */
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query"
import { Link, useParams, useSearch } from "@tanstack/react-router"
import { useDeferredValue, useState } from "react"
import { Button, Input, SearchField } from "react-aria-components"
import { queries } from "../api/Queries.ts"
import type { Invitation, Member, Organization } from "../api/Resources.ts"
import { Avatar } from "../frame/Avatar.tsx"
import { useTitle } from "../frame/Bar.tsx"
import { Icon } from "../frame/Icon.tsx"
import { notify, notifyProblem } from "../frame/Notices.tsx"
import { FormProblem, Loading, NotFound, Problem } from "../frame/Problem.tsx"
import { Window } from "../frame/Window.tsx"
import { countedText, roleName, text, timeAgo } from "../language/Language.ts"
import { InvitePeople } from "./InvitePeople.tsx"
import { changeRole, memberQueries, removeInvitation, removeMember, type RoleName, roles } from "./MemberQueries.ts"

const maxSearch = 100

export const MembersScreen = () => {
  const { organization: id } = useParams({ from: "/organizations/$organization/members" })
  const { data: organizations, error, refetch } = useQuery(queries.organizations())
  const organization = organizations?.find((one) => one.id === id)
  useTitle(text("members.title"))
  if (error) return <Problem failure={error} retry={() => void refetch()} />
  if (organizations === undefined) return <Loading />
  return organization === undefined ? <NotFound /> : <Members organization={organization} />
}

interface OrganizationProps {
  readonly organization: Organization
}

const Members = ({ organization }: OrganizationProps) => {
  const { id, permissions, title } = organization
  const [isInviting, setInviting] = useState(false)
  return (
    <div className="sheet account">
      <nav className="trail" aria-label={text("page.parents")}>
        <Link to="/" dir="auto">
          {title}
        </Link>
      </nav>
      <div className="section-head">
        <h1>{text("members.title")}</h1>
        {permissions.admin && (
          <Button className="control primary" onPress={() => setInviting(true)}>
            <Icon name="add" />
            {text("members.invite")}
          </Button>
        )}
      </div>
      {!permissions.admin && <p className="muted">{text("members.readOnly")}</p>}
      <MemberList organization={organization} />
      {permissions.admin && <Invitations organization={id} />}
      <Teams organization={id} />
      {isInviting && <InvitePeople organization={organization} onClose={() => setInviting(false)} />}
    </div>
  )
}

const MemberList = ({ organization }: OrganizationProps) => {
  const { search: initial = "" } = useSearch({ from: "/organizations/$organization/members" })
  const [search, setSearch] = useState(initial)
  const searched = useDeferredValue(search.trim())
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery({
    ...memberQueries.list(organization.id, searched),
    placeholderData: keepPreviousData
  })
  const { data: me } = useQuery(queries.me())
  const [removed, setRemoved] = useState<Member>()
  const members = data?.pages.flatMap(({ items }) => items)
  return (
    <>
      <SearchField
        className="search"
        aria-label={text("members.search")}
        value={search}
        onChange={setSearch}
        maxLength={maxSearch}
      >
        <Icon name="search" />
        <Input placeholder={text("members.search")} dir={search === "" ? undefined : "auto"} />
      </SearchField>
      <p className="hidden" role="status">
        {data && countedText("members.count", data.pages[0]!.count)}
      </p>
      {error && <Problem failure={error} retry={() => void refetch()} />}
      {members === undefined && !error && <Loading />}
      {members?.length === 0 && <p className="muted">{text("members.none")}</p>}
      {members !== undefined && members.length > 0 && (
        <ul className="rows members" aria-label={text("members.title")}>
          {members.map((member) => (
            <MemberRow
              key={member.id}
              member={member}
              organization={organization}
              isSelf={member.id === me?.id}
              onRemove={() => setRemoved(member)}
            />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button className="control" isDisabled={isFetchingNextPage} onPress={() => void fetchNextPage()}>
          {text("action.more")}
        </Button>
      )}
      {removed && (
        <RemoveMember organization={organization.id} member={removed} onClose={() => setRemoved(undefined)} />
      )}
    </>
  )
}

interface MemberRowProps extends OrganizationProps {
  readonly member: Member
  readonly isSelf: boolean
  readonly onRemove: () => void
}

const MemberRow = ({ member, organization, isSelf, onRemove }: MemberRowProps) => {
  const {
    disabled,
    id,
    lastSeenAt,
    role,
    teams,
    user: { displayName, email }
  } = member
  const change = useMutation({
    mutationFn: (next: RoleName) => changeRole(organization.id, id, next),
    onSuccess: (_, next) => notify(text("members.changed", { name: displayName, role: roleName(next) })),
    onError: notifyProblem
  })
  const details = [
    email,
    teams > 0 && countedText("members.teams", teams),
    disabled ? text("members.disabled") : lastSeenAt && text("members.seen", { time: timeAgo(lastSeenAt) })
  ].filter(Boolean)
  return (
    <li className="row member">
      <span className="avatar small" aria-hidden="true">
        <Avatar name={displayName} />
      </span>
      <span className="row-title">
        <span dir="auto">{displayName}</span>
        <span className="muted row-sub" dir="auto">
          {details.join(" · ")}
        </span>
      </span>
      {organization.permissions.admin ? (
        <>
          <select
            className="select"
            aria-label={text("members.roleOf", { name: displayName })}
            value={change.isPending ? change.variables : (role ?? "guest")}
            disabled={change.isPending}
            onChange={(event) => change.mutate(event.target.value as RoleName)}
          >
            {roles.map((name) => (
              <option key={name} value={name}>
                {roleName(name)}
              </option>
            ))}
          </select>
          <Button
            className="plain square"
            aria-label={text(isSelf ? "members.leave" : "members.remove", { name: displayName })}
            onPress={onRemove}
          >
            <Icon name="close" />
          </Button>
        </>
      ) : (
        <span className="badge">{roleName(role ?? "guest")}</span>
      )}
    </li>
  )
}

interface RemoveMemberProps {
  readonly organization: string
  readonly member: Member
  readonly onClose: () => void
}

const RemoveMember = ({ organization, member, onClose }: RemoveMemberProps) => {
  const { displayName: name } = member.user
  const remove = useMutation({
    mutationFn: () => removeMember(organization, member.id),
    onSuccess: () => {
      onClose()
      notify(text("members.removed", { name }))
    }
  })
  return (
    <Window title={text("members.remove", { name })} isOpen onClose={onClose}>
      <p>{text("members.removeText")}</p>
      <FormProblem failure={remove.error} />
      <div className="buttons end">
        <Button className="control" onPress={onClose} autoFocus>
          {text("action.cancel")}
        </Button>
        <Button className="control danger" isDisabled={remove.isPending} onPress={() => remove.mutate()}>
          {text("members.removeNow")}
        </Button>
      </div>
    </Window>
  )
}

const Invitations = ({ organization }: { readonly organization: string }) => {
  const { data } = useQuery(memberQueries.invitations(organization))
  const remove = useMutation({
    mutationFn: ({ id }: Invitation) => removeInvitation(organization, id),
    onError: notifyProblem
  })
  if (data === undefined || data.count === 0) return null
  return (
    <section aria-labelledby="invitations">
      <h2 id="invitations">{countedText("members.invitations", data.count)}</h2>
      <ul className="rows">
        {data.items.map((invitation) => (
          <li key={invitation.id} className="row">
            <span className="row-title">
              <span dir="auto">{invitation.email}</span>
              <span className="muted row-sub">
                {roleName(invitation.role ?? "guest")} · {timeAgo(invitation.createdAt)}
              </span>
            </span>
            <Button
              className="plain square"
              aria-label={text("members.withdraw", { email: invitation.email })}
              isDisabled={remove.isPending}
              onPress={() => remove.mutate(invitation)}
            >
              <Icon name="close" />
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

const Teams = ({ organization }: { readonly organization: string }) => {
  const { data } = useQuery(memberQueries.teams(organization))
  if (data === undefined || data.count === 0) return null
  return (
    <section aria-labelledby="teams">
      <h2 id="teams">{countedText("members.teams", data.count)}</h2>
      <ul className="rows">
        {data.items.map(({ id, members, title }) => (
          <li key={id} className="row">
            <Icon name="user" />
            <span className="row-title" dir="auto">
              {title}
            </span>
            <span className="muted">{countedText("members.count", members)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
