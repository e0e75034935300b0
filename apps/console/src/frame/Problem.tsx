/** Replaces a screen or a part that can't be displayed: the reason, and the next step. */
import { type ErrorComponentProps, Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { Button } from "react-aria-components"
import { ApiProblem } from "../api/Api.ts"
import { text } from "../language/Language.ts"

interface ProblemProps {
  readonly failure: Error
  readonly retry?: () => void
}

export const Problem = ({ failure, retry }: ProblemProps) => {
  const isMissing = failure instanceof ApiProblem && failure.status === 404
  return (
    <div className="empty" role="alert">
      <h2>{text(isMissing ? "problem.missing" : "problem.title")}</h2>
      <p>{isMissing ? text("problem.missingText") : failure.message}</p>
      {isMissing || retry === undefined ? (
        <Link to="/" className="control">
          {text("problem.home")}
        </Link>
      ) : (
        <Button className="control" onPress={retry}>
          {text("action.retry")}
        </Button>
      )}
    </div>
  )
}

export const ScreenProblem = ({ error, reset }: ErrorComponentProps) => (
  <Problem failure={error instanceof Error ? error : new Error(String(error))} retry={reset} />
)

export const NotFound = () => (
  <div className="empty">
    <h2>{text("problem.missing")}</h2>
    <p>{text("problem.missingText")}</p>
    <Link to="/" className="control">
      {text("problem.home")}
    </Link>
  </div>
)

/** Placeholder while a part is loading. It appears after a moment only, so that fast answers don't flicker. */
export const Loading = () => (
  <div className="loading" role="status">
    <span className="hidden">{text("frame.loading")}</span>
  </div>
)

/** The reason why a form was not accepted. */
export const FormProblem = ({ failure }: { readonly failure: Error | null }): ReactNode =>
  failure && (
    <p className="field-problem" role="alert">
      {failure.message}
    </p>
  )
