/** Open comments on a block of a change request, and a button to write one. */
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { Button } from "react-aria-components"
import { type ContentPlace, queries } from "../api/Queries.ts"
import { Icon } from "../frame/Icon.tsx"
import { text } from "../language/Language.ts"
import { CommentForm } from "./CommentForm.tsx"
import { commentQueries, postComment } from "./CommentQueries.ts"
import { CommentThread } from "./CommentThread.tsx"

interface BlockCommentsProps {
  readonly place: ContentPlace
  readonly page: string
  /** Key of the block. */
  readonly node: string
}

export const BlockComments = ({ place, page, node }: BlockCommentsProps) => {
  const { data: space } = useQuery(queries.space(place.space))
  const { data: comments } = useQuery(commentQueries.open(place))
  const [isWriting, setWriting] = useState(false)
  const own = (comments?.items ?? []).filter(({ target }) => target.page?.id === page && target.node?.id === node)
  if (space === undefined) return null
  return (
    <div className="block-comments">
      {own.map((comment) => (
        <CommentThread
          key={comment.id}
          place={place}
          organization={space.organization}
          comment={comment}
          showsTarget={false}
        />
      ))}
      {isWriting ? (
        <CommentForm
          draftKey={`${place.space} ${place.changeRequest ?? ""} ${page} ${node}`}
          organization={space.organization}
          label={text("comment.writeOnBlock")}
          action={text("comment.send")}
          hasFocus
          onSend={(markdown) => postComment(place, markdown, { page, node })}
          onCancel={() => setWriting(false)}
        />
      ) : (
        space.permissions.comment && (
          <Button
            className="plain square small comment-button"
            aria-label={text("comment.writeOnBlock")}
            onPress={() => setWriting(true)}
          >
            <Icon name="comment" />
          </Button>
        )
      )}
    </div>
  )
}
