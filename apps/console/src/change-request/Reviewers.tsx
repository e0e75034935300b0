/** Reviews of a change request, the requested reviewers, and the review of the current user. */
import { useMutation, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { Button, Form, Label, TextArea, TextField } from "react-aria-components"
import { request } from "../api/Api.ts"
import { changeRequestPath, client, queries } from "../api/Queries.ts"
import type { ChangeRequest, Space } from "../api/Resources.ts"
import { notify, notifyProblem } from "../frame/Notices.tsx"
import { FormProblem } from "../frame/Problem.tsx"
import { Window } from "../frame/Window.tsx"
import { text, timeAgo } from "../language/Language.ts"

interface ReviewersProps {
  readonly changeRequest: ChangeRequest
  readonly space: Space
}

export const Reviewers = ({ changeRequest, space }: ReviewersProps) => {
  const { number } = changeRequest
  const { data: reviews = [] } = useQuery(queries.reviews(space.id, number))
  const { data: allRequested = [] } = useQuery(queries.requestedReviewers(space.id, number))
  // A request stays after its review.
  const requested = allRequested.filter((one) => !reviews.some(({ reviewer }) => reviewer.id === one.user.id))
  const { data: user } = useQuery(queries.me())
  const [isAsking, setAsking] = useState(false)
  const [reviewed, setReviewed] = useState<"approved" | "changes-requested">()
  const isAuthor = changeRequest.createdBy.id === user?.id
  const refresh = () => client.invalidateQueries({ queryKey: ["change-request", space.id, number] })
  return (
    <section aria-labelledby="reviews">
      <h2 id="reviews">{text("review.title")}</h2>
      {reviews.length === 0 && requested.length === 0 && <p className="muted">{text("review.none")}</p>}
      <ul className="plain-list">
        {reviews.map(({ id, reviewer, status, outdated, createdAt }) => (
          <li key={id}>
            <strong dir="auto">{reviewer.displayName}</strong>{" "}
            <span className="badge" data-review={status}>
              {text(`review.${status}`)}
            </span>{" "}
            <span className="muted">
              {timeAgo(createdAt)}
              {outdated && ` · ${text("review.outdated")}`}
            </span>
          </li>
        ))}
        {requested.map(({ user: reviewer }) => (
          <li key={reviewer.id}>
            <strong dir="auto">{reviewer.displayName}</strong> <span className="muted">{text("review.waiting")}</span>
          </li>
        ))}
      </ul>
      <div className="buttons">
        {space.permissions.edit && (
          <Button className="control" onPress={() => setAsking(true)}>
            {text("review.request")}
          </Button>
        )}
        {space.permissions.review && !isAuthor && (
          <>
            <Button className="control" onPress={() => setReviewed("approved")}>
              {text("review.approve")}
            </Button>
            <Button className="control" onPress={() => setReviewed("changes-requested")}>
              {text("review.requestChanges")}
            </Button>
          </>
        )}
      </div>
      {isAsking && (
        <AskForReview
          changeRequest={changeRequest}
          space={space}
          onClose={() => setAsking(false)}
          onDone={() => void refresh()}
        />
      )}
      {reviewed && (
        <SubmitReview
          status={reviewed}
          path={`${changeRequestPath(space.id, number)}/reviews`}
          onClose={() => setReviewed(undefined)}
          onDone={() => void refresh()}
        />
      )}
    </section>
  )
}

interface DialogProps {
  readonly onClose: () => void
  readonly onDone: () => void
}

const AskForReview = ({ changeRequest, space, onClose, onDone }: ReviewersProps & DialogProps) => {
  const { data: members, error } = useQuery(queries.members(space.organization))
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const others = (members ?? []).filter(({ disabled, id }) => !disabled && id !== changeRequest.createdBy.id)
  const path = changeRequestPath(space.id, changeRequest.number)
  const ask = useMutation({
    mutationFn: async () => {
      await request(`${path}/requested-reviewers`, { body: { users: [...chosen] } })
      // Others find it among the open ones.
      if (changeRequest.status === "draft") await request(path, { method: "PATCH", body: { status: "open" } })
    },
    onSuccess: () => {
      onClose()
      onDone()
      void client.invalidateQueries({ queryKey: ["change-requests", space.id] })
      notify(text("review.requested"))
    }
  })
  return (
    <Window title={text("review.request")} isOpen onClose={onClose}>
      <FormProblem failure={error} />
      {members && others.length === 0 && <p>{text("review.nobody")}</p>}
      <fieldset className="people">
        <legend className="hidden">{text("review.people")}</legend>
        {others.map(({ id, user: { displayName, email } }) => (
          <label key={id} className="person">
            <input
              type="checkbox"
              checked={chosen.has(id)}
              onChange={(event) => {
                const next = new Set(chosen)
                if (event.target.checked) next.add(id)
                else next.delete(id)
                setChosen(next)
              }}
            />
            <span>
              <span dir="auto">{displayName}</span> <span className="muted">{email}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <FormProblem failure={ask.error} />
      <div className="buttons end">
        <Button className="control" onPress={onClose}>
          {text("action.cancel")}
        </Button>
        <Button
          className="control primary"
          isDisabled={chosen.size === 0 || ask.isPending}
          onPress={() => ask.mutate()}
        >
          {text("review.request")}
        </Button>
      </div>
    </Window>
  )
}

interface SubmitReviewProps extends DialogProps {
  readonly status: "approved" | "changes-requested"
  readonly path: string
}

const SubmitReview = ({ status, path, onClose, onDone }: SubmitReviewProps) => {
  const [comment, setComment] = useState("")
  const submit = useMutation({
    mutationFn: () =>
      request(path, { body: { status, ...(comment.trim() !== "" && { comment: { markdown: comment.trim() } }) } }),
    onSuccess: () => {
      onClose()
      onDone()
    },
    onError: notifyProblem
  })
  return (
    <Window title={text(status === "approved" ? "review.approve" : "review.requestChanges")} isOpen onClose={onClose}>
      <Form
        onSubmit={(event) => {
          event.preventDefault()
          submit.mutate()
        }}
      >
        <TextField value={comment} onChange={setComment} autoFocus>
          <Label>{text("review.comment")}</Label>
          <TextArea rows={4} dir="auto" />
        </TextField>
        <div className="buttons end">
          <Button className="control primary" type="submit" isDisabled={submit.isPending}>
            {text("review.send")}
          </Button>
        </div>
      </Form>
    </Window>
  )
}
