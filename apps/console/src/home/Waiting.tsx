/**
 * Work that waits for the user in an organization: reviews that others asked for, and the user's own change requests.
 *
 * Limit: 5 of each.
 */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { request } from "../api/Api.ts"
import { queries } from "../api/Queries.ts"
import type { ChangeRequest, List, Space } from "../api/Resources.ts"
import { Icon } from "../frame/Icon.tsx"
import { text, timeAgo } from "../language/Language.ts"

const maxItems = 5

/** Number of the user's change requests that are read. Some of them may be by others. */
const maxChangeRequests = 50

const ownChangeRequests = (organization: string, user: string) => ({
  queryKey: ["change-requests", "own", organization, user],
  queryFn: () =>
    request<List<ChangeRequest>>(`/orgs/${organization}/change-requests`, {
      query: { status: ["draft", "open"], contributor: user, limit: maxChangeRequests }
    })
})

const awaitedReviews = (organization: string, user: string) => ({
  queryKey: ["change-requests", "reviews", organization, user],
  queryFn: () =>
    request<List<ChangeRequest>>(`/orgs/${organization}/change-requests`, {
      query: { status: ["draft", "open"], reviewer: user, limit: maxItems }
    })
})

interface WaitingProps {
  readonly organization: string
  readonly spaces: ReadonlyArray<Space>
}

export const Waiting = ({ organization, spaces }: WaitingProps) => {
  const { data: user } = useQuery(queries.me())
  return user === undefined ? null : <WaitingFor organization={organization} spaces={spaces} user={user.id} />
}

const WaitingFor = ({ organization, spaces, user }: WaitingProps & { readonly user: string }) => {
  const { data: awaited } = useQuery(awaitedReviews(organization, user))
  const { data: contributed } = useQuery(ownChangeRequests(organization, user))
  const reviews = awaited?.items ?? []
  const own = (contributed?.items ?? []).filter(({ createdBy }) => createdBy.id === user)
  if (reviews.length === 0 && own.length === 0) return null
  return (
    <>
      <h3>{text("home.waiting")}</h3>
      <ul className="rows waiting">
        {reviews.map((changeRequest) => (
          <WaitingRow key={changeRequest.id} changeRequest={changeRequest} spaces={spaces} isReview />
        ))}
        {own.slice(0, maxItems).map((changeRequest) => (
          <WaitingRow key={changeRequest.id} changeRequest={changeRequest} spaces={spaces} />
        ))}
      </ul>
    </>
  )
}

interface WaitingRowProps {
  readonly changeRequest: ChangeRequest
  readonly spaces: ReadonlyArray<Space>
  readonly isReview?: boolean
}

const WaitingRow = ({ changeRequest, spaces, isReview = false }: WaitingRowProps) => {
  const { createdBy, number, space, status, subject, updatedAt } = changeRequest
  const spaceTitle = spaces.find(({ id }) => id === space)?.title
  return (
    <li>
      <Link to="/spaces/$space/changes/$number" params={{ space, number: String(number) }} className="row">
        <Icon name={isReview ? "user" : "edit"} />
        <span className="row-title">
          <span dir="auto">{subject || text("changes.number", { number })}</span>
          <span className="muted row-sub" dir="auto">
            {[spaceTitle, isReview ? createdBy.displayName : undefined].filter(Boolean).join(" · ")}
          </span>
        </span>
        <span className="badge" data-status={isReview ? undefined : status}>
          {text(isReview ? "home.reviewAsked" : `changes.status.${status}`)}
        </span>
        <span className="muted row-time">{timeAgo(updatedAt)}</span>
      </Link>
    </li>
  )
}
