/**
 * Work that waits for the user in an organization: reviews that others asked for, and the user's own change requests.
 *
 * Limits: 5 of each. Requests for reviews are those of the newest 20 notifications about them.
 */
import { useQueries, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { request } from "../api/Api.ts"
import { queries } from "../api/Queries.ts"
import type { ChangeRequest, List, Notification, Space } from "../api/Resources.ts"
import { Icon } from "../frame/Icon.tsx"
import { text, timeAgo } from "../language/Language.ts"

const maxItems = 5
const maxNotifications = 20

/** Number of the user's change requests that are read. Some of them may be by others. */
const maxChangeRequests = 50

const ownChangeRequests = (organization: string, user: string) => ({
  queryKey: ["change-requests", "own", organization, user],
  queryFn: () =>
    request<List<ChangeRequest>>(`/orgs/${organization}/change-requests`, {
      query: { status: ["draft", "open"], contributor: user, limit: maxChangeRequests }
    })
})

const reviewNotifications = (organization: string) => ({
  queryKey: ["notifications", "reviews", organization],
  queryFn: () =>
    request<List<Notification>>("/user/notifications", {
      query: { kind: "review-requested", organization, limit: maxNotifications }
    })
})

/** Returns the change requests whose review was asked of the user, and not given yet. */
const useRequestedReviews = (organization: string, user: string) => {
  const { data: notifications } = useQuery(reviewNotifications(organization))
  const places = [
    ...new Map(
      (notifications?.items ?? []).flatMap(({ changeRequest, space }) =>
        changeRequest && space ? [[changeRequest.id, { space: space.id, number: changeRequest.number }] as const] : []
      )
    ).values()
  ].slice(0, maxItems)
  const changeRequests = useQueries({
    queries: places.map(({ number, space }) => queries.changeRequest(space, number))
  })
  const requested = useQueries({
    queries: places.map(({ number, space }) => queries.requestedReviewers(space, number))
  })
  // A request stays after its review.
  const reviews = useQueries({ queries: places.map(({ number, space }) => queries.reviews(space, number)) })
  return changeRequests.flatMap(({ data }, i) =>
    data !== undefined &&
    (data.status === "open" || data.status === "draft") &&
    requested[i]?.data?.some((reviewer) => reviewer.user.id === user) &&
    reviews[i]?.data?.every(({ reviewer }) => reviewer.id !== user)
      ? [data]
      : []
  )
}

interface WaitingProps {
  readonly organization: string
  readonly spaces: ReadonlyArray<Space>
}

export const Waiting = ({ organization, spaces }: WaitingProps) => {
  const { data: user } = useQuery(queries.me())
  return user === undefined ? null : <WaitingFor organization={organization} spaces={spaces} user={user.id} />
}

const WaitingFor = ({ organization, spaces, user }: WaitingProps & { readonly user: string }) => {
  const reviews = useRequestedReviews(organization, user)
  const { data } = useQuery(ownChangeRequests(organization, user))
  const own = (data?.items ?? []).filter(({ createdBy }) => createdBy.id === user)
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
