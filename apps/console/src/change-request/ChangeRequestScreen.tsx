/** A change request: its changes, its reviews, and its merge. */
import { useMutation, useQuery } from "@tanstack/react-query"
import { useNavigate, useParams } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import { Button, Form, Input, Label, TextField } from "react-aria-components"
import { request } from "../api/Api.ts"
import { changeRequestPath, client, queries } from "../api/Queries.ts"
import type { ChangeRequest, MergeResult } from "../api/Resources.ts"
import { contentMerged } from "../api/Writes.ts"
import { Discussion } from "../comment/Discussion.tsx"
import { useTitle } from "../frame/Bar.tsx"
import { Icon } from "../frame/Icon.tsx"
import { notify, notifyProblem } from "../frame/Notices.tsx"
import { FormProblem, Loading, Problem } from "../frame/Problem.tsx"
import { Window } from "../frame/Window.tsx"
import { text, timeAgo } from "../language/Language.ts"
import { ChangedPages } from "./ChangedPages.tsx"
import { Conflicts } from "./Conflicts.tsx"
import { Reviewers } from "./Reviewers.tsx"

const refresh = (space: string, number: number) =>
  client.invalidateQueries({ queryKey: ["change-request", space, number] })

export const ChangeRequestScreen = () => {
  const { number: numberText, space } = useParams({ from: "/spaces/$space/changes/$number" })
  const number = Number(numberText)
  const { data: changeRequest, error, refetch } = useQuery(queries.changeRequest(space, number))
  const { data: changes, error: changesError } = useQuery(queries.changes(space, number))
  const { data: spaceResource } = useQuery(queries.space(space))
  useTitle(changeRequest?.subject || text("changes.number", { number }))
  if (error) return <Problem failure={error} retry={() => void refetch()} />
  if (changeRequest === undefined || spaceResource === undefined) return <Loading />
  const { status, createdBy, createdAt, mergedAt } = changeRequest
  const isClosed = status === "merged" || status === "archived"
  const { edit, merge } = spaceResource.permissions
  return (
    <div className="sheet change-request">
      <Subject changeRequest={changeRequest} canEdit={edit && status !== "merged"} />
      <p className="muted">
        <span className="badge" data-status={status}>
          {text(`changes.status.${status}`)}
        </span>{" "}
        {mergedAt === undefined
          ? text("changes.begun", { number, name: createdBy.displayName, time: timeAgo(createdAt) })
          : text("changes.mergedLine", { number, name: createdBy.displayName, time: timeAgo(mergedAt) })}
      </p>
      {changesError && <Problem failure={changesError} />}
      {changes && changes.conflicts.length > 0 && !isClosed && (
        <Conflicts changeRequest={changeRequest} conflicts={changes.conflicts} canResolve={edit} />
      )}
      {!isClosed && (
        <MergePart
          changeRequest={changeRequest}
          canEdit={edit}
          canMerge={merge}
          hasConflicts={(changes?.conflicts.length ?? 0) > 0}
          isEmpty={changes?.changes.length === 0}
        />
      )}
      {status === "archived" && edit && <Reopen changeRequest={changeRequest} />}
      {!isClosed && <Reviewers changeRequest={changeRequest} space={spaceResource} />}
      <Discussion place={{ space, changeRequest: number }} space={spaceResource} />
      {changes && <ChangedPages space={space} number={number} changes={changes} canEdit={edit && !isClosed} />}
    </div>
  )
}

interface SubjectProps {
  readonly changeRequest: ChangeRequest
  readonly canEdit: boolean
}

const Subject = ({ changeRequest: { number, space, subject }, canEdit }: SubjectProps) => {
  const [isOpen, setOpen] = useState(false)
  const [value, setValue] = useState(subject)
  useEffect(() => setValue(subject), [subject])
  const save = useMutation({
    mutationFn: () => request(changeRequestPath(space, number), { method: "PATCH", body: { subject: value.trim() } }),
    onSuccess: async () => {
      setOpen(false)
      await refresh(space, number)
    }
  })
  return (
    <div className="subject">
      <h1 dir="auto">{subject || text("changes.noSubject")}</h1>
      {canEdit && (
        <Button className="plain square" aria-label={text("changes.rename")} onPress={() => setOpen(true)}>
          <Icon name="edit" />
        </Button>
      )}
      <Window title={text("changes.rename")} isOpen={isOpen} onClose={() => setOpen(false)}>
        <Form
          onSubmit={(event) => {
            event.preventDefault()
            save.mutate()
          }}
        >
          <TextField value={value} onChange={setValue} maxLength={100} autoFocus>
            <Label>{text("changes.subject")}</Label>
            <Input dir="auto" />
          </TextField>
          <FormProblem failure={save.error} />
          <div className="buttons end">
            <Button className="control primary" type="submit" isDisabled={save.isPending}>
              {text("action.save")}
            </Button>
          </div>
        </Form>
      </Window>
    </div>
  )
}

