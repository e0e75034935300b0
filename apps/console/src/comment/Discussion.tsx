/** The comments on a change request or on a page: the open ones, or the resolved ones, oldest first. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { useRouterState } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import { Button, Label, Radio, RadioGroup } from "react-aria-components"
import type { ContentPlace } from "../api/Queries.ts"
import type { Space } from "../api/Resources.ts"
import { Loading, Problem } from "../frame/Problem.tsx"
import { text } from "../language/Language.ts"
import { CommentForm } from "./CommentForm.tsx"
import { commentQueries, type CommentStatus, postComment } from "./CommentQueries.ts"
import { CommentThread } from "./CommentThread.tsx"

/** Returns the id of the comment that the URL leads to. */
const useLinkedComment = (): string | undefined => {
  const hash = useRouterState({ select: ({ location }) => location.hash })
  return /^#?comment-(.+)$/.exec(hash)?.[1]
}

interface DiscussionProps {
  readonly place: ContentPlace
  readonly space: Space
  /** Page whose comments are displayed. Default: those of the whole place. */
  readonly page?: string
}

export const Discussion = ({ place, space, page }: DiscussionProps) => {
  const linked = useLinkedComment()
  const [status, setStatus] = useState<CommentStatus>("open")
  const { data: linkedComment } = useQuery({
    ...commentQueries.one(place, linked ?? ""),
    enabled: linked !== undefined,
    retry: false
  })
  // A link to a resolved comment displays the resolved ones.
  const linkedStatus = linkedComment?.status
  useEffect(() => {
    if (linkedStatus !== undefined) setStatus(linkedStatus)
  }, [linked, linkedStatus])
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery(
    commentQueries.list(place, status, page)
  )
  const items = data?.pages.flatMap((step) => step.items)
  const isElsewhere =
    linkedComment !== undefined && items !== undefined && !items.some(({ id }) => id === linkedComment.id)
  const displayed = isElsewhere && linkedComment.status === status ? [linkedComment, ...items] : items
  return (
    <section className="discussion" aria-labelledby="discussion">
      <div className="section-head">
        <h2 id="discussion">{text("comment.title")}</h2>
        <RadioGroup
          className="choice"
          value={status}
          orientation="horizontal"
          onChange={(value) => setStatus(value as CommentStatus)}
        >
          <Label className="hidden">{text("comment.filter")}</Label>
          <Radio value="open">{text("comment.status.open")}</Radio>
          <Radio value="resolved">{text("comment.status.resolved")}</Radio>
        </RadioGroup>
      </div>
      {error && <Problem failure={error} retry={() => void refetch()} />}
      {items === undefined && !error && <Loading />}
      {displayed?.length === 0 && <p className="muted">{text(`comment.none.${status}`)}</p>}
      {displayed?.map((comment) => (
        <CommentThread
          key={comment.id}
          place={place}
          organization={space.organization}
          comment={comment}
          showsTarget={page === undefined}
          isLinked={comment.id === linked}
        />
      ))}
      {hasNextPage && (
        <Button className="control" isDisabled={isFetchingNextPage} onPress={() => void fetchNextPage()}>
          {text("action.more")}
        </Button>
      )}
      {space.permissions.comment && (
        <CommentForm
          draftKey={`${place.space} ${place.changeRequest ?? ""} ${page ?? ""}`}
          organization={space.organization}
          label={text("comment.write")}
          action={text("comment.send")}
          onSend={async (markdown) => {
            await postComment(place, markdown, page === undefined ? {} : { page })
            setStatus("open")
          }}
        />
      )}
    </section>
  )
}