interface MergePartProps {
  readonly changeRequest: ChangeRequest
  readonly canEdit: boolean
  readonly canMerge: boolean
  readonly hasConflicts: boolean
  readonly isEmpty: boolean
}

/** The merge, or the reasons why it is not possible yet. */
const MergePart = ({ changeRequest, canEdit, canMerge, hasConflicts, isEmpty }: MergePartProps) => {
  const { mergeable, number, outdated, space, status } = changeRequest
  const navigate = useNavigate()
  const isAllowed = mergeable?.allowed ?? true

  const merge = useMutation({
    mutationFn: () => request<MergeResult>(`${changeRequestPath(space, number)}/merge`, { body: {} }),
    onSuccess: async ({ result }) => {
      if (result === "conflicts") {
        await refresh(space, number)
        notify(text("merge.conflicts"))
        return
      }
      await contentMerged(space)
      notify(text("merge.done"))
      await navigate({ to: "/spaces/$space", params: { space } })
    },
    onError: async (failure) => {
      notifyProblem(failure)
      await refresh(space, number)
    }
  })
  const update = useMutation({
    mutationFn: () => request(`${changeRequestPath(space, number)}/update`, { method: "POST" }),
    onSuccess: async () => {
      await contentMerged(space)
    },
    onError: notifyProblem
  })
  const setStatus = useMutation({
    mutationFn: (next: "draft" | "open" | "archived") =>
      request(changeRequestPath(space, number), { method: "PATCH", body: { status: next } }),
    onSuccess: async (_, next) => {
      await contentMerged(space)
      if (next === "archived")
        notify(text("changes.archived"), { label: text("action.undo"), run: () => setStatus.mutate("draft") })
    },
    onError: notifyProblem
  })

  return (
    <section className="merge" aria-labelledby="merge">
      <h2 id="merge">{text(isAllowed && !hasConflicts ? "merge.ready" : "merge.notReady")}</h2>
      {isEmpty && <p>{text("merge.empty")}</p>}
      {!canMerge && <p>{text("merge.noRight")}</p>}
      {hasConflicts && <p>{text("merge.resolveFirst")}</p>}
      {mergeable && mergeable.rules.length > 0 && (
        <ul className="rules">
          {mergeable.rules.map(({ message, passed, rule }) => (
            <li key={`${rule} ${message}`} data-passed={passed}>
              <Icon name={passed ? "check" : "close"} />
              <span className="hidden">{text(passed ? "merge.passed" : "merge.open")} </span>
              {message}
            </li>
          ))}
        </ul>
      )}
      {outdated && <p className="muted">{text("merge.outdated")}</p>}
      <div className="buttons">
        {canMerge && (
          <Button
            className="control primary"
            isDisabled={!isAllowed || hasConflicts || isEmpty || merge.isPending}
            onPress={() => merge.mutate()}
          >
            {text("merge.action")}
          </Button>
        )}
        {canEdit && status === "draft" && (
          <Button className="control" isDisabled={setStatus.isPending} onPress={() => setStatus.mutate("open")}>
            {text("changes.open")}
          </Button>
        )}
        {canEdit && status === "open" && (
          <Button className="control" isDisabled={setStatus.isPending} onPress={() => setStatus.mutate("draft")}>
            {text("changes.draft")}
          </Button>
        )}
        {canEdit && outdated && (
          <Button className="control" isDisabled={update.isPending} onPress={() => update.mutate()}>
            {text("merge.update")}
          </Button>
        )}
        {canEdit && (
          <Button className="control" isDisabled={setStatus.isPending} onPress={() => setStatus.mutate("archived")}>
            {text("changes.archive")}
          </Button>
        )}
      </div>
    </section>
  )
}

const Reopen = ({ changeRequest: { number, space } }: { readonly changeRequest: ChangeRequest }) => {
  const reopen = useMutation({
    mutationFn: () => request(changeRequestPath(space, number), { method: "PATCH", body: { status: "draft" } }),
    onSuccess: () => contentMerged(space),
    onError: notifyProblem
  })
  return (
    <Button className="control" isDisabled={reopen.isPending} onPress={() => reopen.mutate()}>
      {text("changes.reopen")}
    </Button>
  )
}
